import type { CsvRowError } from '../../contract/resources/error.ts'
import { rowError } from '../../domain/csv/csv-row-errors.ts'
import { canAsk, isAnsweredYes } from '../ask/confirm.ts'
import { noticedTime } from '../base/times.ts'
import type { Session } from '../command.ts'
import type { RepeatedRow } from './import-kind.ts'
import type { ImportOptions } from './import-options.ts'

/**
 * Rows without a reference that equal earlier orders: the same order sent again, or another one that happens to be equal. `ask`
 * keeps them until everything else is sent.
 */
export type EqualRows = {
  policy: 'skip' | 'fail' | 'order' | 'ask'
  held: RepeatedRow[]
  errorOf: (row: RepeatedRow) => CsvRowError
}

export function equalRows(session: Session, { ifEqual }: Pick<ImportOptions, 'ifEqual'>): EqualRows {
  const { io, options } = session
  const unsaid = options.yes ? 'skip' : canAsk(session) ? 'ask' : 'fail'
  return {
    policy: ifEqual ?? unsaid,
    held: [],
    errorOf: ({ row, id, created_at }) =>
      rowError(row, 'state_conflict', {
        external_ref: [
          `is empty, and the row equals order ${id} of ${noticedTime(io, created_at)}: if it is another order, give it an external_ref`,
        ],
      }),
  }
}

/** Asks once for all of them. */
export async function areSkipped(session: Session, held: readonly RepeatedRow[]): Promise<boolean> {
  const times = held.map(({ created_at }) => created_at).sort()
  const newest = noticedTime(session.io, times.at(-1) ?? '')
  const rows =
    held.length === 1
      ? '1 row equals an earlier order'
      : `${held.length.toLocaleString('en')} rows equal earlier orders`
  const message = `${rows} (the newest of ${newest}). Skip ${held.length === 1 ? 'it' : 'them'}? No orders ${held.length === 1 ? 'it' : 'them'} again.`
  return isAnsweredYes(message, true)
}
