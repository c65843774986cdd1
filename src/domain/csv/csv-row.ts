import type { ErrorCode } from '../../contract/enums.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import type { FieldErrors } from '../rejection.ts'
import { quoted } from './csv-header.ts'
import type { CsvRow } from './csv-reading.ts'

export interface AcceptedRow<T> {
  row: number
  value: T
}

/** Every row of a file is in exactly one of the two (decisions 5). */
interface CheckedRows<T> {
  accepted: AcceptedRow<T>[]
  rejected: CsvRowError[]
  /** Readable values of rejected rows, for lookups beyond their errors; an invalid field holds a placeholder. */
  readable: Map<CsvRowError, T>
}

/** Must get the rows in the file's order: earlier rows decide what counts as a repeat. */
export type RowChecker<T> = (rows: readonly CsvRow[]) => CheckedRows<T>

/** A rule that finds an error adds it and returns any placeholder: the row is rejected. */
export interface RowCheck<Name extends string = string> extends CsvRow {
  at: { readonly [name in Name]?: number }
  fields: FieldErrors | null
  code: ErrorCode
}

/** A row with another number of fields than the header gets only that error. */
export function rowChecker<T, Name extends string>(
  header: readonly string[],
  check: (row: RowCheck<Name>) => T,
): RowChecker<T> {
  const at = Object.fromEntries(header.map((name, index) => [name, index])) as RowCheck<Name>['at']
  return (rows) => {
    const accepted: AcceptedRow<T>[] = []
    const rejected: CsvRowError[] = []
    const readable = new Map<CsvRowError, T>()
    for (const { row, values } of rows) {
      if (values.length !== header.length) {
        rejected.push(raggedRow(row, values, header.length))
        continue
      }
      const checked: RowCheck<Name> = { row, values, at, fields: null, code: 'validation_error' }
      const value = check(checked)
      if (checked.fields === null) accepted.push({ row, value })
      else {
        const error = rowError(row, checked.code, checked.fields)
        rejected.push(error)
        readable.set(error, value)
      }
    }
    return { accepted, rejected, readable }
  }
}

/** Different codes make a validation_error. The message completes "<field> ...". */
export function addFault(
  row: RowCheck,
  field: string,
  message: string,
  code: ErrorCode = 'validation_error',
): void {
  row.code = row.fields === null || row.code === code ? code : 'validation_error'
  row.fields ??= {}
  const messages = row.fields[field]
  if (messages === undefined) row.fields[field] = [message]
  else messages.push(message)
}

/** Each message completes "<field> ..."; together they are the row's message (2.12). */
export function rowError(row: number, code: ErrorCode, fields: FieldErrors): CsvRowError {
  const faults = Object.entries(fields).flatMap(([field, messages]) =>
    messages.map((text) => `${field} ${text}`),
  )
  return { row, code, fields, message: `${faults.join('; ')}.` }
}

/** Drops a state conflict: only valid rows are checked against states (decisions 3). Different codes make a validation_error. */
export function withFault(error: CsvRowError, found: CsvRowError): CsvRowError {
  if (found.code === 'state_conflict') return error
  const code = error.code === found.code ? error.code : 'validation_error'
  return rowError(error.row, code, { ...found.fields, ...error.fields })
}

/** Names no field, because any of them may be wrong. */
export function raggedRow(row: number, values: readonly string[], expected: number): CsvRowError {
  return { row, code: 'validation_error', fields: {}, message: raggedText(values, expected, 'comma') }
}

export function raggedText(values: readonly string[], expected: number, separator: string): string {
  const found = values.length
  const isEmptyBeyond = values.slice(expected).every((value) => value.trim() === '')
  const tooMany = isEmptyBeyond
    ? 'delete the empty ones at its end'
    : `quote a field that contains a ${separator}`
  const advice = found < expected ? `a ${separator} or a quote may be missing` : tooMany
  return `The row has ${found} ${found === 1 ? 'field' : 'fields'} and the header ${expected}: ${advice}.`
}

export const unknownSkuMessage = 'is not in the catalog: create the product first, or correct the SKU'

/** The row's SKU is not in the catalog (decisions 11). */
export function unknownSku(row: number, sku: string): CsvRowError {
  return rowError(row, 'validation_error', { sku: [`${quoted(sku)} ${unknownSkuMessage}`] })
}

/** The row's SKU is in the catalog already (decisions 5). */
export function existingSku(row: number, sku: string): CsvRowError {
  return rowError(row, 'state_conflict', { sku: [`${quoted(sku)} is already in the catalog`] })
}

/** The message for every QID that is not the partner's: it does not say whether the QID exists (4.4). */
export const unknownQidMessage = 'is not an item in custody'

/** Malformed, unknown, foreign and other-environment QIDs get the same content (4.4). */
export function unknownQid(row: number): CsvRowError {
  return rowError(row, 'not_found', { qid: [unknownQidMessage] })
}

/** The row's item cannot be sent (decisions 5). */
export function unavailableItem(row: number, qid: string, status: string): CsvRowError {
  const message = `${qid} is ${status}, not available (requested 1, available 0)`
  return rowError(row, 'state_conflict', { qid: [message] })
}

/** Other rows of the file are the same order (decisions 13). `named`: some of the `others`. */
export function repeatedInFile(
  row: number,
  named: readonly number[],
  others: number,
  reference: string | null,
): CsvRowError {
  const rows = `${others > 1 ? 'rows' : 'row'} ${named.join(', ')}${others > named.length ? ', …' : ''}`
  const fault =
    reference === null ? `is missing, and the row equals ${rows}` : `and the item are those of ${rows} too`
  const advice =
    reference === null
      ? 'give all but one an external_ref'
      : 'raise the quantity, or give all but one another reference'
  return rowError(row, 'validation_error', { external_ref: [`${fault}: ${advice}`] })
}

export function tooFewAvailable(row: number, sku: string, requested: number, available: number): CsvRowError {
  const message = `${quoted(sku)} has too few available items (requested ${requested}, available ${available})`
  return rowError(row, 'state_conflict', { sku: [message] })
}
