import { isUtf8 } from 'node:buffer'
import { csvFieldBytesMax, csvFileBytesMax, csvRowsMax, mebibyte } from '../../contract/limits.ts'
import type { Rejection } from '../rejection.ts'
import { fileFault } from './csv-header.ts'

export interface ReadingLimits {
  rows: number
  mayBeEmpty?: boolean
  fieldBytes: number
}

export interface CsvLimits extends ReadingLimits {
  fileBytes: number
}

/** The limits of an upload (decisions 5). A caller that sends a file in parts sets its own. */
export const csvUploadLimits: CsvLimits = {
  fileBytes: csvFileBytesMax,
  rows: csvRowsMax,
  fieldBytes: csvFieldBytesMax,
}

export function checkSize(bytes: number, limits: CsvLimits): void {
  if (bytes <= limits.fileBytes) return
  throw fileFault(`is larger than ${limits.fileBytes / mebibyte} MiB: split it`)
}

/** Blank lines count with the rows (decisions 12). */
export function checkRowCount(rows: number, blankLines: number, limits: ReadingLimits): void {
  if (rows + blankLines <= limits.rows) return
  const most = `has more than ${limits.rows.toLocaleString('en')}`
  if (rows > limits.rows) throw fileFault(`${most} data rows: split it`)
  throw fileFault(`${most} rows and blank lines together: remove the blank lines, or split it`)
}

/** Row 0 is the header. */
export function checkFieldSizes(row: number, values: readonly string[], limits: ReadingLimits): void {
  for (const value of values) {
    // A UTF-16 code unit is at most three bytes.
    if (value.length * 3 <= limits.fieldBytes) continue
    if (Buffer.byteLength(value) > limits.fieldBytes)
      throw fieldTooLarge(row === 0 ? 'in its header' : `in row ${row}`, limits)
  }
}

export function fieldTooLarge(where: string, limits: ReadingLimits): Rejection {
  return fileFault(
    `has a field of more than ${limits.fieldBytes / 1024} KiB ${where}: a quote may be missing`,
  )
}

export function rowTooLong(fields: number, line: number, columns: number): Rejection {
  const [many, few] = [fields.toLocaleString('en'), columns.toLocaleString('en')]
  return fileFault(
    `has a row of ${many} fields or more near line ${line} and a header of ${few}: a line break may be missing`,
  )
}

/** Throws if the bytes are not UTF-8 or contain a NUL. */
export function checkText(bytes: Uint8Array): void {
  if (!isUtf8(bytes) || bytes.includes(0)) throw notText(bytes)
}

/** Workbooks are zip archives. All four bytes, because a SKU may begin with `PK`. */
const archiveMark = Buffer.from('PK\u0003\u0004')

export function notText(bytes: Uint8Array): Rejection {
  if (archiveMark.equals(bytes.subarray(0, archiveMark.length)))
    return fileFault('is a spreadsheet: save it as "CSV UTF-8"')
  if (!isUtf8(bytes)) return fileFault('is not UTF-8: save it as "CSV UTF-8"')
  return fileFault('contains a NUL character: save it as "CSV UTF-8"')
}
