import type { ErrorCode } from '../../contract/enums.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import type { FieldErrors } from '../rejection.ts'
import type { CsvRow } from './csv-reading.ts'
import { raggedRow, rowError } from './csv-row-errors.ts'

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
export function checkRows<T, Name extends string>(
  header: readonly string[],
  rows: readonly CsvRow[],
  check: (row: RowCheck<Name>) => T,
): CheckedRows<T> {
  const at = Object.fromEntries(header.map((name, index) => [name, index])) as RowCheck<Name>['at']
  const accepted: AcceptedRow<T>[] = []
  const rejected: CsvRowError[] = []
  const readable = new Map<CsvRowError, T>()
  for (const { row, values } of rows) {
    if (values.length !== header.length) {
      rejected.push(raggedRow(row, values.length, header.length))
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
