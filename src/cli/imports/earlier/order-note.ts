import type { AcceptedRow } from '../../../domain/csv/csv-row.ts'
import type { FulfillmentRow } from '../../../domain/fulfillments/fulfillment-csv.ts'
import type { JournalChunk } from '../journal/journal.ts'
import { contentMark } from './order-content.ts'

/**
 * What the journal keeps of rows that were carried out: by it a later file finds them again. `ids`: of the orders that they made,
 * where the target cannot be asked by their references.
 */
export function orderNote(
  rows: ReadonlyArray<AcceptedRow<FulfillmentRow>>,
  ids: readonly string[],
): Pick<JournalChunk, 'orders' | 'refs'> {
  const refs = rows.flatMap(({ value: { external_ref } }, at) =>
    external_ref === null || ids[at] === undefined ? [] : [[external_ref, ids[at]] as const],
  )
  return {
    orders: rows.map(({ value }) => contentMark(value)).join(''),
    ...(refs.length > 0 && { refs }),
  }
}
