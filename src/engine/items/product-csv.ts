import { json } from '../../contract/call.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import type { AcceptedRow } from '../../domain/csv/csv-row.ts'
import { existingSku, withFault } from '../../domain/csv/csv-row-errors.ts'
import { type ProductRow, productChecker, productColumns } from '../../domain/items/product-csv.ts'
import type { FieldErrors } from '../../domain/refusal.ts'
import { insertProducts } from '../../store/tables/products.ts'
import type { UnitOfWork } from '../context.ts'
import { checkUpload, inFileOrder, rendered, rowsAnswer } from '../csv-upload.ts'
import type { StepPart, SteppedWrite } from '../stepped-write.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { catalogSkusOf, makeProduct, openStock } from './products.ts'

type Row = AcceptedRow<ProductRow> & { error?: CsvRowError }

/** Rows inserted at once: a few milliseconds. */
const rowsAtOnce = 250

/**
 * POST /products/csv (4.2): valid rows become products, the others are answered as errors; a SKU that the catalog has
 * already is a state_conflict (decisions 5). Throws the refusal of a bad file.
 */
export async function openProductsCsv(file: Uint8Array): Promise<SteppedWrite> {
  const checked = await checkUpload(file, productColumns, productChecker, namesSku)
  const rows = inFileOrder(checked)
  return {
    end: rows.length,
    async take(work, place, part) {
      const some = rows.slice(place, place + rowsAtOnce)
      // First: a faulty row is not to be told that its SKU exists because a row of this very slice has just created it.
      await judgeFaulty(work, some, part)
      await insertRows(
        work,
        some.filter(({ error }) => error === undefined),
        part,
      )
      return place + some.length
    },
    answer: (parts) => rowsAnswer(checked.errors, parts),
  }
}

function namesSku({ sku }: ProductRow, faults: FieldErrors): boolean {
  return sku !== '' && faults.sku === undefined
}

async function judgeFaulty(work: UnitOfWork, rows: readonly Row[], { errors }: StepPart): Promise<void> {
  const faulty = rows.flatMap(({ row, value: { sku }, error }) => (error ? [{ row, sku, error }] : []))
  const taken = await catalogSkusOf(
    work,
    faulty.map(({ sku }) => sku),
  )
  for (const { row, sku, error } of faulty) {
    errors.push(rendered(taken.has(sku) ? withFault(error, existingSku(row, sku)) : error))
  }
}

async function insertRows(
  work: UnitOfWork,
  rows: readonly Row[],
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
