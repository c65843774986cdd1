import { type Json, json } from '../../contract/call.ts'
import type { ResultOf } from '../../contract/operations.ts'
import type { Product } from '../../contract/resources/product.ts'
import { existingSku } from '../../domain/csv/csv-row-errors.ts'
import { type ProductRow, productChecker, productColumns } from '../../domain/items/product-csv.ts'
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
import { makeProduct, openStock } from './products.ts'

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
  for await (const slice of checkUpload(file, productColumns, productChecker)) {
    await takeRows(work, slice, outcome)
  }
  const { docs, skus, errors } = outcome
  await openStock(work, skus)
  work.count('products', '', docs.length)
  const totals = uploadTotals(docs.length, errors.length)
  return `{"created":[${await joinInTurns(docs)}],"errors":${await errorList(errors)},"totals":${totals}}`
}

/** Some hundred rows. */
async function takeRows(
  work: UnitOfWork,
  { accepted, errors }: CheckedSlice<ProductRow>,
  outcome: Outcome,
): Promise<void> {
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
