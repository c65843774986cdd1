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

/** What some spreadsheet cuts at. One of another language cuts at another separator, and takes a quote within its cell for a letter. */
const cuts = /([,;\t\r\n])/
/** What a spreadsheet would run as a formula, and what looks like one with its guard. */
const formula = /^'*[=+\-@\uff1d\uff0b\uff0d\uff20]/

/** A cell that no spreadsheet runs, wherever it cuts it. `unguarded` gives back exactly what was written. */
export function guarded(value: string): string {
  const guard = (part: string): string => (formula.test(part) ? `'${part}` : part)
  return value.split(cuts).map(guard).join('')
}

export function unguarded(value: string): string {
  const bare = (part: string): string => (part.startsWith("'") && formula.test(part) ? part.slice(1) : part)
  return value.split(cuts).map(bare).join('')
}

/** If the separator is a semicolon, numbers have a decimal comma. */
export function csvNumber(value: number, { separator }: CsvForm): string {
  return separator === ';' ? String(value).replace('.', ',') : String(value)
}
