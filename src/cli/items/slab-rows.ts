import type { Command } from 'commander'
import { csvRowsMax } from '../../contract/limits.ts'
import { codeFault } from '../../domain/csv/csv-cells.ts'
import { nameKey, noRows } from '../../domain/csv/csv-header.ts'
import { canonicalQid } from '../../domain/items/qid.ts'
import { CliError } from '../base/cli-error.ts'
import type { Session } from '../command.ts'
import { openSource } from '../files/csv-source.ts'
import type { FileKind } from '../files/file-kind.ts'
import { type FormatOptions, formatFlags } from '../files/format-flags.ts'
import { type Layout, likelyLayouts } from '../files/layout.ts'
import { columnNamed } from '../files/own-columns.ts'
import type { Rule } from '../files/presets.ts'
import { openTable } from '../files/table.ts'
import { cellsOf, mappedCell } from '../files/take-rows.ts'

/** `row`: numbered as in imports. `given`: the cell as in the file. */
export type SlabRow = {
  row: number
  line: number
  given: string
  qid: string | null
  grader: string | null
  cert_number: string | null
  /** By column, the partner's own value first. */
  value: ReadonlyMap<string, string>
  /** Set if a spreadsheet has damaged the code. */
  damage?: string | undefined
}

export type SlabFileOptions = Pick<FormatOptions, 'from' | 'delimiter' | 'encoding' | 'sheet'> & {
  column?: string
  valueColumn?: string
}

const names = ['qid', 'cert_number', 'grader', 'value']

/** Files may have any other columns, which are ignored. */
const slabFile: FileKind = {
  name: 'arrivals',
  columns: { known: names, required: [] },
  checker: () => () => ({ accepted: [], errors: [], rejected: [], readable: new Map() }),
  codes: names,
  marks: [],
}

/** Headings of a card's value in exports: the partner's own values before estimates. */
const valueNames = [
  'my value',
  'value',
  'declared value',
  'insured value',
  'current value',
  'market value',
  'market price',
  'estimated value',
  'estimate',
  'psa estimate',
  'price',
]

export function slabFileOptions(command: Command): Command {
  return command
    .option('--from <preset>', 'Site that exported the file (default: auto, see: custody presets ls)')
    .option('--delimiter <name>', 'Column separator: comma, semicolon, or tab (default: detected)')
    .option('--encoding <name>', 'Encoding, such as utf-8, utf-16le, windows-1252 (default: detected)')
    .option('--sheet <name>', 'Sheet of a workbook (.xlsx), by name or number (default: the first)')
}

/** Throws `invalid` if no column contains certificates, QIDs, or QR codes. */
export async function readSlabRows(
  session: Session,
  file: string,
  { column, valueColumn, ...options }: SlabFileOptions,
): Promise<SlabRow[]> {
  const source = await openSource(session.io, file)
  try {
    const flags = formatFlags(slabFile, { ...options, hidden: 'include' })
    const table = await openTable(session, source, flags)
    const [layout] = likelyLayouts(table, slabFile, flags.named)
    if (layout === undefined) throw new CliError('invalid', `${source.name} is empty.`)
    const chosen = { ...layout, preset: flags.preset ?? layout.preset }
    const isHeaderless = column === undefined && isCode(chosen)
    const read = isHeaderless
      ? ([first = '']: readonly string[]) => named(first.trim(), null, new Map())
      : rowReader(source.name, chosen, column, valueColumn)
    const isNone = isHeaderless ? () => undefined : noRows(layout.header.values)
    const rows: SlabRow[] = []
    let row = 0
    for await (const records of table.records(layout.separator))
      for (const { line, values } of records) {
        if (isHeaderless ? line < layout.header.line : line <= layout.header.line) continue
        const isEmpty = values.every((value) => value.trim() === '')
        if (isEmpty && values.length === 1) continue
        row += 1
        if (isEmpty || isNone(values) !== undefined) continue
        rows.push({ row, line, ...read(values) })
        if (rows.length > csvRowsMax)
          throw new CliError('invalid', `${source.name} has more than ${csvRowsMax} rows: split it.`)
      }
    return rows
  } finally {
    source.dispose()
  }
}

type Named = Omit<SlabRow, 'row' | 'line'>

/** A list without a header, as a scanner types it. */
function isCode({ header, preset, own }: Layout): boolean {
  const [first = '', ...others] = header.values.map((value) => value.trim())
  if (preset !== undefined || Object.keys(own.columns).length > 0 || others.some(Boolean)) return false
  return canonicalQid(first) !== null || /\d{5}/.test(first)
}

function named(text: string, grader: string | null, value: SlabRow['value']): Named {
  // Some people type an apostrophe before digits so that a spreadsheet keeps them as text.
  const code = text.replace(/^'+/, '')
  const qid = canonicalQid(code)
  const damage = codeFault(code)
  const isCert = qid === null && code !== '' && damage === undefined
  return { given: text, qid, grader, cert_number: isCert ? code : null, value, damage }
}

function rowReader(
  file: string,
  layout: Layout,
  column: string | undefined,
  valueColumn: string | undefined,
): (values: readonly string[]) => Named {
  const { header, preset, own } = layout
  const titles = header.values.filter((title) => title.trim() !== '')
  const columns: Readonly<Record<string, Rule>> = preset?.columns ?? own.columns
  const only = titles.length === 1 ? titles[0] : undefined
  const codes =
    column === undefined
      ? [columns.qid, columns.cert_number, only]
      : [columnNamed(titles, column, '--column')]
  const rules = codes.filter((rule) => rule !== undefined)
  if (rules.length === 0) {
    throw new CliError('invalid', `${file} has no column of certificates or QIDs.`, {
      hint: `Name it with --column. The columns are ${titles.join(', ')}.`,
    })
  }
  const valueTitles =
    valueColumn === undefined
      ? valueNames.flatMap((name) => titles.filter((title) => nameKey(title) === name))
      : [columnNamed(titles, valueColumn, '--value-column')]
  const cells = cellsOf(header.values, preset)
  return (values) => {
    const of = cells(values)
    const text = (rule: Rule | undefined) => (rule === undefined ? '' : mappedCell(rule, of))
    const value = new Map(valueTitles.map((title) => [title, text(title)]))
    return named(rules.map(text).find(Boolean) ?? '', text(columns.grader) || null, value)
  }
}
