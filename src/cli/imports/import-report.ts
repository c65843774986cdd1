import type { CsvBatchTotals, CsvRowError } from '../../contract/resources/error.ts'
import type { Outcome } from '../command.ts'
import type { View } from '../output/columns.ts'
import type { Session } from '../session.ts'
import type { FilePlan } from './file-plan.ts'
import { shownMax } from './plan-file.ts'
import { showProblems, showWarnings } from './row-problems.ts'

export type ImportTotals = {
  created: number
  failed: number
  /** Rows that the service was given. */
  sent: number
  /** Chunks whose result the service had already. */
  replayed: number
  errors: CsvRowError[]
}

type Shown = { totals: CsvBatchTotals }

const view: View = {
  columns: [
    { name: 'created', of: ({ totals }: Shown) => totals.created },
    { name: 'failed', of: ({ totals }: Shown) => totals.failed },
    { name: 'submitted', title: 'rows', of: ({ totals }: Shown) => totals.submitted },
    { name: 'errors_file', title: 'failed rows in' },
  ],
}

const dryRunView: View = {
  columns: [
    { name: 'rows', title: 'rows' },
    { name: 'good', title: 'good' },
    { name: 'bad', title: 'bad' },
  ],
}

/** What --dry-run found; the exit code is the one that sending would have, as far as the file tells. */
export async function reportDryRun(session: Session, file: string, plan: FilePlan): Promise<Outcome> {
  const { rows, bad, firstBad, warnings } = plan
  showProblems(session, firstBad, bad, '')
  showWarnings(session, warnings)
  session.notice(`${file} was checked; nothing was sent.`)
  const result = { rows, good: rows - bad, bad, errors: firstBad, warnings }
  await (await session.printer()).one(result, dryRunView)
  return endingOf(bad, rows - bad)
}

/** What an import did. */
export async function reportImport(
  session: Session,
  plan: FilePlan,
  totals: ImportTotals,
  errorsFile: string | undefined,
): Promise<Outcome> {
  const { created, failed, errors, sent, replayed } = totals
  const where = errorsFile === undefined ? '' : ` in ${errorsFile}`
  showProblems(session, errors.slice(0, shownMax), failed, where)
  showWarnings(session, plan.warnings)
  if (replayed > 0) session.notice(replayNotice(replayed, plan.chunks.length))
  const result = {
    totals: { created, failed, submitted: plan.rows },
    errors,
    errors_file: errorsFile ?? null,
    replayed: replayed === plan.chunks.length,
  }
  await (await session.printer()).one(result, view)
  if (failed > 0 && errorsFile !== undefined) {
    session.notice('Correct the failed rows in that file and import it: its error columns are ignored.')
  }
  return endingOf(failed, sent)
}

function replayNotice(replayed: number, chunks: number): string {
  const what = replayed === chunks ? 'These bytes were' : 'A part of these bytes was'
  return `${what} imported before: the result is the one of then, nothing was added twice. To import anew: --again`
}

function endingOf(failed: number, sendable: number): Outcome {
  if (failed === 0) return 'ok'
  return sendable === 0 ? 'invalid' : 'some_failed'
}
