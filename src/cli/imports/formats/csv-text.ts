import type { CsvRow } from '../../../domain/csv/csv-reading.ts'

/** The columns of an errors file that are ours: ignored when it is imported (operators fix such files and send them). */
export const errorColumns = ['error_row', 'error_code', 'error_message'] as const

/** One record of a CSV file; a cell is quoted where it must be, and otherwise as it is. */
export function csvLine(values: readonly string[]): string {
  return `${values.map(csvCell).join(',')}\n`
}

function csvCell(value: string): string {
  return /[",\r\n]/.test(value) || value.trim() !== value ? `"${value.replaceAll('"', '""')}"` : value
}

/** What a spreadsheet would run as a formula, as csv-stringify knows it, and what looks like one with its guard. */
const formula = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

/** A cell that no spreadsheet runs. `unguarded` gives back exactly what was written. */
export function guarded(value: string): string {
  return formula.test(value) ? `'${value}` : value
}

export function unguarded(value: string): string {
  return value.startsWith("'") && formula.test(value) ? value.slice(1) : value
}

/** The rows of a file as they were before an errors file guarded them; those of other files as they are. */
export function withoutGuards<Rows extends readonly CsvRow[]>(header: readonly string[], rows: Rows): Rows {
  if (!errorColumns.some((name) => header.includes(name))) return rows
  return rows.map(({ row, values }) => ({ row, values: values.map(unguarded) })) as unknown as Rows
}
