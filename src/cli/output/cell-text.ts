import { visible } from '../base/terminal-text.ts'
import { localTime } from '../base/times.ts'
import { type Column, cellOf } from './columns.ts'

/** For people: times in the local zone on a terminal, otherwise in UTC. */
export type CellText = (row: unknown, column: Column) => string

export function cellText(isTerminal: boolean): CellText {
  return (row, column) => {
    if (column.shown) return visible(column.shown(row as never))
    const value = cellOf(row, column)
    if (column.kind === 'time' && isTerminal && typeof value === 'string') return visible(localTime(value))
    return visible(Array.isArray(value) ? value.map(plainText).join(', ') : plainText(value))
  }
}

export function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(plainText).join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
