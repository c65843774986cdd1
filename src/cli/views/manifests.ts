import type {
  Manifest,
  ManifestLine,
  ManifestReport,
  ReportLine,
  UnexpectedItem,
} from '../../contract/resources/manifest.ts'
import { lineFields } from '../base/schema-fields.ts'
import { type ColumnOf, columnsOf, fieldsOf, type Part, type View } from '../output/columns.ts'

const window: ColumnOf<Manifest> = {
  name: 'expected_arrival',
  title: 'arrives',
  // `id`, because half a window would be a different one.
  kind: 'id',
  of: ({ expected_arrival_start: from, expected_arrival_end: by }) =>
    from === null && by === null ? null : `${from ?? ''} – ${by ?? ''}`.trim(),
}

/** The day on which an open manifest closes by itself. JSON lacks it, as it has the wire's fields only. */
type Closing = { closes_on?: string | null }

const closes: ColumnOf<Manifest & Closing> = {
  name: 'closes_on',
  title: 'closes by itself',
  kind: 'id',
  of: ({ closes_on }) => closes_on ?? null,
}

/** In units, of which a line may expect several. */
export type ManifestUnits = { received: number | null; expected: number | null }

type Listed = Manifest & Closing & Partial<ManifestUnits> & { lines?: readonly ManifestLine[] }

/** Counted from the lines, if the manifest was read with them. */
function unitsOf({ lines, received = null, expected = null }: Listed): ManifestUnits {
  if (lines === undefined) return { received, expected }
  const sum = (count: (line: ManifestLine) => number) => lines.reduce((total, line) => total + count(line), 0)
  return { received: sum((line) => line.matched_qids.length), expected: sum(({ quantity }) => quantity) }
}

export const manifestList: View = {
  columns: columnsOf<Listed>(
    { name: 'reference', kind: 'id' },
    'status',
    { name: 'received', title: 'recv', kind: 'number', of: (row) => unitsOf(row).received },
    { name: 'expected', title: 'exp', kind: 'number', of: (row) => unitsOf(row).expected },
    { name: 'percent', title: '', kind: 'bar', of: percent, shown: bar },
    { ...closes, title: 'closes' },
    { name: 'line_count', title: 'lines', kind: 'number' },
    'source',
    window,
    { name: 'created_at', title: 'created' },
    { name: 'id', kind: 'id' },
  ),
}

function percent(row: Listed): number | null {
  const { received, expected } = unitsOf(row)
  return received === null || !expected ? null : Math.floor((received / expected) * 100)
}

/** One character per tenth, rounded down: the bar is full only if everything has arrived. */
function bar(row: Listed): string {
  const share = percent(row)
  if (share === null) return ''
  const tenths = Math.floor(share / 10)
  return '█'.repeat(tenths) + '░'.repeat(10 - tenths)
}

const manifestLineColumns = columnsOf<ManifestLine>(
  { name: 'external_ref', title: 'ref', kind: 'id' },
  'status',
  { name: 'quantity', title: 'qty', kind: 'number' },
  { name: 'description', kind: 'long' },
  'grader',
  { name: 'cert_number', title: 'cert', kind: 'id' },
  'sku',
  { name: 'matched_qids', title: 'matched', kind: 'id', shown: matched },
)

const manifestLines: Part = {
  name: 'lines',
  title: 'Lines',
  columns: manifestLineColumns,
  isMain: true,
  fields: () => lineFields('getManifest'),
}

const fields = columnsOf<Manifest & Closing>(
  'reference',
  'status',
  'source',
  { name: 'expected_arrival_start', title: 'arrives from' },
  { name: 'expected_arrival_end', title: 'arrives by' },
  closes,
  { name: 'line_count', title: 'lines' },
  { name: 'created_at', title: 'created' },
  'id',
)

export type FlaggedUnit = {
  qid: string
  condition_flags: readonly string[]
  line_id: string | null
  external_ref: string | null
  description: string
  /** How many other units of the line arrived without a flag. */
  others: number
}

export type Flagged = { flagged: readonly FlaggedUnit[] }

