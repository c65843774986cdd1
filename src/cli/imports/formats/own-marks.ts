import type { CsvRow } from '../../../domain/csv/csv-reading.ts'
import { unguarded } from '../../output/csv-text.ts'
import type { FileKind } from './file-kind.ts'
import { nameKey } from './header-name.ts'

/** What the tool adds to a file of failed rows, which operators correct and import. */
export const errorColumns = ['error_row', 'error_code', 'error_message'] as const

/** Whether the tool wrote such a file itself: its cells are guarded against spreadsheets. */
export function isOwnFile({ marks }: Pick<FileKind, 'marks'>, header: readonly string[]): boolean {
  return header.some((name) => isMark({ marks }, name))
}

/** A column for people to read, which is not sent. */
export function isMark({ marks }: Pick<FileKind, 'marks'>, name: string): boolean {
  const key = nameKey(name)
  return marks.some((mark) => nameKey(mark) === key)
}

/** The rows of a file without the guards that this tool added; those of other files unchanged. */
export function withoutGuards<Rows extends readonly CsvRow[]>(
  kind: Pick<FileKind, 'marks'>,
  header: readonly string[],
  rows: Rows,
): Rows {
  if (!isOwnFile(kind, header)) return rows
  return rows.map(({ row, values }) => ({ row, values: values.map(unguarded) })) as unknown as Rows
}
