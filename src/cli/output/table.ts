import Table from 'cli-table3'
import type { Style } from '../base/colours.ts'
import { paintBar, paintStatus } from '../base/style.ts'
import { barColumn } from './bar.ts'
import type { CellText } from './cell-text.ts'
import { type Bar, type Column, headingOf } from './columns.ts'
import { displayWidth } from './display-width.ts'
import { fitWidths, type Width } from './fit-widths.ts'
import { shorten } from './shorten.ts'

const gap = 2
/** cli-table3 compares each row of a table with all those before it, so each block of rows is a table of its own. */
const blockRows = 100
/** Most of its time goes into each cell's options, for each cell anew: a cell holds the values of some rows, one a line. */
const cellLines = 4
/**
 * Nothing is too long for its column. But cli-table3 cuts every cell to ten characters for a debug message, letter by letter
 * if it has wide ones; a mark that is as wide as that ends it at once.
 */
const truncate = '.'.repeat(10)
const borders = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left'] as const
const sides = ['bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'] as const
const noBorders = Object.fromEntries([...borders, ...sides].map((name) => [name, '']))

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
    const heading = hasHeader ? displayWidth(headingOf(column)) : 0
    const content = rows.reduce<number>((most, row) => Math.max(most, displayWidth(text(row, column))), 0)
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
  const head = shown.map(({ column, width }) => style.bold(shorten(headingOf(column), width)))
  let lines = ''
  let block: string[][] = hasHeader ? [head] : []
  const layOut = (cells: readonly string[][], columnWidths: readonly number[]): void => {
    lines += aligned(cells, columnWidths, shown)
  }
  const usual = shown.map(({ width }) => width)
  for (const row of rows) {
    const whole = shown.map(({ column }) => text(row, column))
    const own = shown.map(({ column, width }, at) => widthOf(whole[at] ?? '', column, width))
    const cells = shown.map(({ column, width }, at) => shownCell(whole[at] ?? '', column, width, style))
    if (own.some((width, at) => width !== usual[at])) {
      layOut(block, usual)
      layOut([cells], own)
      block = []
    } else if (block.push(cells) === blockRows) {
      layOut(block, usual)
      block = []
    }
  }
  layOut(block, usual)
  return lines
}

function leastWidth(column: Column, natural: number, heading: number): number {
  if (!isCuttable(column)) return natural
  return Math.min(natural, Math.max(heading, column.kind === 'long' ? 24 : 8))
}

/** Numbers and ids are never cut, since half of one would be a different one: the line gets longer instead. */
function isCuttable({ kind }: Column): boolean {
  return kind !== 'id' && kind !== 'number' && kind !== 'time' && kind !== 'status'
}

/** A cell that may not be cut makes its own line longer. */
function widthOf(text: string, column: Column, width: number): number {
  return isCuttable(column) ? width : Math.max(width, displayWidth(text))
}

function shownCell(text: string, column: Column, width: number, style: Style): string {
  if (text === '') return ''
  return painted(isCuttable(column) ? shorten(text, width) : text, column, style)
}

function painted(text: string, column: Column, style: Style): string {
  if (column.kind === 'status') return paintStatus(style, text)
  return column.kind === 'bar' ? paintBar(style, text) : text
}

function naturalWidths(rows: readonly string[][]): number[] {
  const widthAt = (at: number): number => Math.max(...rows.map((row) => displayWidth(row[at] ?? '')))
  return (rows[0] ?? []).map((_, at) => widthAt(at))
}

/** Lines of cells that fit their columns. */
export function aligned(
  rows: readonly string[][],
  colWidths: readonly number[] = naturalWidths(rows),
  columns: ReadonlyArray<{ column: Pick<Column, 'kind'> }> = [],
): string {
  if (rows.length === 0) return ''
  const table = new Table({
    chars: { ...noBorders, middle: ' '.repeat(gap) },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: [...colWidths],
    colAligns: columns.map(({ column }) => (column.kind === 'number' ? 'right' : 'left')),
    truncate,
  })
  for (let at = 0; at < rows.length; at += cellLines) {
    const some = rows.slice(at, at + cellLines)
    table.push(colWidths.map((_, column) => some.map((cells) => cells[column]).join('\n')))
  }
  return table
    .toString()
    .split('\n')
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}
