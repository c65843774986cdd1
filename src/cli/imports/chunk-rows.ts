import type { CsvRowError } from '../../contract/resources/error.ts'
import { readCsv } from '../../domain/csv/csv-file.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import { type AcceptedRow, type RowChecker, rowError } from '../../domain/csv/csv-row.ts'
import { type Lint, lintRows } from '../../domain/csv/row-lint.ts'
import { type FileKind, limitsOf, type ReadyFile, withoutGuards } from '../files/file-kind.ts'
import { csvText } from '../output/csv-text.ts'

/** `good` keeps its cells as they are in the file. */
export type LocallyChecked<Row = unknown> = {
  good: CsvRow[]
  bad: CsvRowError[]
  warnings: Lint[]
  accepted: Array<AcceptedRow<Row>>
  readable: Array<AcceptedRow<Row>>
}

/** Checks rows by the service's own rules, and files of the kind `linted` for what spreadsheets do to cells. */
export function checkLocally<Row>(
  header: readonly string[],
  rows: readonly CsvRow[],
  check: RowChecker<Row>,
  linted: FileKind<Row> | undefined,
): LocallyChecked<Row> {
  const { accepted, rejected, readable } = check(rows)
  const lints = linted === undefined ? [] : lintRows(header, linted, rows)
  if (rejected.length === 0 && lints.length === 0)
    return { good: rows as CsvRow[], bad: [], warnings: [], accepted, readable: [] }
  const refused = new Map(rejected.map((error) => [error.row, error]))
  for (const lint of lints) if (lint.isCertain) addLint(refused, lint)
  const isGood = ({ row }: { row: number }): boolean => !refused.has(row)
  return {
    good: rows.filter(isGood),
    bad: [...refused.values()].sort((a, b) => a.row - b.row),
    warnings: lints.filter((lint) => !lint.isCertain && isGood(lint)),
    accepted: accepted.filter(isGood),
    readable: [
      ...accepted.filter((row) => !isGood(row)),
      ...[...readable].map(([{ row }, value]) => ({ row, value })),
    ],
  }
}

function addLint(refused: Map<number, CsvRowError>, { row, field, message }: Lint): void {
  const before = refused.get(row)
  const isOfWholeRow = before !== undefined && Object.keys(before.fields).length === 0
  if (isOfWholeRow || before?.fields[field]?.includes(message)) return
  const fields = { ...before?.fields, [field]: [...(before?.fields[field] ?? []), message] }
  refused.set(row, rowError(row, before?.code ?? 'validation_error', fields))
}

/** Bytes from `from` to before `to`, and row numbers. `isWhole`: every row can be sent. */
export type PlannedChunk = { from: number; to: number; firstRow: number; rows: number; isWhole: boolean }

export function rowsOfChunk(
  file: ReadyFile & { header: readonly string[] },
  { firstRow, from, to }: PlannedChunk,
  raw: Buffer = file.source.read(from, to),
): CsvRow[] {
  const { header, original } = file
  const { known, required } = file.columns
  // Other columns are already reported, and never read.
  const ignored = header.filter((name) => !known.includes(name))
  const bytes = Buffer.concat([Buffer.from(csvText([header])), raw])
  const { rows } = readCsv(bytes, { known, required, ignored }, limitsOf(file))
  const numbered = rows.map(({ row, values }) => ({ row: row + firstRow - 1, values }))
  return original === undefined ? withoutGuards(numbered) : numbered
}

export function encodeRows(
  { columns }: Pick<FileKind, 'columns'>,
  header: readonly string[],
  rows: readonly CsvRow[],
): Buffer {
  const kept = header.flatMap((name, at) => (columns.known.includes(name) ? [at] : []))
  const records = [header, ...rows.map(({ values }) => values)]
  return Buffer.from(csvText(records.map((values) => kept.map((at) => values[at] ?? ''))))
}
