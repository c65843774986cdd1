import Table from 'cli-table3'
import stringWidth from 'string-width'
import type { Style } from '../base/colours.ts'
import { paintBar, paintStatus } from '../base/style.ts'
import { barColumn } from './bar.ts'
import type { CellText } from './cell-text.ts'
import { type Bar, type Column, headingOf } from './columns.ts'
import { fitWidths, type Width } from './fit-widths.ts'
import { shorten } from './shorten.ts'

const gap = 2
const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(gap),
}

/** The columns of a table and their widths: set by its first rows, kept for the rest; hidden columns are 0 wide. */
export type TableLayout = { columns: readonly Column[]; widths: readonly number[] }

/** Widths that fit `lineWidth` characters, CJK and emoji counted as terminals show them; bars get what is left. */
export function tableLayout(
  columns: readonly Column[],
  bar: Bar | undefined,
  rows: readonly unknown[],
  text: CellText,
  lineWidth: number,
  hasHeader: boolean,
): TableLayout {
  const wanted = columns.map((column): Width => {
    const heading = hasHeader ? stringWidth(headingOf(column)) : 0
    const content = rows.reduce<number>((most, row) => Math.max(most, stringWidth(text(row, column))), 0)
    const natural = Math.max(heading, content)
    return { natural, least: leastWidth(column, natural, heading), isEmpty: content === 0 }
  })
  const widths = fitWidths(wanted, lineWidth, gap)
  const tableWidth = widths.reduce((sum, width) => sum + (width > 0 ? width + gap : 0), 0)
  const bars = bar && barColumn(bar, rows, lineWidth, tableWidth)
  if (bars === undefined) return { columns, widths }
  return { columns: [...columns, bars.column], widths: [...widths, bars.width] }
}

/** The names of columns that have something to show and no room. */
export function hiddenColumns(
  { columns, widths }: TableLayout,
  rows: readonly unknown[],
  text: CellText,
): string[] {
  return columns
    .filter((column, index) => widths[index] === 0 && rows.some((row) => text(row, column) !== ''))
    .map(({ name }) => name)
}

/** The lines of the rows, with a heading where one is asked for. */
export function tableText(
  { columns, widths }: TableLayout,
  rows: readonly unknown[],
  text: CellText,
  style: Style,
  hasHeader: boolean,
): string {
  const shown = columns
    .map((column, index) => ({ column, width: widths[index] ?? 0 }))
    .filter(({ width }) => width > 0)
  const table = new Table({
    chars: noBorders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    colWidths: shown.map(({ width }) => width),
    colAligns: shown.map(({ column }) => (column.kind === 'number' ? 'right' : 'left')),
  })
  if (hasHeader) table.push(shown.map(({ column, width }) => style.bold(shorten(headingOf(column), width))))
  for (const row of rows) {
    table.push(shown.map(({ column, width }) => painted(shorten(text(row, column), width), column, style)))
  }
  return table.length === 0 ? '' : `${withoutTrail(table.toString())}\n`
}

function leastWidth(column: Column, natural: number, heading: number): number {
  switch (column.kind) {
    case 'id':
    case 'number':
    case 'time':
    case 'status':
      return natural
    case 'long':
      return Math.min(natural, Math.max(heading, 24))
    default:
      return Math.min(natural, Math.max(heading, 8))
  }
}

function painted(text: string, column: Column, style: Style): string {
  if (column.kind === 'status') return paintStatus(style, text)
  return column.kind === 'bar' ? paintBar(style, text) : text
}

function withoutTrail(text: string): string {
  return text
    .split('\n')
    .map((line) => /^.*[^ \t]/s.exec(line)?.[0] ?? '')
    .join('\n')
}
