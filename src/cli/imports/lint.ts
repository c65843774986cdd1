import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import { certKey, graderKey } from '../../domain/manifests/normalise.ts'

/** What a spreadsheet has probably done to a cell. `isCertain`: sending it would do harm; otherwise it is only a warning. */
export type Lint = { row: number; field: string; message: string; isCertain: boolean }

type Finding = Omit<Lint, 'row' | 'field'>

/** Digits of the certificates that begin with zeros. */
const tenDigitGraders = /^(BGS|BVG|BCCG|BECKETT)$/

/** Checks cells with codes for damage by spreadsheets, beyond what the service refuses. */
export function lintRows(
  header: readonly string[],
  codes: readonly string[],
  rows: readonly CsvRow[],
): Lint[] {
  const columns = codes.map((field) => ({ field, at: header.indexOf(field) })).filter(({ at }) => at >= 0)
  const graderAt = header.indexOf('grader')
  const found: Lint[] = []
  for (const { row, values } of rows) {
    for (const { field, at } of columns) {
      const text = values[at]?.trim() ?? ''
      if (text === '') continue
      const finding = damage(text) ?? lostZeros(field, text, values[graderAt]) ?? dateOf(text)
      if (finding) found.push({ row, field, ...finding })
    }
  }
  return found
}

/** What no code is or begins with. For most cells the first character decides. */
function damage(text: string): Finding | undefined {
  switch (text.charCodeAt(0)) {
    case 35: // #
      if (!/^#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|#+)/.test(text)) return undefined
      return { message: `"${text}" is an error of a spreadsheet, not a value`, isCertain: true }
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
