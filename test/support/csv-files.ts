import { readCsv } from '../../src/domain/csv/csv-file.ts'
import type { CsvColumns } from '../../src/domain/csv/csv-header.ts'
import { type CsvLimits, csvUploadLimits } from '../../src/domain/csv/csv-limits.ts'
import { Rejection } from '../../src/domain/rejection.ts'

/** The columns of a file by default. */
export const columns: CsvColumns = { known: ['sku', 'name', 'cert_number'], required: ['sku'] }

type Row = [number, ...string[]]

/** The header of a file and its rows, each after its number. */
export function read(content: string | Buffer, given: CsvColumns = columns, limits: Partial<CsvLimits> = {}) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const { header, rows } = readCsv(bytes, given, { ...csvUploadLimits, ...limits })
  return { header, rows: rows.map(({ row, values }): Row => [row, ...values]) }
}

export function rejectionOf(run: () => unknown): Rejection {
  try {
    run()
  } catch (fault) {
    if (fault instanceof Rejection) return fault
    throw fault
  }
  throw new Error('the file was not rejected')
}

export function faultsOf(run: () => unknown): string[] {
  const fields = rejectionOf(run).extra.fields as { file: string[] }
  return fields.file
}
