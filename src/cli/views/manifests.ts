import type {
  Manifest,
  ManifestLine,
  ManifestReport,
  ReportLine,
  UnexpectedItem,
} from '../../contract/resources/manifest.ts'
import { lineFields } from '../base/schema-fields.ts'
import { type ColumnOf, columnsOf, type Part, type View } from '../output/columns.ts'

const window: ColumnOf<Manifest> = {
  name: 'expected_arrival',
  title: 'arrives',
  // Never cut: half a window would be another one.
  kind: 'id',
  of: ({ expected_arrival_start: from, expected_arrival_end: by }) =>
    from === null && by === null ? null : `${from ?? ''} – ${by ?? ''}`.trim(),
}

export const manifestList: View = {
  columns: columnsOf<Manifest>(
    { name: 'reference', kind: 'id' },
    { name: 'status', kind: 'status' },
    { name: 'line_count', title: 'lines', kind: 'number' },
    { name: 'source' },
    window,
    { name: 'created_at', title: 'created', kind: 'time' },
    { name: 'id', kind: 'id' },
  ),
}

const manifestLineColumns = columnsOf<ManifestLine>(
  { name: 'external_ref', title: 'ref', kind: 'id' },
  { name: 'status', kind: 'status' },
  { name: 'quantity', title: 'qty', kind: 'number' },
  { name: 'description', kind: 'long' },
  { name: 'grader' },
  { name: 'cert_number', title: 'cert', kind: 'id' },
  { name: 'sku' },
  { name: 'matched_qids', title: 'matched', kind: 'id', shown: matched },
)

const manifestLines: Part = {
  name: 'lines',
  title: 'Lines',
  columns: manifestLineColumns,
  isMain: true,
  fields: () => lineFields('getManifest'),
}

const fields = columnsOf<Manifest>(
  { name: 'reference' },
  { name: 'status', kind: 'status' },
  { name: 'source' },
  { name: 'expected_arrival_start', title: 'arrives from' },
  { name: 'expected_arrival_end', title: 'arrives by' },
  { name: 'line_count', title: 'lines' },
  { name: 'created_at', title: 'created', kind: 'time' },
  { name: 'id' },
)

export const manifestRecord: View = { columns: fields, parts: [manifestLines] }

/** The same without the lines, for a service that has no operation for them. */
export const manifestHead: View = { columns: fields }

const reportFields = columnsOf<ManifestReport>(
  { name: 'reference' },
  { name: 'status', kind: 'status' },
  { name: 'generated_at', title: 'final since', kind: 'time' },
  { name: 'totals.expected', title: 'expected' },
  { name: 'totals.matched', title: 'matched' },
  { name: 'totals.missing', title: 'missing' },
  { name: 'totals.condition_mismatch', title: 'condition mismatch' },
  { name: 'totals.unexpected', title: 'unexpected' },
  { name: 'manifest_id' },
)

/** The rows of a report, as on a screen so in a file. */
export const reportLines: Part = {
  name: 'lines',
  title: 'Lines',
  isMain: true,
  rows: reportRows,
  columns: columnsOf<ReportRow>(
    { name: 'external_ref', title: 'ref', kind: 'id' },
    { name: 'status', kind: 'status' },
    { name: 'quantity', title: 'exp', kind: 'number' },
    { name: 'received_quantity', title: 'recv', kind: 'number' },
    { name: 'difference', title: 'diff', kind: 'number' },
    { name: 'description', kind: 'long' },
    { name: 'grader' },
    { name: 'cert_number', title: 'cert', kind: 'id' },
    { name: 'sku' },
    { name: 'condition_flags', title: 'flags' },
    { name: 'match_key', title: 'matched by' },
    { name: 'match_score', title: 'alike', kind: 'number', shown: alike },
    { name: 'matched_qids', title: 'qids', kind: 'id', shown: matched },
  ),
  fields: () => [...lineFields('getManifestReport'), 'intake_at'],
}

/** A report with these lines below its totals. */
export function reportView(part: Part): View {
  return { columns: reportFields, parts: [part] }
}

/** A report as one table: its lines, then each unexpected item as a line that expected nothing. */
export function reportRows({ lines, unexpected }: ManifestReport): ReportRow[] {
  return [...lines, ...unexpected.map(unexpectedRow)]
}

export type ReportRow = ReportLine | ReturnType<typeof unexpectedRow>

function unexpectedRow({ qid, name, ...item }: UnexpectedItem) {
  return {
    ...item,
    external_ref: null,
    status: 'unexpected' as const,
    quantity: 0,
    received_quantity: 1,
    difference: 1,
    description: name,
    grader: null,
    match_key: null,
    match_score: null,
    matched_qids: [qid],
  }
}

/** Only if the line was found by words that are not all the same. */
function alike({ match_score: score }: { match_score: number | null }): string {
  return score === null || score === 1 ? '' : String(score)
}

/** The one item that matched, or how many. */
function matched({ matched_qids: [first, ...others] }: { matched_qids: readonly string[] }): string {
  if (first === undefined) return ''
  return others.length === 0 ? first : `${others.length + 1} items`
}
