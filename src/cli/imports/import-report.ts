import { existsSync } from 'node:fs'
import type { CsvBatchTotals, CsvRowError } from '../../contract/resources/error.ts'
import { CliError } from '../base/cli-error.ts'
import { counted } from '../base/counted.ts'
import { noticedTime } from '../base/times.ts'
import type { Outcome, Session } from '../command.ts'
import type { View } from '../output/columns.ts'
import type { FilePlan } from './file-plan.ts'
import type { Located } from './formats/located.ts'
import type { ChunkedKind } from './import-kind.ts'
import type { ImportOptions } from './import-options.ts'
import { shownMax } from './plan-file.ts'
import { showProblems, showWarnings } from './row-problems.ts'
import type { Sending } from './send-chunk.ts'

export type ImportTotals = {
  created: number
  /** Rows whose resource existed already, with the same content. */
  same: number
  failed: number
  /** Rows that were sent. */
  sent: number
  /** Chunks whose result the service had already. */
  replayed: number
  /** Rows that were carried out in this run. */
  sentNewly: number
  errors: Located<CsvRowError>[]
}

/** The result of an earlier run. */
type Earlier = { file: string; errorsFile: string; endedAt: string; isResumed: boolean }

type Shown = { totals: CsvBatchTotals & Partial<Record<ChunkedKind['same'], number>> }

/** What an import prints that has sent something. */
export function importView({ same }: ChunkedKind): View {
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

const dryRunColumns = ['rows', 'good', 'bad'].map((name) => ({ name, title: name }))
const orderedColumn = { name: 'already_ordered', title: 'already ordered' }

/**
 * What --dry-run found; the exit code is the one that sending would have, as far as the file tells. `ordered`: rows that were
 * ordered before, where it was looked for them.
 */
export async function reportDryRun(
  session: Session,
  file: string,
  plan: FilePlan,
  ordered?: number,
  printRows?: () => Promise<void>,
): Promise<Outcome> {
  const { rows, bad, firstBad, warnings } = plan
  showProblems(session, firstBad, bad, '')
  showWarnings(session, warnings)
  session.notice(`${file} was checked; nothing was sent.`)
  const counts = {
    rows,
    good: rows - bad - (ordered ?? 0),
    bad,
    ...(ordered !== undefined && { already_ordered: ordered }),
  }
  const columns = ordered === undefined ? dryRunColumns : [...dryRunColumns, orderedColumn]
  if (session.options.output === 'csv' && printRows !== undefined) await printRows()
  else await (await session.printer({ columns })).one({ ...counts, errors: firstBad, warnings })
  return endingOf(bad, rows - bad)
}

/** Prints what an import did. */
export async function reportImport(
  session: Session,
  { plan, kind }: Pick<Sending, 'plan' | 'kind'>,
  totals: ImportTotals,
  errorsFile: string | undefined,
): Promise<Outcome> {
  const { failed, errors, sent, same } = totals
  const where = errorsFile === undefined ? '' : ` in ${errorsFile}`
  showProblems(session, errors.slice(0, shownMax), failed, where)
  showWarnings(session, plan.warnings)
  if (totals.replayed > 0) session.notice(replayNotice(totals, kind))
  await printTotals(session, { plan, kind }, totals, errorsFile)
  if (failed > 0 && errorsFile !== undefined) {
    session.notice(
      'Correct the failed rows in that file and import it with the same flags: its error columns are ignored.',
    )
  }
  return endingOf(failed, sent + same)
}

/** For an import that ended earlier: nothing was sent now. The ending is the one it had then. */
export async function reportEarlier(
  session: Session,
  { plan, kind }: Pick<Sending, 'plan' | 'kind'>,
  totals: ImportTotals,
  { file, errorsFile, endedAt, isResumed }: Earlier,
): Promise<Outcome> {
  const { failed, sent, same } = totals
  const time = noticedTime(session.io, endedAt)
  const was = `${file} was imported on ${time}: ${counted(plan.rows, 'row')}, ${failed.toLocaleString('en')} failed.`
  const isThere = failed > 0 && existsSync(errorsFile)
  if (isResumed) session.notice(`Nothing to do: ${was}`)
  else session.notice(`${was} Nothing was sent; --again sends it once more.`)
  if (isThere) session.notice(`The failed rows are in ${errorsFile}`)
  await printTotals(session, { plan, kind }, { ...totals, replayed: 1 }, isThere ? errorsFile : undefined)
  return endingOf(failed, sent + same)
}

/** Whether everything that was sent had been carried out before. */
export function isNothingNew({ replayed, sentNewly }: ImportTotals): boolean {
  return replayed > 0 && sentNewly === 0
}

async function printTotals(
  session: Session,
  { plan, kind }: Pick<Sending, 'plan' | 'kind'>,
  totals: ImportTotals,
  errorsFile: string | undefined,
): Promise<void> {
  const { created, same, failed, errors } = totals
  const result = {
    totals: { created, failed, submitted: plan.rows, [kind.same]: same },
    errors,
    errors_file: errorsFile ?? null,
    replayed: isNothingNew(totals),
  }
  await (await session.printer()).one(result)
}

/** For orders there is no advice to send again, because that ships again. */
function replayNotice(totals: ImportTotals, { isOrder }: ChunkedKind): string {
  if (!isNothingNew(totals)) {
    return 'A part of these rows was imported before: its result is the one of then. The others were sent now.'
  }
  const advice = isOrder ? '' : ' To import anew: --again'
  return `These bytes were imported before: the result is the one of then, nothing was added twice.${advice}`
}

function endingOf(failed: number, sendable: number): Outcome {
  if (failed === 0) return 'ok'
  return sendable === 0 ? 'invalid' : 'some_failed'
}

export function doneRows({ created, same, failed }: ImportTotals): number {
  return created + same + failed
}

/** `unanswered`: rows that were sent, and of which nobody knows here whether they were carried out. */
export function howToGoOn(
  totals: ImportTotals,
  unanswered: number,
  { rows }: FilePlan,
  options: Pick<ImportOptions, 'again'>,
): string {
  const [done, all, more] = [doneRows(totals), rows, unanswered].map((count) => count.toLocaleString('en'))
  if (unanswered === 0) return `${done} of ${all} rows are done; ${repeated(options)} goes on after them.`
  return `${done} of ${all} rows are acknowledged, and ${more} more may have been carried out: no answer came. ${capitalised(repeated(options))} finds that out, does nothing twice and goes on.`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** With --again it would be yet another import. */
export function repeated({ again }: Pick<ImportOptions, 'again'>): string {
  return `the same command with --resume${again ? ' in place of --again' : ''}`
}

/** Its key was spent, so that nothing of it could come late, by an import that found some of its rows ordered already. */
export function sentElsewhere(file: string): CliError {
  return new CliError('conflict', `${file} was imported from another machine meanwhile.`, {
    hint: 'Run the same command again: every row is compared with what was ordered.',
  })
}