const flaggedUnits: Part = {
  name: 'flagged',
  title: 'Flagged units',
  columns: columnsOf<FlaggedUnit>(
    { name: 'qid', kind: 'id' },
    { name: 'condition_flags', title: 'flags', kind: 'id' },
    {
      name: 'others',
      title: 'rest of the line',
      of: ({ others }) => (others === 0 ? '' : `${others} as expected`),
    },
    { name: 'external_ref', title: 'ref', kind: 'id' },
    { name: 'description', kind: 'long' },
  ),
}

export const manifestRecord: View = { columns: fields, parts: [manifestLines, flaggedUnits] }

/** For a service without an operation for the lines. */
export const manifestHead: View = { columns: fields }

const reportFields = columnsOf<ManifestReport>(
  'reference',
  'status',
  { name: 'generated_at', title: 'final since' },
  { name: 'totals.expected', title: 'expected' },
  { name: 'totals.matched', title: 'matched' },
  { name: 'totals.missing', title: 'missing' },
  { name: 'totals.condition_mismatch', title: 'condition mismatch' },
  { name: 'totals.unexpected', title: 'unexpected' },
)

/** Of several manifests, the totals of each. */
export const reportList: View = {
  columns: reportFields,
  fields: () => fieldsOf<ManifestReport>('manifest_id'),
}

export const reportLines: Part = {
  name: 'lines',
  title: 'Lines',
  isMain: true,
  rows: reportRows,
  columns: columnsOf<ReportRow>(
    { name: 'external_ref', title: 'ref', kind: 'id' },
    'status',
    { name: 'quantity', title: 'exp', kind: 'number' },
    { name: 'received_quantity', title: 'recv', kind: 'number' },
    { name: 'difference', title: 'diff', kind: 'number' },
    { name: 'match_score', title: 'alike', kind: 'number', shown: alike },
    { name: 'description', kind: 'long' },
    'grader',
    { name: 'cert_number', title: 'cert', kind: 'id' },
    'sku',
    { name: 'condition_flags', title: 'flags' },
    { name: 'flagged_units', title: 'flagged' },
    { name: 'match_key', title: 'matched by' },
    { name: 'matched_qids', title: 'qids', kind: 'id', shown: matched },
  ),
  fields: () => [...lineFields('getManifestReport'), ...fieldsOf<ReportRow>('intake_at')],
}

export function reportView(part: Part): View {
  return {
    columns: reportFields,
    fields: () => fieldsOf<ManifestReport>('manifest_id'),
    parts: [part, flaggedUnits],
  }
}

/** Each unexpected item becomes a line that expected nothing; with `isSummed`, equal ones become one. */
export function reportRows(
  { lines, unexpected, flagged = [] }: ManifestReport & Partial<Flagged>,
  isSummed = false,
): ReportRow[] {
  const units = Map.groupBy(flagged, ({ line_id }) => line_id)
  const own = lines.map((line) => ({ ...line, flagged_units: (units.get(line.id) ?? []).map(unitText) }))
  const sameAs = ({ qid, name, sku, cert_number, condition_flags }: UnexpectedItem): string =>
    isSummed ? JSON.stringify([name, sku, cert_number, condition_flags]) : qid
  return [...own, ...[...Map.groupBy(unexpected, sameAs).values()].map(unexpectedRow)]
}

export type ReportRow = (ReportLine & { flagged_units: string[] }) | ReturnType<typeof unexpectedRow>

function unitText({ qid, condition_flags }: Pick<FlaggedUnit, 'qid' | 'condition_flags'>): string {
  return `${qid}: ${condition_flags.join('+')}`
}

function unexpectedRow(items: readonly UnexpectedItem[]) {
  const { qid: _, name, ...item } = items[0] as UnexpectedItem
  return {
    ...item,
    external_ref: null,
    status: 'unexpected' as const,
    quantity: 0,
    received_quantity: items.length,
    difference: items.length,
    description: name,
    grader: null,
    match_key: null,
    match_score: null,
    matched_qids: items.map(({ qid }) => qid),
    flagged_units: item.condition_flags.length > 0 ? items.map(unitText) : [],
  }
}

/** Empty unless the line matched by similar, not equal, words. */
function alike({ match_score: score }: { match_score: number | null }): string {
  return (score ?? 1) === 1 ? '' : String(score)
}

function matched({ matched_qids: [first, ...others] }: { matched_qids: readonly string[] }): string {
  if (first === undefined) return ''
  return others.length === 0 ? first : `${others.length + 1} items`
}
