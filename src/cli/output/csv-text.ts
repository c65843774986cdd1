import { stringify } from 'csv-stringify/sync'
import { plainText } from './cell-text.ts'

type CsvOptions = {
  separator?: string
  hasMark?: boolean
  header?: readonly string[]
  /** Keeps spreadsheets from running a cell as a formula. `unguarded` restores the exact text. */
  isGuarded?: boolean
}

/** Quotes only cells that need it. With a semicolon as the separator, numbers have a decimal comma. */
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

/** Beginnings that `escape_formulas` marks, and those that look marked already. */
const marked = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/
/** A spreadsheet in another language splits at another separator, and treats a quote within a cell as a letter. */
const cuts = /([,;\t\r\n])/
const mayNeedMarks = /^'|[,;\t\r\n]/

/** `escape_formulas` marks only a cell's beginning; this also marks parts that may be split off, and cells that look marked. */
function guardedWithin(value: string): string {
  if (!mayNeedMarks.test(value)) return value
  const begin = value.startsWith("'") && marked.test(value) ? "'" : ''
  return begin + afterCuts(value, (part) => (marked.test(part) ? `'${part}` : part))
}

export function unguarded(value: string): string {
  const bare = (text: string): string => (text.startsWith("'") && marked.test(text) ? text.slice(1) : text)
  return afterCuts(bare(value), bare)
}

function afterCuts(value: string, change: (part: string) => string): string {
  return value
    .split(cuts)
    .map((part, at) => (at > 0 && at % 2 === 0 ? change(part) : part))
    .join('')
}
