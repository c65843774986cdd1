import { readNumber, readWholeNumber } from '../number-text.ts'
import { quoted } from './csv-header.ts'
import { addFault, type RowCheck } from './csv-row.ts'

/** Trimmed; null if the cell is empty or the file lacks its column: "not given" (decisions 5). */
export function cell<Name extends string>(row: RowCheck<Name>, field: NoInfer<Name>): string | null {
  const text = row.values[row.at[field] ?? -1]?.trim()
  return text === undefined || text === '' ? null : text
}

export function optionalText<Name extends string>(
  row: RowCheck<Name>,
  field: NoInfer<Name>,
  max: number,
): string | null {
  const text = cell(row, field)
  if (text !== null && text.length > max) {
    const length = codePoints(text)
    if (length > max) addFault(row, field, `is ${length} characters long: at most ${max} are allowed`)
  }
  return text
}

/** Code points, as the schemas and JSON Schema count: a letter beyond U+FFFF is one, not two. */
function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

export function requiredText<Name extends string>(
  row: RowCheck<Name>,
  field: NoInfer<Name>,
  max: number,
): string {
  const text = optionalText(row, field, max)
  if (text === null) addFault(row, field, 'is required')
  return text ?? ''
}

export function requiredWord<Name extends string, T extends string>(
  row: RowCheck<Name>,
  field: NoInfer<Name>,
  words: readonly T[],
): T {
  const text = cell(row, field)
  const word = words[words.indexOf((text ?? '').toLowerCase() as T)]
  if (text === null) addFault(row, field, `is required: ${words.join(' or ')}`)
  else if (word === undefined)
    addFault(row, field, `${quoted(text)} is not a unit: use ${words.join(' or ')}`)
  return word ?? (words[0] as T)
}

export function requiredMeasure<Name extends string>(row: RowCheck<Name>, field: NoInfer<Name>): number {
  const text = cell(row, field)
  if (text === null) {
    addFault(row, field, 'is required')
    return 0
  }
  const { value = 0, fault } = readNumber(text)
  if (fault !== undefined) addFault(row, field, `${quoted(text)} ${fault}`)
  else if (value <= 0 || value === Number.POSITIVE_INFINITY) {
    addFault(row, field, `${quoted(text)} must be a number greater than 0`)
  }
  return value
}

/** A whole number from 1 to `max`; null if empty. */
export function optionalQuantity(row: RowCheck<'quantity'>, max: number): number | null {
  const text = cell(row, 'quantity')
  if (text === null) return null
  const { value = 0, fault } = readWholeNumber(text)
  if (fault !== undefined) addFault(row, 'quantity', `${quoted(text)} ${fault}`)
  else if (value < 1) addFault(row, 'quantity', `${quoted(text)} must be a whole number of 1 or more`)
  else if (value > max) addFault(row, 'quantity', `${quoted(text)} is too large: at most ${max}`)
  return value
}

/** Rejects a code that a spreadsheet has turned into a number (decisions 5). */
export function checkCode(row: RowCheck, field: string, code: string | null): void {
  const fault = code === null ? undefined : codeFault(code)
  if (fault !== undefined) addFault(row, field, fault)
}

/** 1.2E+08 has lost digits, and 48201934.0 became a number: no label prints codes like these. */
export function codeFault(code: string): string | undefined {
  const isNumber = /^\d+(?:[.,]\d+)?e\+\d+$|^\d+[.,]\d+e\d+$|^\d{5,}\.0$/i.test(code)
  return isNumber ? `${quoted(code)} looks damaged by a spreadsheet: format the column as text` : undefined
}

/** Results of failed formulas in English, German and French. */
const errors = new Set([
  ...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NUM!', '#NULL!', '#SPILL!', '#CALC!', '#ERROR!'],
  ...['#NV', '#BEZUG!', '#WERT!', '#ZAHL!', '#ÜBERLAUF!'],
  ...['#VALEUR!', '#NOM?', '#NOMBRE!', '#NUL!', '#PROPAGATION!'],
])

/** Also true for the `###` of a column that is too narrow. */
export function isSpreadsheetError(text: string): boolean {
  return text.startsWith('#') && (errors.has(text) || /^###+$/.test(text))
}
