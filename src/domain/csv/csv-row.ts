import type { ErrorCode } from '../../contract/enums.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import type { FieldErrors } from '../refusal.ts'
import type { CsvRow } from './csv-reading.ts'
import { raggedRow, rowError } from './csv-row-errors.ts'

/** The typed value of a row without a fault of form. */
export interface AcceptedRow<T> {
  row: number
  value: T
}

/** Every row of a file is in exactly one of the two (decisions 5). */
interface CheckedRows<T> {
  accepted: AcceptedRow<T>[]
  rejected: CsvRowError[]
  /** What could be read of the rejected rows, for look-ups beside their faults; a field at fault holds a placeholder. */
  readable: Map<CsvRowError, T>
}

/** Checks the rows of a file slice by slice, in the file's order: earlier rows decide what counts as a repeat. */
export type RowChecker<T> = (rows: readonly CsvRow[]) => CheckedRows<T>

/** A row while it is checked. A rule that finds a fault adds it and returns any placeholder: the row is rejected. */
export interface RowCheck extends CsvRow {
  fields: FieldErrors | null
  code: ErrorCode
}

/** Splits rows into accepted and rejected; a row with another number of fields than the header fails by itself. */
export function checkRows<T>(
  width: number,
  rows: readonly CsvRow[],
  check: (row: RowCheck) => T,
): CheckedRows<T> {
  const accepted: AcceptedRow<T>[] = []
  const rejected: CsvRowError[] = []
  const readable = new Map<CsvRowError, T>()
  for (const { row, values } of rows) {
    if (values.length !== width) {
      rejected.push(raggedRow(row, values.length, width))
      continue
    }
    const checked: RowCheck = { row, values, fields: null, code: 'validation_error' }
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

/** Notes a fault; the message completes "<field> ...". Faults of different codes make a validation_error. */
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

/** Where each column stands in the header; -1 for a column that the file does not have. */
export function columnIndexes<const T extends string>(
  header: readonly string[],
  names: readonly T[],
): Record<T, number> {
  return Object.fromEntries(names.map((name) => [name, header.indexOf(name)])) as Record<T, number>
}
