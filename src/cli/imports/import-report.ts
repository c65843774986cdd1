import type { CsvBatchTotals, CsvRowError } from '../../contract/resources/error.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import type { Lint } from '../../domain/csv/row-lint.ts'
import { counted, digits, rowsNamed } from '../base/counted.ts'
import { visible } from '../base/terminal-text.ts'
import type { Outcome, Session } from '../command.ts'
import { type FileKind, type Located, placeOf, type ReadyFile, type RowPlace } from '../files/file-kind.ts'
import { columnsOf, type View } from '../output/columns.ts'
import type { ChunkedKind } from './import-kind.ts'
import type { FilePlan } from './plan-file.ts'
import type { Planned, SentChunk } from './send-chunk.ts'

const shownMax = 20

export type ImportTotals = Omit<SentChunk, 'failed'> & {
  failed: number
  errors: Located<CsvRowError>[]
  inChunk: number
}

type Shown = {
  errors_file?: string
  totals: CsvBatchTotals & Partial<Record<ChunkedKind['same'] | 'orders', number>>
}

export function importView({ same }: Pick<ChunkedKind, 'same'>): View {
  return {
    columns: columnsOf<Shown>(
      { name: 'created', of: ({ totals }: Shown) => totals.created },
      { name: 'failed', of: ({ totals }: Shown) => totals.failed },
      { name: 'submitted', title: 'rows', of: ({ totals }: Shown) => totals.submitted },
      { name: same, title: same.replace('_', ' '), of: ({ totals }: Shown) => totals[same] },
      { name: 'errors_file', title: 'failed rows in' },
    ),
  }
}

/** `sent`: the rows that pass the file's check, if the target was queried about them. */
type DryRun = Pick<FilePlan & ReadyFile, 'header' | 'rows' | 'warnings' | 'skipped'> & {
  bad: number
  errors: Located<CsvRowError>[]
  warned?: number
  parcels?: number
  sent?: number
  /** How many errors, and how many warnings, are shown to people. */
  most?: number
}

/** Ends with the exit code that sending would have. As CSV, prints the rows that would be sent, in our columns. */
export async function reportDryRun(
  session: Session,
  { name, kind }: { name: string; kind: Pick<FileKind, 'columns'> },
  found: DryRun,
  good: () => Iterable<readonly CsvRow[]>,
): Promise<Outcome> {
  const { header, rows, bad, errors, warnings, warned, skipped, parcels } = found
  const { sent = rows - bad, most = shownMax } = found
  await showProblems(session, errors, bad, '', most)
  await showWarnings(session, warnings.slice(0, most), warned)
  session.notice(`${name} was checked; nothing was sent.`)
  if (session.options.output === 'csv') {
    const there = kind.columns.known.filter((column) => header.includes(column))
    const columns = columnsOf<readonly string[]>(
      ...there.map((column) => {
        const at = header.indexOf(column)
        return { name: column, of: (values: readonly string[]) => values[at] ?? '' }
      }),
    )
    const writer = (await session.printer({ columns })).list()
    for (const some of good()) await writer.push(some.map(({ values }) => values))
  } else {
    const counts = { rows, good: rows - bad, bad, ...(parcels !== undefined && { parcels }) }
    const names = Object.keys(counts) as Array<keyof typeof counts>
    const columns = columnsOf<typeof counts>(...names.map((name) => ({ name, title: name })))
    await (await session.printer({ columns })).one({ ...counts, errors, warnings, skipped })
  }
  return endingOf(bad, sent)
}

export async function reportImport(
  session: Session,
  { kind, rows, warnings, warned, skipped }: Planned,
  equal: number,
  totals: ImportTotals,
  errorsFile: string | undefined,
): Promise<Outcome> {
  const { created, failed, errors, sent, same, resent, orders } = totals
  const where = errorsFile === undefined ? '' : ` in ${errorsFile}`
  await showProblems(session, errors, failed, where)
  await showWarnings(session, warnings.slice(0, shownMax), warned)
  const isNothingNew = created === 0 && same > 0
  if (isNothingNew && failed === 0)
    session.notice(`Nothing new: ${counted(same, 'row was', 'rows were')} imported before.`)
  if (resent > 0) {
    const before = counted(resent, 'order without external_ref was', 'orders without external_ref were')
    session.notice(`${before} sent before and not ordered again. Give new orders an external_ref.`)
  }
  const isFewer = orders !== created
  if (isFewer) session.notice(`${counted(created, 'row', 'rows')} in ${counted(orders, 'order')}.`)
  await (await session.printer()).one({
    totals: { created, failed, submitted: rows, [kind.same]: same, ...(isFewer && { orders }) },
    errors,
    errors_file: errorsFile ?? null,
    skipped,
    replayed: isNothingNew,
  })
  if (equal > 0)
    session.notice(
      'Rows that equal earlier orders are usually the same orders: then import the file with --if-equal skip. Give an external_ref to new orders only.',
    )
  // Who corrects a row that was ordered orders it twice.
  if (failed > equal && errorsFile !== undefined) {
    session.notice(
      `Correct the ${equal > 0 ? 'other ' : ''}failed rows in that file and import it with the same flags: its error columns are ignored.`,
    )
  }
  return endingOf(failed, sent)
}

function endingOf(failed: number, sent: number): Outcome {
  if (failed === 0) return 'ok'
  return sent === 0 ? 'invalid' : 'some_failed'
}

export async function showProblems(
  { errStyle, warn }: Session,
  problems: readonly Located<CsvRowError>[],
  total = problems.length,
  where = '',
  most = shownMax,
): Promise<void> {
  if (total === 0) return
  const equal = Map.groupBy(problems, ({ message }) => message)
  const shown = [...equal.values()].slice(0, most)
  warn(errStyle.bold(`${counted(total, 'row failed', 'rows failed')}:`))
  warn(await linesOf(shown.map((rows) => [placesOf(rows), rows[0]?.message ?? ''])))
  const more = total - shown.flat().length
  if (more > 0) warn(`  … and ${digits(more)} more${where}`)
}

export async function showWarnings(
  { errStyle, warn }: Session,
  warnings: readonly Located<Lint>[],
  total = warnings.length,
  nameOf: (place: RowPlace) => string = placeOf,
): Promise<void> {
  if (warnings.length === 0) return
  warn(errStyle.bold('Please check these:'))
  warn(await linesOf(warnings.map((lint) => [nameOf(lint), `${lint.column ?? lint.field} ${lint.message}`])))
  const more = total - warnings.length
  if (more > 0) warn(`  … and ${digits(more)} more`)
}

function placesOf(rows: readonly RowPlace[]): string {
  const [only, another] = rows
  return only && !another ? placeOf(only) : rowsNamed(rows.map(({ row }) => row))
}

async function linesOf(rows: ReadonlyArray<readonly [string, string]>): Promise<string> {
  const { aligned } = await import('../output/table.ts')
  const lines = rows.map(([name, text]) => [name, visible(text)])
  return aligned(lines, { indent: '  ' }).trimEnd()
}
