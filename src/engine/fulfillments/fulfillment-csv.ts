import type { Json } from '../../contract/call.ts'
import type { ResultOf } from '../../contract/operations.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import type { AcceptedRow } from '../../domain/csv/csv-row.ts'
import { withFault } from '../../domain/csv/csv-row-errors.ts'
import {
  askedFor,
  type FulfillmentContext,
  type FulfillmentRow,
  fulfillmentChecker,
  fulfillmentColumns,
  type RequestedItems,
} from '../../domain/fulfillments/fulfillment-csv.ts'
import type { UnitOfWork } from '../context.ts'
import {
  type CheckedFile,
  checkUpload,
  errorList,
  type RenderedError,
  rendered,
  uploadTotals,
} from '../csv-upload.ts'
import { type GrowingList, growingList, yieldToEventLoop } from '../yield-to-event-loop.ts'
import { openFulfillment } from './shipping.ts'
import { emptyShelf, fillRow, type Shelf, stockShelf, takeFromShelf } from './stock-allocation.ts'

/**
 * Rows whose items are looked up at once. Few: what lives for hundreds of rows becomes garbage that only a full collection
 * finds, 100 MB in an import (measured with 128 and 500).
 */
const rowsAtOnce = 48

/** Reads a file of fulfillments before the scope is claimed. Throws the refusal of a bad file. */
export function readFulfillmentsCsv(
  file: Uint8Array,
  context: FulfillmentContext,
): Promise<CheckedFile<FulfillmentRow>> {
  return checkUpload(
    file,
    fulfillmentColumns,
    (header) => fulfillmentChecker(header, context),
    (value, faults) => askedFor(value.items, faults) !== null,
  )
}

/**
 * POST /fulfillments/csv (4.4): each row that can be filled makes one fulfillment; the others are answered as errors. Rows are
 * taken in the file's order, so that a later row sees what an earlier one has taken.
 */
export async function importFulfillmentsCsv(
  work: UnitOfWork,
  { rows: { accepted, faulty, errors: found } }: { rows: CheckedFile<FulfillmentRow> },
): Promise<Json<ResultOf<'importFulfillmentsCsv'>>> {
  const errors = [...found]
  const created = growingList()
  const shelf = emptyShelf()
  const rows: Row[] = faulty.length === 0 ? accepted : [...accepted, ...faulty].sort((a, b) => a.row - b.row)
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const some = rows.slice(from, from + rowsAtOnce)
    await stockShelf(work, shelf, some.flatMap(wantedBy))
    for (const row of some) await importRow(work, shelf, row, created, errors)
    await work.flush()
  }
  const totals = uploadTotals(created.length, errors.length)
  return `{"created":[${created.text()}],"errors":${await errorList(errors)},"totals":${totals}}`
}

/** A row with faults takes nothing, but is told whether it could have what it asks for. */
type Row = AcceptedRow<FulfillmentRow> & { error?: CsvRowError }

function wantedBy({ value, error }: Row): RequestedItems[] {
  const wanted = error ? askedFor(value.items, error.fields) : value.items
  return wanted === null ? [] : [wanted]
}

async function importRow(
  work: UnitOfWork,
  shelf: Shelf,
  { row, value, error }: Row,
  created: GrowingList,
  errors: RenderedError[],
): Promise<void> {
  await yieldToEventLoop()
  const [wanted = value.items] = wantedBy({ row, value, ...(error && { error }) })
  const filled = await fillRow(work, shelf, row, wanted)
  if (error) {
    errors.push(rendered('error' in filled ? withFault(error, filled.error) : error))
    return
  }
  if ('error' in filled) {
    errors.push(rendered(filled.error))
    return
  }
  const { shipping_address, external_ref, special_instructions, deliver_by } = value
  const draft = {
    shipping_address,
    type: 'standard',
    external_ref,
    special_instructions,
    deliver_by,
  } as const
  const { doc, moved } = await openFulfillment(work, draft, filled.items)
  takeFromShelf(shelf, moved)
  created.add(doc)
}
