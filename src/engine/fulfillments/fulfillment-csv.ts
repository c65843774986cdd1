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
import { checkUpload, inFileOrder, rendered, rowsAnswer } from '../csv-upload.ts'
import type { StepPart, SteppedWrite } from '../stepped-write.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { openFulfillment } from './shipping.ts'
import { fillRow, type Shelf, stockShelf, takeFromShelf } from './stock-allocation.ts'

/**
 * Rows whose items are looked up at once. Few: what lives for hundreds of rows becomes garbage that only a full collection
 * finds, 100 MB in an import (measured with 128 and 500).
 */
const rowsAtOnce = 48

/**
 * POST /fulfillments/csv (4.4): each row that can be filled makes one fulfillment; the others are answered as errors. Rows are
 * taken in the file's order, so that a later row sees what an earlier one has taken. Throws the refusal of a bad file.
 */
export async function openFulfillmentsCsv(
  file: Uint8Array,
  context: FulfillmentContext,
): Promise<SteppedWrite> {
  const checked = await checkUpload(
    file,
    fulfillmentColumns,
    (header) => fulfillmentChecker(header, context),
    (value, faults) => askedFor(value.items, faults) !== null,
  )
  const rows = inFileOrder(checked)
  return {
    end: rows.length,
    async take(work, place, part) {
      const some = rows.slice(place, place + rowsAtOnce)
      const shelf = await stockShelf(work, some.map(wantedBy))
      for (const row of some) await importRow(work, shelf, row, part)
      await work.flush()
      return place + some.length
    },
    answer: (parts) => rowsAnswer(checked.errors, parts),
  }
}

/** A faulty row takes no items, but its errors also say whether those it asks for are available. */
type Row = AcceptedRow<FulfillmentRow> & { error?: CsvRowError }

/** A faulty row that asks for nothing is not looked up. */
function wantedBy({ value, error }: Row): RequestedItems {
  return error ? (askedFor(value.items, error.fields) as RequestedItems) : value.items
}

async function importRow(
  work: UnitOfWork,
  shelf: Shelf,
  asked: Row,
  { created, errors }: StepPart,
): Promise<void> {
  await yieldToEventLoop()
  const { row, value, error } = asked
  const filled = await fillRow(work, shelf, row, wantedBy(asked))
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
  created.push(doc)
}
