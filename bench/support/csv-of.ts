import { stringify } from 'csv-stringify/sync'

/** A CSV file of these rows. `columns`: their names, separated by commas. */
export function csvOf(columns: string, rows: ReadonlyArray<ReadonlyArray<string | number>>): string {
  return stringify([...rows], { columns: columns.split(','), header: true })
}
