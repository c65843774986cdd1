import type { CsvRowError } from '../../contract/resources/error.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import { rowError } from '../../domain/csv/csv-row-errors.ts'
import { createHashSet } from '../connection/hash-set.ts'

/**
 * Finds values that an earlier part of the file has: those of the same part are the row checker's to find. Files of millions
 * of rows can be looked through; the service has the last word.
 */
export function repeatFinder(
  column: string,
): (rows: readonly CsvRow[], header: readonly string[]) => CsvRowError[] {
  const seen = createHashSet()
  return (rows, header) => {
    const at = header.indexOf(column)
    const found: CsvRowError[] = []
    for (const { row, values } of rows) {
      const value = values[at]?.trim() ?? ''
      if (seen.add(value)) continue
      found.push(rowError(row, 'state_conflict', { [column]: [`"${value}" is already in an earlier row`] }))
    }
    return found
  }
}
