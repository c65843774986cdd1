import Table from 'cli-table3'
import { paintBar, paintStatus, type Style } from '../base/style.ts'
import type { CellText } from './cell-text.ts'
import { type Bar, type BarParts, type Column, headingOf } from './columns.ts'
import { displayWidth, shorten } from './shorten.ts'

const gap = 2
/** cli-table3 compares each row with all before it, so each block of rows is a table of its own. */
const blockRows = 100
/** cli-table3 spends most time on each cell's options, so one cell holds the values of several rows, one per line. */
const cellLines = 4
/** Never shown. cli-table3 cuts each cell to ten characters for a debug message; a mark as wide as that ends its loop at once. */
const truncate = '.'.repeat(10)
const borders = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left'] as const
const sides = ['bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'] as const
const noBorders = Object.fromEntries([...borders, ...sides].map((name) => [name, '']))

/** Set by the first rows and kept for the rest; hidden columns are 0 wide. */
export type TableLayout = { columns: readonly Column[]; widths: readonly number[] }

/** Counts CJK and emoji as terminals show them; bars get the remaining space. */
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

export function hiddenColumns(
  { columns, widths }: TableLayout,
  rows: readonly unknown[],
  text: CellText,
): string[] {
  return columns
    .filter((column, index) => widths[index] === 0 && rows.some((row) => text(row, column) !== ''))
    .map(({ name }) => name)
}

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
    lines += aligned(cells, { widths: columnWidths, kinds })
  }
  const usual = shown.map(({ width }) => width)
  const kinds = shown.map(({ column }) => column.kind)
  for (const row of rows) {
    const whole = shown.map(({ column }) => text(row, column))
    const own = shown.map(({ column, width }, at) =>
      isCuttable(column) ? width : Math.max(width, displayWidth(whole[at] ?? '')),
    )
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

/** Half a number or id would be a different one, so the line becomes longer instead. */
function isCuttable({ kind }: Column): boolean {
  return kind !== 'id' && kind !== 'number' && kind !== 'time' && kind !== 'status'
}

function shownCell(whole: string, column: Column, width: number, style: Style): string {
  const text = isCuttable(column) ? shorten(whole, width) : whole
  if (column.kind === 'status') return paintStatus(style, text)
  return column.kind === 'bar' ? paintBar(style, text) : text
}

type Layout = {
  widths?: readonly (number | undefined)[]
  kinds?: readonly Column['kind'][]
  indent?: string
}

/** Each cell is one line of harmless text. */
export function aligned(
  rows: readonly (readonly string[])[],
  { widths = [], kinds = [], indent = '' }: Layout = {},
): string {
  const [first] = rows
  if (first === undefined) return ''
  const table = new Table({
    chars: { ...noBorders, left: indent, middle: ' '.repeat(gap) },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: [...widths] as number[],
    colAligns: kinds.map((kind) => (kind === 'number' ? 'right' : 'left')),
    truncate,
  })
  for (let at = 0; at < rows.length; at += cellLines) {
    const some = rows.slice(at, at + cellLines)
    table.push(first.map((_, column) => some.map((cells) => cells[column]).join('\n')))
  }
  return table
    .toString()
    .split('\n')
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}

const most = 32
const least = 10

/** The longest of the rows fills the column. Undefined if there is too little space, or nothing to show. */
export function barColumn(
  bar: Bar,
  rows: readonly unknown[],
  lineWidth: number,
  tableWidth: number,
): { column: Column; width: number } | undefined {
  const width = Math.min(most, lineWidth - tableWidth)
  const longest = Math.max(...rows.map((row) => unitsOf(bar, row)))
  if (width < least || longest <= 0) return undefined
  const shown = (row: never): string => barText(bar, row, width / longest)
  return { column: { name: 'bar', title: bar.title, kind: 'bar', shown } as Column, width }
}

/** Rounds to whole characters; anything above zero gets at least one. */
function barText(bar: Bar, row: unknown, scale: number): string {
  const total = unitsOf(bar, row)
  if (total <= 0) return ''
  const length = Math.max(1, Math.round(total * scale))
  let passed = 0
  let text = ''
  for (const { sign, units } of partsOf(bar, row)) {
    passed += units
    const end = Math.round((passed / total) * length)
    text += sign.repeat(Math.max(units > 0 && text.length < length ? 1 : 0, end - text.length))
  }
  return text
}

function unitsOf(bar: Bar, row: unknown): number {
  return partsOf(bar, row).reduce((sum, { units }) => sum + units, 0)
}

function partsOf(bar: Bar, row: unknown): BarParts {
  return bar.parts(row as never)
}

/** `natural`: the content's width. `least`: the minimum width. `isEmpty`: no row has a value. */
type Width = { natural: number; least: number; isEmpty?: boolean }

/** If too narrow: drops empty columns (width 0), then shrinks the widest, then drops columns from the right. */
export function fitWidths(columns: readonly Width[], lineWidth: number, gap: number): number[] {
  const natural = columns.reduce((sum, { natural }) => sum + natural + gap, -gap)
  const isKept = columns.map(({ isEmpty }) => natural <= lineWidth || !isEmpty)
  const widths = fittedFrom(
    columns.filter((_, index) => isKept[index]),
    lineWidth,
    gap,
  )
  let next = 0
  return isKept.map((kept) => (kept ? (widths[next++] ?? 0) : 0))
}

function fittedFrom(columns: readonly Width[], lineWidth: number, gap: number): number[] {
  for (let shown = columns.length; shown > 1; shown--) {
    const widths = fitted(columns.slice(0, shown), lineWidth - gap * (shown - 1))
    if (widths !== undefined) return [...widths, ...columns.slice(shown).map(() => 0)]
  }
  return columns.map(({ least, natural }, index) =>
    index === 0 ? Math.max(least, Math.min(natural, lineWidth)) : 0,
  )
}

function fitted(columns: readonly Width[], room: number): number[] | undefined {
  const widths = columns.map(({ natural }) => natural)
  let over = widths.reduce((sum, width) => sum + width, 0) - room
  for (; over > 0; over--) {
    const widest = widestShrinkable(widths, columns)
    if (widest === undefined) return undefined
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function widestShrinkable(widths: readonly number[], columns: readonly Width[]): number | undefined {
  let widest: number | undefined
  for (const [index, width] of widths.entries()) {
    if (width <= (columns[index]?.least ?? 0)) continue
    if (widest === undefined || width > (widths[widest] ?? 0)) widest = index
  }
  return widest
}
