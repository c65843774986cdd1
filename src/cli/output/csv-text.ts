/** The form of a CSV file. Excel recognises UTF-8 by the byte-order mark, and splits at its own separator. */
export type CsvForm = { separator: ',' | ';'; hasMark: boolean }

export const plainCsv: CsvForm = { separator: ',', hasMark: false }

export const byteOrderMark = '\ufeff'

/** One record of a CSV file; a cell is quoted only if it must be. */
export function csvLine(values: readonly string[], separator = ','): string {
  return `${values.map((value) => csvCell(value, separator)).join(separator)}\n`
}

function csvCell(value: string, separator: string): string {
  const isQuoted = /["\r\n]/.test(value) || value.includes(separator) || value.trim() !== value
  return isQuoted ? `"${value.replaceAll('"', '""')}"` : value
}

/**
 * Where a spreadsheet would run a formula, and where what looks like one has its guard: at the beginning, and behind whatever some
 * spreadsheet cuts at. One of another language cuts at another separator, and takes a quote within its cell for a letter.
 */
const [begins, formula] = [/(?<=^|[,;\t\r\n])/, /(?='*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/]
const [toGuard, guard] = ['', "'"].map((mark) => new RegExp(begins.source + mark + formula.source, 'g')) as [
  RegExp,
  RegExp,
]

/** A cell that no spreadsheet runs. `unguarded` gives back exactly what was written. */
export function guarded(value: string): string {
  return value.replace(toGuard, "'")
}

export function unguarded(value: string): string {
  return value.replace(guard, '')
}

/** If the separator is a semicolon, numbers have a decimal comma. */
export function csvNumber(value: number, { separator }: CsvForm): string {
  return separator === ';' ? String(value).replace('.', ',') : String(value)
}
