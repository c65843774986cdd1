import { type Command, Option } from 'commander'
import type { Client } from '../../client/client.ts'
import { lineStatuses } from '../../contract/enums.ts'
import type { IntakeEvent } from '../../contract/resources/item.ts'
import type {
  ManifestLine,
  ManifestReport,
  ManifestWithLines,
  UnexpectedItem,
} from '../../contract/resources/manifest.ts'
import { namesAmong } from '../base/cli-error.ts'
import { counted } from '../base/counted.ts'
import type { Session } from '../command.ts'
import { type PageQuery, walkPages } from '../connection/paging.ts'
import {
  type Flagged,
  type FlaggedUnit,
  type ReportRow,
  reportLines,
  reportRows,
  reportView,
} from '../views/manifests.ts'

type Status = ReportRow['status']
export type ReportOptions = { lines?: boolean; status?: ReadonlySet<Status>; summaryColumns?: string }

const mostUrgentFirst: readonly Status[] = [
  'missing',
  'condition_mismatch',
  'unexpected',
  'expected',
  'matched',
]

export function reportable(command: Command): Command {
  return summarised(command)
    .option('--lines', 'Show every line in a terminal, including matched ones')
    .addOption(
      new Option('--status <statuses>', 'Only lines with this status')
        .choices([...lineStatuses, 'unexpected'])
        .argParser(statusesNamed),
    )
}

/** For commands that show a record with its lines, to which --columns applies. */
export function summarised(command: Command): Command {
  return command.option('--summary-columns <names>', 'Only these fields above the lines')
}

/** A terminal gets totals, problems and the number of matched lines. For plain rows, stderr says which are unexpected items. */
export async function printReport(
  session: Session,
  whole: ManifestReport,
  options: ReportOptions,
): Promise<void> {
  const { format, isJson, one } = await session.printer(reportView(reportLines))
  const { client } = await session.target()
  const report = withStatus(isJson ? whole : await withFlaggedUnits(client, whole), options.status)
  if (format !== 'table') {
    await one(report)
    const isRows = format === 'csv' && options.summaryColumns === undefined
    if (isRows && report.unexpected.length > 0) session.notice(`${reportRowsText(report)}, in this order`)
    return
  }
  const isWhole = options.lines === true || options.status !== undefined
  const all = reportRows(report, !isWhole)
  const rows = mostUrgentFirst.flatMap((wanted) => all.filter(({ status }) => status === wanted))
  const listed = isWhole ? rows : rows.filter(({ status }) => status !== 'matched')
  const title = isWhole ? 'Lines' : 'Not as expected'
  const printer = await session.printer(reportView({ ...reportLines, title, rows: () => listed }))
  await printer.one(report)
  const matched = rows.length - listed.length
  if (matched === 0) return
  const alike = rows.filter(
    ({ status, match_score }) => status === 'matched' && (match_score ?? 1) < 1,
  ).length
  const guessed = alike > 0 ? `, ${alike} of them by a description that is not quite the same` : ''
  session.notice(`${counted(matched, 'line')} matched${guessed}; --lines lists them too`)
}

export function withStatus<T extends ManifestReport>(report: T, named: ReportOptions['status']): T {
  if (named === undefined) return report
  return {
    ...report,
    lines: report.lines.filter(({ status }) => named.has(status)),
    unexpected: named.has('unexpected') ? report.unexpected : [],
  }
}

export function reportRowsText({ lines, unexpected }: ManifestReport): string {
  const rows = counted(lines.length, 'line')
  if (unexpected.length === 0) return rows
  return `${rows} and ${counted(unexpected.length, 'unexpected item')}`
}

/** Parsed with the command line, so that a wrong status fails before anything is done. */
function statusesNamed(text: string): ReadonlySet<Status> {
  return new Set(namesAmong('--status', text, mostUrgentFirst))
}

/** A line says only that a unit is flagged; this names the unit. Unexpected items may be flagged too. */
export async function withFlaggedUnits<T extends ManifestReport | ManifestWithLines>(
  client: Client,
  manifest: T,
): Promise<T & Flagged> {
  const lines: readonly ManifestLine[] = manifest.lines
  const isFlagged = ({ status }: ManifestLine): boolean => status === 'condition_mismatch'
  const unexpected = 'unexpected' in manifest ? flaggedItems(manifest.unexpected) : []
  if (!lines.some(isFlagged)) return { ...manifest, flagged: unexpected }
  const manifest_id = 'id' in manifest ? manifest.id : manifest.manifest_id
  const arrivals = await flaggedArrivals(client, manifest_id)
  const flagged = lines.filter(isFlagged).flatMap(({ id, external_ref, description, matched_qids }) => {
    const own = matched_qids.filter((qid) => arrivals.has(qid))
    return own.map((qid) => ({
      qid,
      condition_flags: arrivals.get(qid) ?? [],
      line_id: id,
      external_ref,
      description,
      others: matched_qids.length - own.length,
    }))
  })
  return { ...manifest, flagged: [...flagged, ...unexpected] }
}

function flaggedItems(unexpected: readonly UnexpectedItem[]): FlaggedUnit[] {
  return unexpected
    .filter(({ condition_flags }) => condition_flags.length > 0)
    .map(({ qid, condition_flags, name }) => ({
      qid,
      condition_flags,
      description: name,
      line_id: null,
      external_ref: null,
      others: 0,
    }))
}

async function flaggedArrivals(client: Client, manifest_id: string): Promise<Map<string, readonly string[]>> {
  const flags = new Map<string, readonly string[]>()
  const fetch = (query: PageQuery) => client.listIntakes({ query: { manifest_id, ...query } })
  const keyOf = ({ qid, intake_at }: IntakeEvent): string => `${qid} ${intake_at}`
  // Newest first: for an item that came twice, the first arrival counts, as in the report.
  for await (const { results } of walkPages({ fetch, keyOf }))
    for (const { qid, condition_flags } of results) {
      if (condition_flags.length > 0) flags.set(qid, condition_flags)
      else flags.delete(qid)
    }
  return flags
}
