import { localTime } from '../base/times.ts'
import { type Column, cellOf } from './columns.ts'

/** How a cell is shown to people; times in their own zone where it is a terminal, in UTC elsewhere. */
export type CellText = (row: unknown, column: Column) => string

export function cellText(isTerminal: boolean): CellText {
  return (row, column) => shownText(row, column, isTerminal)
}

function shownText(row: unknown, column: Column, isLocal: boolean): string {
  if (column.shown) return visible(column.shown(row as never))
  const value = cellOf(row, column)
  if (column.kind === 'time' && isLocal && typeof value === 'string') return localTime(value)
  return visible(Array.isArray(value) ? value.map(plainText).join(', ') : plainText(value))
}

/** The text of a value for programs: as the wire has it. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(plainText).join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

// Partner data must not move the cursor, change colours or turn the direction of a line.
const unprintable = /[\p{Cc}\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]+/gu

/** On one line and without anything that a terminal would obey; composed, so that its width can be told. */
export function visible(text: string): string {
  return text.normalize('NFC').replace(unprintable, ' ')
}
