import { type Json, json } from '../../contract/call.ts'
import type { ResultOf } from '../../contract/operations.ts'
import type { Product } from '../../contract/resources/product.ts'
import { existingSku, withFault } from '../../domain/csv/csv-row-errors.ts'
import { type ProductRow, productChecker, productColumns } from '../../domain/items/product-csv.ts'
import type { FieldErrors } from '../../domain/refusal.ts'
import { insertProducts } from '../../store/tables/products.ts'
import type { UnitOfWork } from '../context.ts'
import {
  type CheckedSlice,
  checkUpload,
  errorList,
  type RenderedError,
  rendered,
  uploadTotals,
} from '../csv-upload.ts'
import { joinInTurns } from '../yield-to-event-loop.ts'
import { catalogSkusOf, makeProduct, openStock } from './products.ts'

type Outcome = { docs: Array<Json<Product>>; skus: string[]; errors: RenderedError[] }

/**
 * POST /products/csv (4.2): valid rows become products, the others are answered as errors; a SKU that the catalog has
 * already is a state_conflict (decisions 5). Throws invalid where the file is refused whole, and with that takes back the
 * rows before: quotes and the number of rows show only at the end.
 */
export async function importProductsCsv(
  work: UnitOfWork,
  { file }: { file: Uint8Array },
): Promise<Json<ResultOf<'importProductsCsv'>>> {
  const outcome: Outcome = { docs: [], skus: [], errors: [] }
  for await (const slice of checkUpload(file, productColumns, productChecker, namesSku)) {
    await takeRows(work, slice, outcome)
  }
  const { docs, skus, errors } = outcome
  await openStock(work, skus)
  work.count('products', '', docs.length)
  const totals = uploadTotals(docs.length, errors.length)
  return `{"created":[${await joinInTurns(docs)}],"errors":${await errorList(errors)},"totals":${totals}}`
}

function namesSku({ sku }: ProductRow, faults: FieldErrors): boolean {
  return sku !== '' && faults.sku === undefined
}

/** Some hundred rows. */
async function takeRows(
  work: UnitOfWork,
  { accepted, faulty, errors }: CheckedSlice<ProductRow>,
  outcome: Outcome,
): Promise<void> {
  // Before the other rows are in the catalog: a row after it that has its SKU is no fault of this one.
  const taken = await catalogSkusOf(
    work,
    faulty.map(({ value }) => value.sku),
  )
  for (const { row, value, error } of faulty) {
    const more = taken.has(value.sku) ? withFault(error, existingSku(row, value.sku)) : error
    outcome.errors.push(rendered(more))
  }
  const products = accepted.map(({ value }) => {
    const product = makeProduct(work, value)
    return { product, doc: json(product) }
  })
  const existing = await insertProducts(work.tx, work.scope.id, products)
  for (const { product, doc } of products) {
    if (existing.has(product.sku)) continue
    outcome.docs.push(doc)
    outcome.skus.push(product.sku)
  }
  outcome.errors.push(...errors)
  for (const { row, value } of accepted) {
    if (existing.has(value.sku)) outcome.errors.push(rendered(existingSku(row, value.sku)))
  }
}
