import { createHash, type Hash } from 'node:crypto'
import type { CsvRowError } from '../../contract/resources/error.ts'
import { fileFault } from '../../domain/csv/csv-fault.ts'
import { type CsvReader, openCsv } from '../../domain/csv/csv-file.ts'
import type { CsvRow, PlacedRow } from '../../domain/csv/csv-reading.ts'
import type { RowChecker } from '../../domain/csv/csv-row.ts'
import { checkLocally } from './check-rows.ts'
import { chunkBytes, chunkRows, type FilePlan, type PlannedChunk } from './file-plan.ts'
import { noRows } from './formats/header-name.ts'
import { located } from './formats/located.ts'
import { withoutGuards } from './formats/own-marks.ts'
import { limitsOf, type ReadyFile } from './formats/ready-file.ts'
import { repeatFinder } from './repeats.ts'

/** How many problems are shown; the errors file has all. */
export const shownMax = 20

type PlanOptions = Pick<ReadyFile, 'kind' | 'columns' | 'places' | 'original'> & {
  /** A UTC date. */
  today: string
  useLint: boolean
  /** Whether to look for repeats between chunks; the service finds them too. */
  findRepeats: boolean
  onProgress: (bytes: number) => Promise<void>
}

type Planning = PlanOptions & {
  hash: Hash
  reader: CsvReader
  /** Rows of the last chunk that are not checked yet. */
  pending: PlacedRow[]
  check: RowChecker<unknown> | undefined
  /** A file that is in our form otherwise is prepared for lines that are no rows. */
  noRow: ReturnType<typeof noRows> | undefined
  repeats: (rows: readonly CsvRow[], header: readonly string[]) => CsvRowError[]
  plan: FilePlan
}

/**
 * Reads a file once from end to end: checks it and its rows, and notes where its chunks begin. Keeps no rows.
 * Throws the refusal of a file that is wrong as a whole (decisions 5).
 */
export async function planFile(pieces: AsyncIterable<Buffer>, options: PlanOptions): Promise<FilePlan> {
  const planning = startPlanning(options)
  for await (const piece of pieces) {
    planning.hash.update(piece)
    addRows(planning, planning.reader.push(piece))
    await options.onProgress(piece.length)
  }
  addRows(planning, planning.reader.end())
  const { plan, reader, hash } = planning
  return { ...plan, header: reader.header() ?? [], sha256: hash.digest('hex') }
}

function startPlanning(options: PlanOptions): Planning {
  const { kind, columns, findRepeats } = options
  return {
    ...options,
    hash: createHash('sha256'),
    reader: openCsv(columns, limitsOf(options)),
    pending: [],
    check: undefined,
    noRow: undefined,
    repeats: findRepeats && kind.unique !== undefined ? repeatFinder(kind.unique) : () => [],
    plan: { sha256: '', header: [], rows: 0, bad: 0, firstBad: [], warnings: [], chunks: [] },
  }
}

function addRows(planning: Planning, rows: readonly PlacedRow[]): void {
  for (const row of rows) {
    const chunk = chunkOf(planning, row)
    chunk.to = row.end
    chunk.rows += 1
    if (planning.original === undefined) planning.places.note(row.row, row)
    planning.pending.push(row)
  }
  checkPending(planning)
}

/** The last chunk, or a new one if that is full. */
function chunkOf(planning: Planning, { row, start }: PlacedRow): PlannedChunk {
  const { chunks } = planning.plan
  const last = chunks.at(-1)
  if (last !== undefined && last.rows < chunkRows && last.to - last.from <= chunkBytes) return last
  checkPending(planning)
  planning.check = undefined
  const chunk = { from: start, to: start, firstRow: row, rows: 0, bad: 0 }
  chunks.push(chunk)
  return chunk
}

/** Rows are checked in small groups and dropped: a whole chunk's would be megabytes. */
function checkPending(planning: Planning): void {
  const { plan, kind, places, today, useLint, repeats } = planning
  const chunk = plan.chunks.at(-1)
  if (chunk === undefined || planning.pending.length === 0) return
  const header = planning.reader.header() ?? []
  const pending = withoutGuards(kind, header, planning.pending)
  planning.check ??= kind.checker(header, today)
  planning.noRow ??= noRows(header)
  const { good, bad, warnings } = checkLocally(header, pending, planning.check, useLint ? kind : undefined)
  if (planning.original === undefined && pending.some(({ values }) => planning.noRow?.(values) !== undefined))
    throw fileFault('has lines that are no rows')
  const repeated = repeats(good, header)
  chunk.bad += bad.length
  plan.rows += pending.length
  plan.bad += bad.length + repeated.length
  for (const error of [...bad, ...repeated])
    if (plan.firstBad.length < shownMax) plan.firstBad.push(located(error, places))
  for (const warning of warnings)
    if (plan.warnings.length < shownMax) plan.warnings.push(located(warning, places))
  planning.pending = []
}
