import stringWidth from 'string-width'
import type { Style } from '../base/colours.ts'
import { paintBar, paintStatus } from '../base/style.ts'
import { barColumn } from './bar.ts'
import type { CellText } from './cell-text.ts'
import { type Bar, type Column, headingOf } from './columns.ts'
import { fitWidths, type Width } from './fit-widths.ts'
import { shorten } from './shorten.ts'

const gap = 2

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

/** The names of columns that have values but no room. */
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
  const heading = shown.map(({ column, width }) =>
    padded(shorten(headingOf(column), width), width, column, style.bold),
  )
  const lines = rows.map((row) =>
    shown.map(({ column, width }) => {
      const whole = text(row, column)
      const cell = isCuttable(column) ? shorten(whole, width) : whole
      return padded(cell, width, column, (content) => painted(content, column, style))
    }),
  )
  return [...(hasHeader ? [heading] : []), ...lines]
    .map((cells) => `${cells.join(' '.repeat(gap)).trimEnd()}\n`)
    .join('')
}

function leastWidth(column: Column, natural: number, heading: number): number {
  if (!isCuttable(column)) return natural
  return Math.min(natural, Math.max(heading, column.kind === 'long' ? 24 : 8))
}

/** Numbers and ids are never cut, since half of one would be a different one: the line gets longer instead. */
function isCuttable({ kind }: Column): boolean {
  return kind !== 'id' && kind !== 'number' && kind !== 'time' && kind !== 'status'
}

function padded(text: string, width: number, { kind }: Column, paint: (text: string) => string): string {
  const blanks = ' '.repeat(Math.max(0, width - stringWidth(text)))
  const content = text === '' ? '' : paint(text)
  return kind === 'number' ? blanks + content : content + blanks
}

function painted(text: string, column: Column, style: Style): string {
  if (column.kind === 'status') return paintStatus(style, text)
  return column.kind === 'bar' ? paintBar(style, text) : text
}
