import type { Command } from 'commander'
import { lineStatuses } from '../../contract/enums.ts'
import type { ManifestReport } from '../../contract/resources/manifest.ts'
import { usage } from '../base/cli-error.ts'
import { counted } from '../base/counted.ts'
import { didYouMean } from '../base/did-you-mean.ts'
import type { Session } from '../command.ts'
import { type ReportRow, reportLines, reportRows, reportView } from '../views/manifests.ts'

export type ReportOptions = { lines?: boolean; status?: string; summaryColumns?: string }
type Status = ReportRow['status']

/** The statuses of a report's lines, the most urgent first. */
const statuses: readonly Status[] = ['missing', 'condition_mismatch', 'unexpected', 'expected', 'matched']

/** The flags that say which lines of a report are shown, and what of it. */
export function reportable(command: Command): Command {
  return summarised(command)
    .option('--lines', 'list every line on a terminal, also those that matched')
    .option('--status <statuses>', `only lines like this: ${[...lineStatuses, 'unexpected'].join(', ')}`)
}

/** The flag of commands that show a record with its lines, for which --columns is about the lines. */
export function summarised(command: Command): Command {
  return command.option('--summary-columns <names>', 'of what stands above the lines, only these')
}

/**
 * Prints a reconciliation report. A terminal gets the totals, what is not as it should be, and how many lines matched; where
 * it is nothing but rows, stderr says which of them are unexpected items. Throws `usage`.
 */
export async function printReport(
  session: Session,
  whole: ManifestReport,
  options: ReportOptions,
): Promise<void> {
  const report = withStatus(whole, options.status)
  const printer = await session.printer()
  if (printer.format !== 'table') {
    await printer.one(report, reportView(reportLines))
    const isRows = printer.format === 'csv' && options.summaryColumns === undefined
    if (isRows && report.unexpected.length > 0) session.notice(`${reportRowsText(report)}, in this order`)
    return
  }
  const isWhole = options.lines === true || options.status !== undefined
  const rows = problemsFirst(reportRows(report))
  const listed = isWhole ? rows : rows.filter(({ status }) => status !== 'matched')
  const title = isWhole ? 'Lines' : 'Not as expected'
  await printer.one(report, reportView({ ...reportLines, title, rows: () => listed }))
  const matched = rows.length - listed.length
  if (matched > 0) session.notice(`${counted(matched, 'line')} matched; --lines lists them too`)
}

/** The report with only those of its lines and unexpected items that --status names. Throws `usage`. */
export function withStatus(report: ManifestReport, wanted: string | undefined): ManifestReport {
  if (wanted === undefined) return report
  const named = wanted.split(',').map((name) => statusNamed(name.trim()))
  return {
    ...report,
    lines: report.lines.filter(({ status }) => named.includes(status)),
    unexpected: named.includes('unexpected') ? report.unexpected : [],
  }
}

/** `12 lines and 2 unexpected items` */
export function reportRowsText({ lines, unexpected }: ManifestReport): string {
  const rows = counted(lines.length, 'line')
  if (unexpected.length === 0) return rows
  return `${rows} and ${counted(unexpected.length, 'unexpected item')}`
}

function problemsFirst(rows: readonly ReportRow[]): ReportRow[] {
  return statuses.flatMap((wanted) => rows.filter(({ status }) => status === wanted))
}

function statusNamed(name: string): Status {
  const found = statuses.find((status) => status === name)
  if (found !== undefined) return found
  throw usage(
    `--status: "${name}" is not one of ${statuses.join(', ')}.`,
    didYouMean(name, statuses, undefined),
  )
}
