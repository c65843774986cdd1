import { json } from '../../contract/call.ts'
import type { Repeats } from '../../contract/enums.ts'
import type { CsvRepeatedRow } from '../../contract/resources/error.ts'
import type { Product } from '../../contract/resources/product.ts'
import { type AcceptedRow, existingSku, rowError } from '../../domain/csv/csv-row.ts'
import {
  type ProductRow,
  productChecker,
  productColumns,
  productDifferences,
} from '../../domain/items/product-csv.ts'
import { assert } from '../../domain/rejection.ts'
import { findProductDocs, insertProducts } from '../../store/tables/products.ts'
import type { ReadContext, StepPart, SteppedWrite, UnitOfWork } from '../context.ts'
import { checkUpload, rendered, rowsAnswer } from '../csv-upload.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { makeProduct, openStock } from './products.ts'

/** Rows inserted at once: a few milliseconds. */
const rowsAtOnce = 250

/** POST /products/csv (4.2): a SKU in the catalog is a `state_conflict` (decisions 5). Throws on a bad file. */
export async function openProductsCsv(file: Uint8Array, repeats: Repeats): Promise<SteppedWrite> {
  // Only valid rows report that their SKU exists (decisions 3), so faulty ones need no lookup.
  const { accepted, errors } = await checkUpload(file, productColumns, productChecker, () => false)
  return {
    end: accepted.length,
    async take(work, place, part) {
      const some = accepted.slice(place, place + rowsAtOnce)
      await insertRows(work, some, part, repeats)
      return place + some.length
    },
    answer: (parts) => rowsAnswer(errors, parts, repeats),
  }
}

/** A row equal to its product is repeated; otherwise it conflicts in the fields that differ (decisions 13). */
async function addRepeated(
  { tx }: ReadContext,
  rows: ReadonlyArray<AcceptedRow<ProductRow>>,
  part: StepPart,
): Promise<void> {
  const docs = await findProductDocs(
    tx,
    rows.map(({ value }) => value.sku),
  )
  const products = new Map(docs.map((doc) => JSON.parse(doc) as Product).map((each) => [each.sku, each]))
  for (const { row, value } of rows) {
    const product = products.get(value.sku)
    assert(product !== undefined, 'a rejected SKU is in the catalog', value.sku)
    const { product_id: id, created_at } = product
    const fields = productDifferences(value, product)
    const repeated: CsvRepeatedRow = { row, id, status: null, created_at, by: 'sku' }
    if (Object.keys(fields).length > 0) part.errors.push(rendered(rowError(row, 'state_conflict', fields)))
    else {
      part.repeated ??= []
      part.repeated.push(json(repeated))
    }
  }
}

async function insertRows(
  work: UnitOfWork,
  rows: ReadonlyArray<AcceptedRow<ProductRow>>,
  part: StepPart,
  repeats: Repeats,
): Promise<void> {
  const { created, errors } = part
  const products = rows.map(({ value }) => {
    const product = makeProduct(work, value)
    return { product, doc: json(product) }
  })
  const [existing] = await Promise.all([
    insertProducts(work.tx, products),
    openStock(
      work,
      products.map(({ product }) => product.sku),
    ),
  ])
  assert(existing.size <= products.length, 'no more products are rejected than were sent', work.scope.id)
  const fresh = products.filter(({ product }) => !existing.has(product.sku))
  for (const { doc } of fresh) created.push(doc)
  const repeated = rows.filter(({ value }) => existing.has(value.sku))
  if (repeats === 'skip') await addRepeated(work, repeated, part)
  else for (const { row, value } of repeated) errors.push(rendered(existingSku(row, value.sku)))
  assert(fresh.length + repeated.length === rows.length, 'every row is created or rejected', work.scope.id)
  work.count('products', '', fresh.length)
  await yieldToEventLoop()
}
