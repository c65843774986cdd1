import { visible } from '../base/terminal-text.ts'
import { localTime } from '../base/times.ts'
import { type Column, cellOf } from './columns.ts'

/** How a cell is shown to people; times are in their own zone on a terminal, in UTC elsewhere. */
export type CellText = (row: unknown, column: Column) => string

export function cellText(isTerminal: boolean): CellText {
  return (row, column) => shownText(row, column, isTerminal)
}

function shownText(row: unknown, column: Column, isLocal: boolean): string {
  if (column.shown) return visible(column.shown(row as never))
  const value = cellOf(row, column)
  if (column.kind === 'time' && isLocal && typeof value === 'string') return visible(localTime(value))
  return visible(Array.isArray(value) ? value.map(plainText).join(', ') : plainText(value))
}

/** The text of a value for programs: as the wire has it. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(plainText).join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
