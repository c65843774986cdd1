import { stringify } from 'csv-stringify/sync'
import { plainText } from './cell-text.ts'

type CsvOptions = {
  separator?: string
  hasMark?: boolean
  /** Written as the first record. */
  header?: readonly string[]
  /** No spreadsheet runs a cell as a formula. `unguarded` gives back exactly what was written. */
  isGuarded?: boolean
}

/** The text of records; a cell is quoted only if it must be. If the separator is a semicolon, numbers have a decimal comma. */
export function csvText(
  records: ReadonlyArray<readonly unknown[]>,
  { separator = ',', hasMark = false, header, isGuarded = false }: CsvOptions = {},
): string {
  const text = isGuarded ? guardedWithin : (value: string): string => value
  return stringify(records as unknown[][], {
    bom: hasMark,
    delimiter: separator,
    ...(header && { columns: [...header], header: true }),
    quoted_match: /^\s|\s$/,
    escape_formulas: isGuarded,
    cast: {
      string: text,
      number: (value) => (separator === ';' ? String(value).replace('.', ',') : String(value)),
      boolean: String,
      object: (value) => text(plainText(value)),
    },
  })
}

/** One record of text. */
export function csvLine(values: readonly string[]): string {
  return csvText([values])
}

/** How a cell begins that `escape_formulas` marks, and one that looks as if it were marked. */
const marked = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/
/** What some spreadsheet cuts at. One of another language cuts at another separator, and takes a quote within its cell for a letter. */
const cuts = /([,;\t\r\n])/
/** Few cells have anything of it. */
const mayNeedMarks = /^'|[,;\t\r\n]/

/** `escape_formulas` marks how a cell begins; this marks what begins wherever it may be cut, and what looks marked. */
function guardedWithin(value: string): string {
  if (!mayNeedMarks.test(value)) return value
  const begin = value.startsWith("'") && marked.test(value) ? "'" : ''
  return begin + afterCuts(value, (part) => (marked.test(part) ? `'${part}` : part))
}

export function unguarded(value: string): string {
  const bare = (text: string): string => (text.startsWith("'") && marked.test(text) ? text.slice(1) : text)
  return afterCuts(bare(value), bare)
}

/** The text with each part that follows a cut changed. */
function afterCuts(value: string, change: (part: string) => string): string {
  return value
    .split(cuts)
    .map((part, at) => (at > 0 && at % 2 === 0 ? change(part) : part))
    .join('')
}
