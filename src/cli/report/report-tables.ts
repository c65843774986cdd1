import type { ReportLine, UnexpectedItem } from '../../contract/resources/manifest.ts'
import type { FlaggedUnit } from '../views/manifests.ts'
import { type Html, html, nothing } from './html.ts'

/** `share`: of the table's width, in percent, so that tables align with each other. */
export type TableColumn<Row> = { title: string; share: number; isNumber?: true; cell: (row: Row) => Html }

/** Items named per line; more are only counted. */
const qidsShown = 6

export type MarkedLine = ReportLine & { flagged: readonly FlaggedUnit[] }

const lineColumns: ReadonlyArray<TableColumn<ReportLine>> = [
  { title: 'Ref', share: 10.5, cell: ({ external_ref }) => code(external_ref) },
  { title: 'Description', share: 20.5, cell: ({ description }) => html`${description}` },
  { title: 'Cert / SKU', share: 15, cell: identity },
  { title: 'Expected', share: 8.5, isNumber: true, cell: ({ quantity }) => html`${countText(quantity)}` },
  {
    title: 'Received',
    share: 8.5,
    isNumber: true,
    cell: (line) => html`${countText(line.received_quantity)}`,
  },
  { title: 'Diff.', share: 9.5, isNumber: true, cell: ({ difference }) => differenceText(difference) },
]
const flagColumn: TableColumn<MarkedLine> = { title: 'Flags', share: 14, cell: flaggedUnits }
const itemColumn: TableColumn<ReportLine> = {
  title: 'Items (QID)',
  share: 13.5,
  cell: (line) => html`${qids(line.matched_qids)}${howMatched(line)}`,
}

const unexpectedColumns: ReadonlyArray<TableColumn<UnexpectedItem>> = [
  { title: 'Item (QID)', share: 16, cell: ({ qid }) => code(qid) },
  { title: 'Name', share: 37, cell: ({ name }) => html`${name}` },
  {
    title: 'Cert / SKU',
    share: 19,
    cell: ({ cert_number, sku }) => html`<div>${code(cert_number)}</div><div>${code(sku)}</div>`,
  },
  { title: 'Flags', share: 14, cell: ({ condition_flags }) => flagTexts(condition_flags) },
  { title: 'Intake (UTC)', share: 14, cell: ({ intake_at }) => html`${utcText(intake_at)}` },
]

export function lineTable(lines: readonly MarkedLine[]): Html {
  const hasFlags = lines.some(({ condition_flags }) => condition_flags.length > 0)
  const last = hasFlags
    ? [flagColumn, itemColumn]
    : [{ ...itemColumn, share: flagColumn.share + itemColumn.share }]
  return table([...lineColumns, ...last], lines)
}

export function unexpectedTable(items: readonly UnexpectedItem[]): Html {
  return table(unexpectedColumns, items)
}

export function table<Row>(columns: ReadonlyArray<TableColumn<Row>>, rows: readonly Row[]): Html {
  const numeric = ({ isNumber }: TableColumn<Row>): string => (isNumber ? 'number' : 'text')
  return html`<table>
<colgroup>${columns.map(({ share }) => html`<col style="width:${share}%"/>`)}</colgroup>
<thead><tr>${columns.map((column) => html`<th class="${numeric(column)}" scope="col">${column.title}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${columns.map((column) => html`<td class="${numeric(column)}" data-label="${column.title}">${column.cell(row)}</td>`)}</tr>\n`)}</tbody>
</table>`
}

export function textColumn<Row>(title: string, share: number, of: (row: Row) => string): TableColumn<Row> {
  return { title, share, cell: (row) => html`${of(row)}` }
}

export function numberColumn<Row>(
  title: string,
  share: number,
  of: (row: Row) => number | null,
): TableColumn<Row> {
  const cell = (row: Row): Html => html`${countText(of(row) ?? 0)}`
  return { title, share, isNumber: true, cell }
}

function identity({ grader, cert_number, sku }: ReportLine): Html {
  const cert = cert_number === null ? nothing : html`<div>${grader ?? ''} ${code(cert_number)}</div>`
  return sku === null ? cert : html`${cert}<div>${code(sku)}</div>`
}

function qids(all: readonly string[]): Html {
  const more = all.length - qidsShown
  const named = all.slice(0, qidsShown).map((qid) => html`<span class="code qid">${qid}</span> `)
  return html`${named}${more > 0 ? html`<div class="sub">and ${countText(more)} more</div>` : nothing}`
}

/** Shown only for a match by description, because a certificate or a SKU is not a guess. */
function howMatched({ match_key, match_score }: ReportLine): Html {
  if (match_key !== 'description') return nothing
  const score = match_score === null ? '' : `, ${Math.round(match_score * 100)}% alike`
  return html`<div class="sub">by description${score}</div>`
}

function flaggedUnits({ flagged, condition_flags, received_quantity }: MarkedLine): Html {
  if (flagged.length === 0 || received_quantity === 1) return flagTexts(condition_flags)
  const rest = received_quantity - flagged.length
  const units = flagged.map(
    (unit) => html`<div><span class="code qid">${unit.qid}</span> ${flagTexts(unit.condition_flags)}</div>`,
  )
  return html`${units}${rest > 0 ? html`<div class="sub">the other ${countText(rest)} as expected</div>` : nothing}`
}

function flagTexts(flags: readonly string[]): Html {
  return html`${flags.map((flag) => html`<span class="flag">${flag.replaceAll('_', ' ')}</span> `)}`
}

function differenceText(difference: number): Html {
  if (difference === 0) return html`<span class="even">0</span>`
  const text = `${difference < 0 ? '−' : '+'}${countText(Math.abs(difference))}`
  return html`<strong class="uneven">${text}</strong>`
}

export function code(text: string | null): Html {
  return text === null ? nothing : html`<span class="code">${text}</span>`
}

/** `2026-05-01 11:00`, in UTC, because a mailed page is read in other time zones. */
export function utcText(time: string): string {
  return time.slice(0, 16).replace('T', ' ')
}

export function round(value: number): number {
  return Math.round(value * 10) / 10
}

export function countText(count: number): string {
  return count.toLocaleString('en-US')
}
