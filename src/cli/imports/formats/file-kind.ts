import type { CsvColumns } from '../../../domain/csv/csv-header.ts'
import type { RowChecker } from '../../../domain/csv/csv-row.ts'

/** A kind of CSV file: its columns and the rules of its rows, the same as the service's. */
export type FileKind<Row = unknown> = {
  name: 'manifest' | 'products' | 'fulfillments' | 'arrivals'
  columns: CsvColumns
  /** A checker for one file or chunk. `today` is a UTC date. */
  checker: (header: readonly string[], today: string) => RowChecker<Row>
  /** Columns of codes, which a spreadsheet damages by taking them for numbers. */
  codes: readonly string[]
  /** Columns that only this tool writes, which are not sent. */
  marks: readonly string[]
  /** Columns of numbers, which may have a decimal comma in a file with semicolons. */
  numbers?: readonly string[]
}
