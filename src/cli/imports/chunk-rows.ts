import { readCsv } from '../../domain/csv/csv-file.ts'
import type { CsvColumns } from '../../domain/csv/csv-header.ts'
import { csvUploadLimits } from '../../domain/csv/csv-limits.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import { csvLine } from '../output/csv-text.ts'
import type { FilePlan, PlannedChunk } from './file-plan.ts'
import type { CsvSource } from './formats/csv-source.ts'
import type { FileKind } from './formats/file-kind.ts'
import { withoutGuards } from './formats/own-marks.ts'

/** A file that was checked and is read again. */
type CheckedFile = { source: CsvSource; plan: FilePlan; kind: FileKind; columns: CsvColumns }

/** The rows of a chunk, with their numbers in the file. */
export function rowsOfChunk(
  { plan, kind, columns, source }: CheckedFile,
  { firstRow, from, to }: PlannedChunk,
  raw: Buffer = source.read(from, to),
): CsvRow[] {
  const noLimit = Number.POSITIVE_INFINITY
  const limits = { ...csvUploadLimits, fileBytes: noLimit, rows: noLimit }
  const { known, required } = columns
  // Reported already: a column that is not ours is never read.
  const ignored = plan.header.filter((name) => !known.includes(name))
  const bytes = Buffer.concat([Buffer.from(csvLine(plan.header)), raw])
  const rows = withoutGuards(
    kind,
    plan.header,
    [...readCsv(bytes, { known, required, ignored }, limits).rows].flat(),
  )
  return rows.map(({ row, values }) => ({ row: row + firstRow - 1, values }))
}

/** Rows as a CSV file, in the columns that the service knows. */
export function encodeRows(
  { columns }: FileKind,
  header: readonly string[],
  rows: readonly CsvRow[],
): Buffer {
  const kept = header.flatMap((name, at) => (columns.known.includes(name) ? [at] : []))
  const records = [header, ...rows.map(({ values }) => values)]
  return Buffer.from(records.map((values) => csvLine(kept.map((at) => values[at] ?? ''))).join(''))
}
