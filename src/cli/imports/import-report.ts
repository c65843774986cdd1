import type { CsvBatchTotals } from '../../contract/resources/error.ts'
import { counted } from '../base/counted.ts'
import type { Outcome, Session } from '../command.ts'
import type { View } from '../output/columns.ts'
import type { ChunkedKind } from './import-kind.ts'
import { type FilePlan, shownMax } from './plan-file.ts'
import { showProblems, showWarnings } from './row-problems.ts'
import type { SentChunk } from './send-chunk.ts'

export type ImportTotals = Omit<SentChunk, 'failed'> & { failed: number }

type Shown = { totals: CsvBatchTotals & Partial<Record<ChunkedKind['same'] | 'orders', number>> }

/** What an import prints that has sent something. */
export function importView({ same }: Pick<ChunkedKind, 'same'>): View {
  return {
    columns: [
      { name: 'created', of: ({ totals }: Shown) => totals.created },
      { name: 'failed', of: ({ totals }: Shown) => totals.failed },
      { name: 'submitted', title: 'rows', of: ({ totals }: Shown) => totals.submitted },
      { name: same, title: same.replace('_', ' '), of: ({ totals }: Shown) => totals[same] },
      { name: 'errors_file', title: 'failed rows in' },
    ],
  }
}

type DryRun = Pick<FilePlan, 'rows' | 'bad' | 'firstBad' | 'warnings'> & { parcels?: number | undefined }

/** What --dry-run found; the exit code is the one that sending would have, as far as the file tells. */
export async function reportDryRun(
  session: Session,
  file: string,
  { rows, bad, firstBad, warnings, parcels }: DryRun,
  printRows: () => Promise<void>,
): Promise<Outcome> {
  showProblems(session, firstBad, bad, '')
  showWarnings(session, warnings)
  session.notice(`${file} was checked; nothing was sent.`)
  const counts = { rows, good: rows - bad, bad, ...(parcels !== undefined && { parcels }) }
  const columns = Object.keys(counts).map((name) => ({ name, title: name }))
  if (session.options.output === 'csv') await printRows()
  else await (await session.printer({ columns })).one({ ...counts, errors: firstBad, warnings })
  return endingOf(bad, rows - bad)
}

/** Prints what an import did. */
export async function reportImport(
  session: Session,
  { plan, kind }: { plan: FilePlan; kind: Pick<ChunkedKind, 'same'> },
  totals: ImportTotals,
  errorsFile: string | undefined,
): Promise<Outcome> {
  const { created, failed, errors, sent, same, orders } = totals
  const where = errorsFile === undefined ? '' : ` in ${errorsFile}`
  showProblems(session, errors.slice(0, shownMax), failed, where)
  showWarnings(session, plan.warnings)
  const isNothingNew = created === 0 && same > 0
  if (isNothingNew) session.notice(`Nothing new: ${counted(same, 'row was', 'rows were')} imported before.`)
  const isFewer = orders !== created
  if (isFewer) session.notice(`${counted(created, 'row', 'rows')} in ${counted(orders, 'order')}.`)
  await (await session.printer()).one({
    totals: { created, failed, submitted: plan.rows, [kind.same]: same, ...(isFewer && { orders }) },
    errors,
    errors_file: errorsFile ?? null,
    replayed: isNothingNew,
  })
  if (failed > 0 && errorsFile !== undefined) {
    session.notice(
      'Correct the failed rows in that file and import it with the same flags: its error columns are ignored.',
    )
  }
  return endingOf(failed, sent)
}

/** `sent`: rows that passed the check of the file. */
function endingOf(failed: number, sent: number): Outcome {
  if (failed === 0) return 'ok'
  return sent === 0 ? 'invalid' : 'some_failed'
}

export function doneRows({ created, same, failed }: ImportTotals): number {
  return created + same + failed
}
