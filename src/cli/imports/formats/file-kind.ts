import type { CsvColumns } from '../../../domain/csv/csv-header.ts'
import type { RowChecker } from '../../../domain/csv/csv-row.ts'

/** A kind of CSV file: its columns and the rules of its rows, the same as the service's. */
export type FileKind = {
  name: 'manifest' | 'products' | 'fulfillments' | 'arrivals'
  columns: CsvColumns
  /** A checker for one file or chunk. `today` is a UTC date. */
  checker: (header: readonly string[], today: string) => RowChecker<unknown>
  /** Where a spreadsheet does harm: columns of codes, which are no numbers. */
  codes: readonly string[]
  /** Columns that only files have which the tool wrote: not sent, and a sign that cells are guarded. */
  marks: readonly string[]
  /** Columns of numbers, which a file with semicolons may have with a decimal comma. */
  numbers?: readonly string[]
  /** The column whose values may be in the file only once, where the chunks of a file cannot see it. */
  unique?: string
}
