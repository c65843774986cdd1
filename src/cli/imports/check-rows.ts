import type { CsvRowError } from '../../contract/resources/error.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import type { RowChecker } from '../../domain/csv/csv-row.ts'
import type { FileKind } from './formats/file-kind.ts'
import { type Lint, lintRows } from './lint.ts'

/** Rows of a file after the local check; `good` keeps their cells as they stand in the file. */
export type LocallyChecked = { good: CsvRow[]; bad: CsvRowError[]; warnings: Lint[] }

/**
 * Checks rows by the service's own rules and, as files of the kind `linted`, for what spreadsheets do to cells: such rows are
 * not sent, because a manifest cannot be corrected afterwards.
 */
export function checkLocally(
  header: readonly string[],
  rows: readonly CsvRow[],
  check: RowChecker<unknown>,
  linted: FileKind | undefined,
): LocallyChecked {
  const { rejected } = check(rows)
  const lints = linted === undefined ? [] : lintRows(header, linted, rows)
  if (rejected.length === 0 && lints.length === 0) return { good: rows as CsvRow[], bad: [], warnings: [] }
  const refused = new Map(rejected.map((error) => [error.row, error]))
  for (const lint of lints) if (lint.isCertain && !isOfWholeRow(refused.get(lint.row))) addLint(refused, lint)
  return {
    good: rows.filter(({ row }) => !refused.has(row)),
    bad: [...refused.values()].sort((a, b) => a.row - b.row),
    warnings: lints.filter(({ isCertain, row }) => !isCertain && !refused.has(row)),
  }
}

/** A fault that names no column: such a row is not checked further. */
function isOfWholeRow(error: CsvRowError | undefined): boolean {
  return error !== undefined && Object.keys(error.fields).length === 0
}

function addLint(refused: Map<number, CsvRowError>, { row, field, message }: Lint): void {
  const before = refused.get(row)
  if (before?.fields[field]?.includes(message)) return
  const fields = { ...before?.fields, [field]: [...(before?.fields[field] ?? []), message] }
  const text = `${field} ${message}.`
  refused.set(row, {
    row,
    code: before?.code ?? 'validation_error',
    fields,
    message: before === undefined ? text : `${before.message} ${text}`,
  })
}
