import { type Json, json } from '../contract/call.ts'
import type { ResultOf } from '../contract/operations.ts'
import type { CsvRowError } from '../contract/resources/error.ts'
import type { Product } from '../contract/resources/product.ts'
import type { CheckedRows } from '../domain/csv-row.ts'
import { existingSku } from '../domain/csv-row-errors.ts'
import { type ProductRow, productChecker, productColumns } from '../domain/product-csv.ts'
import { insertProducts } from '../store/products.ts'
import { giveWay } from './give-way.ts'
import { makeProduct, openStock } from './products.ts'
import type { Work } from './work.ts'

type Outcome = { docs: Array<Json<Product>>; skus: string[]; errors: CsvRowError[] }

/**
 * POST /products/csv (4.2): valid rows become products, the others are answered as errors; a SKU that the catalog has
 * already is a state_conflict (decisions 5). Throws invalid where the file is refused whole, and with that takes back the
 * rows before: quotes and the number of rows show only at the end.
 */
export async function importProductsCsv(
  work: Work,
  { file }: { file: Uint8Array },
): Promise<Json<ResultOf<'importProductsCsv'>>> {
  const { readCsv } = await import('../domain/csv-file.ts')
  const { header, rows } = readCsv(file, productColumns)
  const check = productChecker(header)
  const outcome: Outcome = { docs: [], skus: [], errors: [] }
  for (const slice of rows) {
    await takeRows(work, check(slice), outcome)
    await giveWay()
  }
  const { docs, skus, errors } = outcome
  await openStock(work, skus)
  work.count('products', '', docs.length)
  const totals = { created: docs.length, failed: errors.length, submitted: docs.length + errors.length }
  return `{"created":[${docs.join(',')}],"errors":${JSON.stringify(errors)},"totals":${JSON.stringify(totals)}}`
}

/** Some hundred rows. Errors stay in the order of the file. */
async function takeRows(
  work: Work,
  { accepted, rejected }: CheckedRows<ProductRow>,
  { docs, skus, errors }: Outcome,
): Promise<void> {
  const products = accepted.map(({ value }) => {
    const product = makeProduct(work, value)
    return { product, doc: json(product) }
  })
  const existing = await insertProducts(work.tx, work.scope.id, products)
  for (const { product, doc } of products) {
    if (existing.has(product.sku)) continue
    docs.push(doc)
    skus.push(product.sku)
  }
  const refused = accepted.filter(({ value }) => existing.has(value.sku))
  const conflicts = refused.map(({ row, value }) => existingSku(row, value.sku))
  errors.push(...[...rejected, ...conflicts].sort((a, b) => a.row - b.row))
}
