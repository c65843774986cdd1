import { type Json, json } from '../../contract/call.ts'
import type { ResultOf } from '../../contract/operations.ts'
import type { Product } from '../../contract/resources/product.ts'
import type { AcceptedRow } from '../../domain/csv/csv-row.ts'
import { existingSku, withFault } from '../../domain/csv/csv-row-errors.ts'
import { type ProductRow, productChecker, productColumns } from '../../domain/items/product-csv.ts'
import type { FieldErrors } from '../../domain/refusal.ts'
import { insertProducts } from '../../store/tables/products.ts'
import type { UnitOfWork } from '../context.ts'
import {
  type CheckedFile,
  checkUpload,
  errorList,
  type FaultyRow,
  type RenderedError,
  rendered,
  uploadTotals,
} from '../csv-upload.ts'
import { joinInTurns, yieldToEventLoop } from '../yield-to-event-loop.ts'
import { catalogSkusOf, makeProduct, openStock } from './products.ts'

type Outcome = { docs: Array<Json<Product>>; skus: string[]; errors: RenderedError[] }

/** Rows inserted at once: a few milliseconds. */
const rowsAtOnce = 500

/** Reads a file of products before the scope is claimed. Throws the refusal of a bad file. */
export function readProductsCsv(file: Uint8Array): Promise<CheckedFile<ProductRow>> {
  return checkUpload(file, productColumns, productChecker, namesSku)
}

/**
 * POST /products/csv (4.2): valid rows become products, the others are answered as errors; a SKU that the catalog has
 * already is a state_conflict (decisions 5).
 */
export async function importProductsCsv(
  work: UnitOfWork,
  { rows }: { rows: CheckedFile<ProductRow> },
): Promise<Json<ResultOf<'importProductsCsv'>>> {
  const outcome: Outcome = { docs: [], skus: [], errors: [...rows.errors] }
  // Before there are the rows of this file: one that has the SKU of a faulty row is no fault of that.
  await judgeFaulty(work, rows.faulty, outcome)
  for (let from = 0; from < rows.accepted.length; from += rowsAtOnce) {
    await takeRows(work, rows.accepted.slice(from, from + rowsAtOnce), outcome)
    await yieldToEventLoop()
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

async function judgeFaulty(
  work: UnitOfWork,
  faulty: ReadonlyArray<FaultyRow<ProductRow>>,
  { errors }: Outcome,
): Promise<void> {
  const taken = await catalogSkusOf(
    work,
    faulty.map(({ value }) => value.sku),
  )
  for (const { row, value, error } of faulty) {
    errors.push(rendered(taken.has(value.sku) ? withFault(error, existingSku(row, value.sku)) : error))
    await yieldToEventLoop()
  }
}

async function takeRows(
  work: UnitOfWork,
  rows: ReadonlyArray<AcceptedRow<ProductRow>>,
  outcome: Outcome,
): Promise<void> {
  const products = rows.map(({ value }) => {
    const product = makeProduct(work, value)
    return { product, doc: json(product) }
  })
  const existing = await insertProducts(work.tx, work.scope.id, products)
  for (const { product, doc } of products) {
    if (existing.has(product.sku)) continue
    outcome.docs.push(doc)
    outcome.skus.push(product.sku)
  }
  for (const { row, value } of rows) {
    if (existing.has(value.sku)) outcome.errors.push(rendered(existingSku(row, value.sku)))
  }
}
