import type { CsvRow } from '../../../domain/csv/csv-reading.ts'
import { unguarded } from '../../output/csv-text.ts'
import type { FileKind } from './file-kind.ts'
import { nameKey } from './header-name.ts'

/** What the tool adds to a file of failed rows, which operators correct and import. */
export const errorColumns = ['error_row', 'error_code', 'error_message'] as const

/** A column for people to read, which is not sent. */
export function isMark({ marks }: Pick<FileKind, 'marks'>, name: string): boolean {
  const key = nameKey(name)
  return marks.some((mark) => nameKey(mark) === key)
}

/**
 * The rows of a file without the guards against formulas. They are taken off every file: what this tool wrote, in whatever form, is
 * read as it was, and in other files an apostrophe before `=`, `+`, `-` or `@` is a spreadsheet's own mark of a text.
 */
export function withoutGuards<Row extends CsvRow>(rows: readonly Row[]): Row[] {
  return rows.map((row) =>
    row.values.some((value) => value.includes("'")) ? { ...row, values: row.values.map(unguarded) } : row,
  )
}

/** Whether bytes of a CSV file may have such a cell. */
export function mayBeGuarded(bytes: Buffer): boolean {
  return bytes.includes("'") && /'[=+\-@\t\r\xef]/.test(bytes.toString('latin1'))
}
