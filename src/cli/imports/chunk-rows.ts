import { readCsv } from '../../domain/csv/csv-file.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import { csvLine, csvText } from '../output/csv-text.ts'
import { checkLocally, type LocallyChecked } from './check-rows.ts'
import type { FilePlan, PlannedChunk } from './file-plan.ts'
import type { FileKind } from './formats/file-kind.ts'
import { withoutGuards } from './formats/own-marks.ts'
import { limitsOf, type ReadyFile } from './formats/ready-file.ts'

/** A file that was checked and is read again. */
type CheckedFile = Pick<ReadyFile, 'source' | 'kind' | 'columns' | 'original'> & { plan: FilePlan }

/** The rows of a chunk, those of them that are sent and those that are not. `day`: a UTC date. */
export function checkedChunk(
  file: CheckedFile & { useLint: boolean },
  chunk: PlannedChunk,
  day: string,
  raw?: Buffer,
): LocallyChecked & { rows: CsvRow[] } {
  const { kind, useLint } = file
  const { header } = file.plan
  const rows = rowsOfChunk(file, chunk, raw)
  return { rows, ...checkLocally(header, rows, kind.checker(header, day), useLint ? kind : undefined) }
}

/** The rows of a chunk, with their numbers in the file. */
export function rowsOfChunk(
  file: CheckedFile,
  { firstRow, from, to }: PlannedChunk,
  raw: Buffer = file.source.read(from, to),
): CsvRow[] {
  const { plan, kind } = file
  const { known, required } = file.columns
  // Reported already: a column that is not ours is never read.
  const ignored = plan.header.filter((name) => !known.includes(name))
  const bytes = Buffer.concat([Buffer.from(csvLine(plan.header)), raw])
  const rows = withoutGuards(
    kind,
    plan.header,
    [...readCsv(bytes, { known, required, ignored }, limitsOf(file)).rows].flat(),
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
  return Buffer.from(csvText(records.map((values) => kept.map((at) => values[at] ?? ''))))
}
