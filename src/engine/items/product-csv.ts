import { json } from '../../contract/call.ts'
import type { AcceptedRow } from '../../domain/csv/csv-row.ts'
import { existingSku } from '../../domain/csv/csv-row-errors.ts'
import { type ProductRow, productChecker, productColumns } from '../../domain/items/product-csv.ts'
import { insertProducts } from '../../store/tables/products.ts'
import type { UnitOfWork } from '../context.ts'
import { checkUpload, rendered, rowsAnswer } from '../csv-upload.ts'
import type { StepPart, SteppedWrite } from '../stepped-write.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { makeProduct, openStock } from './products.ts'

/** Rows inserted at once: a few milliseconds. */
const rowsAtOnce = 250

/**
 * POST /products/csv (4.2): valid rows become products, the others are answered as errors; a SKU that the catalog has
 * already is a state_conflict (decisions 5). Throws the refusal of a bad file.
 */
export async function openProductsCsv(file: Uint8Array): Promise<SteppedWrite> {
  // That the catalog has its SKU is told of a right row alone (decisions 3): a faulty one needs no look-up.
  const { accepted, errors } = await checkUpload(file, productColumns, productChecker, () => false)
  return {
    end: accepted.length,
    async take(work, place, part) {
      const some = accepted.slice(place, place + rowsAtOnce)
      await insertRows(work, some, part)
      return place + some.length
    },
    answer: (parts) => rowsAnswer(errors, parts),
  }
}

async function insertRows(
  work: UnitOfWork,
  rows: ReadonlyArray<AcceptedRow<ProductRow>>,
  { created, errors }: StepPart,
): Promise<void> {
  const products = rows.map(({ value }) => {
    const product = makeProduct(work, value)
    return { product, doc: json(product) }
  })
  const existing = await insertProducts(work.tx, work.scope.id, products)
  const skus: string[] = []
  for (const { product, doc } of products) {
    if (existing.has(product.sku)) continue
    created.push(doc)
    skus.push(product.sku)
  }
  for (const { row, value } of rows) {
    if (existing.has(value.sku)) errors.push(rendered(existingSku(row, value.sku)))
  }
  await openStock(work, skus)
  work.count('products', '', skus.length)
  await yieldToEventLoop()
}
