import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import { certKey, graderKey } from '../../domain/manifests/normalise.ts'
import type { FileKind } from './formats/file-kind.ts'

/** What a spreadsheet has probably done to a cell. `isCertain`: sending it would do harm; otherwise it is only a warning. */
export type Lint = { row: number; field: string; message: string; isCertain: boolean }

type Finding = Omit<Lint, 'row' | 'field'>

/** Digits of the certificates that begin with zeros. */
const tenDigitGraders = /^(BGS|BVG|BCCG|BECKETT)$/

const english = String.raw`N/A|REF!|VALUE!|NAME\?|DIV/0!|NUM!|NULL!|SPILL!|CALC!|FIELD!|ERROR!`
const german = 'NV|BEZUG!|WERT!|ZAHL!|ÜBERLAUF!'
const french = String.raw`VALEUR!|NOM\?|NOMBRE!|NUL!|PROPAGATION!`

/** What a formula that failed shows, and a column that is too narrow. */
const failed = new RegExp(`^#(?:${english}|${german}|${french}|##+)$`)

/** No code begins with it; a name may. */
const beginsFailed = new RegExp(`^#(?:${english}|#)`)

/** Checks cells for damage by spreadsheets, beyond what the service refuses: codes, and anything for a look-up that failed. */
export function lintRows(
  header: readonly string[],
  { columns, codes }: Pick<FileKind, 'columns' | 'codes'>,
  rows: readonly CsvRow[],
): Lint[] {
  const read = columns.known.flatMap((field) => {
    const at = header.indexOf(field)
    return at < 0 ? [] : { field, at, isCode: codes.includes(field) }
  })
  const graderAt = header.indexOf('grader')
  const found: Lint[] = []
  for (const { row, values } of rows) {
    for (const { field, at, isCode } of read) {
      const text = values[at]?.trim() ?? ''
      if (text === '') continue
      const finding = isCode
        ? (damage(text) ?? lostZeros(field, text, values[graderAt]) ?? dateOf(text))
        : errorOf(text)
      if (finding) found.push({ row, field, ...finding })
    }
  }
  return found
}

/** Whether a cell is what a spreadsheet shows instead of a value. */
export function isSpreadsheetError(text: string): boolean {
  return text.charCodeAt(0) === 35 && failed.test(text)
}

function errorOf(text: string, isError = isSpreadsheetError(text)): Finding | undefined {
  if (!isError) return undefined
  return { message: `"${text}" is an error of a spreadsheet, not a value`, isCertain: true }
}

/** What no code is or begins with. For most cells the first character decides. */
function damage(text: string): Finding | undefined {
  switch (text.charCodeAt(0)) {
    case 35: // #
      return errorOf(text, beginsFailed.test(text) || failed.test(text))
    case 39: // '
      return { message: `"${text}" begins with an apostrophe: write ${text.slice(1)}`, isCertain: true }
    case 61: {
      const value = text.replace(/^="?/, '').replace(/"$/, '')
      return { message: `"${text}" is a formula: write ${value}`, isCertain: true }
    }
    default:
      return undefined
  }
}

function lostZeros(field: string, text: string, grader: string | undefined): Finding | undefined {
  if (field === 'upc' && /^\d{11}$/.test(text)) {
    return { message: `"${text}" has 11 digits: a leading zero may be lost`, isCertain: false }
  }
  if (field !== 'cert_number' || !tenDigitGraders.test(graderKey(grader ?? ''))) return undefined
  const digits = certKey(text)
  if (!/^\d{1,9}$/.test(digits)) return undefined
  return {
    message: `"${text}" has ${digits.length} digits and ${grader} certificates have 10: leading zeros are lost, write ${digits.padStart(10, '0')}`,
    isCertain: true,
  }
}

function dateOf(text: string): Finding | undefined {
  if (text.length > 8 || !/^(\d{1,2}-[a-z]{3}|[a-z]{3}-\d{2,4})$/i.test(text)) return undefined
  if (!/jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/i.test(text)) return undefined
  return { message: `"${text}" looks like a code that a spreadsheet took for a date`, isCertain: false }
}
