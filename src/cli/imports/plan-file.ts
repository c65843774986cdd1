import type { CsvRowError } from '../../contract/resources/error.ts'
import { fileFault } from '../../domain/csv/csv-fault.ts'
import { type CsvReader, openCsv } from '../../domain/csv/csv-file.ts'
import type { PlacedRow } from '../../domain/csv/csv-reading.ts'
import type { RowChecker } from '../../domain/csv/csv-row.ts'
import { checkLocally, type PlannedChunk } from './chunk-rows.ts'
import { noRows } from './formats/header-name.ts'
import { type Located, located } from './formats/located.ts'
import { withoutGuards } from './formats/own-marks.ts'
import { limitsOf, type ReadyFile } from './formats/ready-file.ts'
import type { RowPlaces } from './formats/row-places.ts'
import type { ChunkedKind } from './import-kind.ts'
import type { Lint } from './lint.ts'
import { type SharedRows, sharedRows } from './shared-rows.ts'

/** Rows of every chunk but the last. */
const chunkRows = 5000

/** Bytes after which a chunk ends even with few rows: less than the limit of one upload (decisions 5). */
const chunkBytes = 16 * 1024 * 1024

/** How many problems are shown; the errors file has all. */
export const shownMax = 20

/** A file that was read from end to end and is sound as a whole. */
export type FilePlan = SharedRows & {
  header: readonly string[]
  rows: number
  /** Rows that failed the local check, and the first of them. */
  bad: number
  firstBad: Located<CsvRowError>[]
  warnings: Located<Lint>[]
  chunks: PlannedChunk[]
  /** Good orders, where rows are grouped. */
  orders?: number
}

type PlanOptions = Pick<ReadyFile<ChunkedKind>, 'kind' | 'columns' | 'places' | 'original'> & {
  /** A UTC date. */
  today: string
  useLint: boolean
  /** Sums rows that are equal but for their quantity. */
  combine?: boolean
  /** Rows of one order stay in one chunk. */
  groups?: boolean
  onProgress: (bytes: number) => Promise<void>
}

type Planning = PlanOptions & {
  reader: CsvReader
  /** Rows of the last chunk that are not checked yet. */
  pending: PlacedRow[]
  check: RowChecker<unknown> | undefined
  /** A file that is in our form otherwise is prepared for lines that are no rows. */
  noRow: ReturnType<typeof noRows> | undefined
  shared: ReturnType<typeof sharedRows>
  /** The reference of the last row. */
  order: string
  firstBad: CsvRowError[]
  plan: Pick<FilePlan, 'rows' | 'bad' | 'warnings' | 'chunks'>
}

/**
 * Reads a file once from end to end: checks it and its rows, and notes where its chunks begin. Keeps no rows.
 * Throws the refusal of a file that is wrong as a whole (decisions 5).
 */
export async function planFile(pieces: AsyncIterable<Buffer>, options: PlanOptions): Promise<FilePlan> {
  const planning = startPlanning(options)
  for await (const piece of pieces) {
    addRows(planning, planning.reader.push(piece))
    await options.onProgress(piece.length)
  }
  addRows(planning, planning.reader.end())
  const { plan, reader, places, firstBad } = planning
  const { failedTwice, ...shared } = planning.shared.end(places)
  for (const row of [...shared.failed.keys(), ...shared.combined.keys(), ...shared.added.keys()]) {
    const chunk = chunkWith(plan.chunks, row)
    if (chunk !== undefined) chunk.isWhole = false
  }
  const bad = plan.bad + shared.failed.size - failedTwice
  const others = firstBad.filter(({ row }) => !shared.failed.has(row))
  const first = firstOf([...shared.failed.values(), ...others], places)
  return { ...plan, ...shared, header: reader.header() ?? [], bad, firstBad: first }
}

/** The first failed rows, as they are shown. */
export function firstOf(errors: readonly CsvRowError[], places: RowPlaces): Located<CsvRowError>[] {
  const sorted = [...errors].sort((a, b) => a.row - b.row)
  return sorted.slice(0, shownMax).map((error) => located(error, places))
}

function startPlanning(options: PlanOptions): Planning {
  return {
    ...options,
    reader: openCsv(options.columns, limitsOf(options)),
    pending: [],
    check: undefined,
    noRow: undefined,
    shared: sharedRows(options.kind, options.combine === true),
    order: '',
    firstBad: [],
    plan: { rows: 0, bad: 0, warnings: [], chunks: [] },
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

/** The last chunk, or a new one if that is full and the row does not belong to its last order. */
function chunkOf(planning: Planning, { row, start, values }: PlacedRow): PlannedChunk {
  const { chunks } = planning.plan
  const last = chunks.at(-1)
  const order = planning.groups ? orderOf(planning.reader.header() ?? [], values) : ''
  const isOfLast = order !== '' && order === planning.order
  planning.order = order
  const isFree = last !== undefined && last.rows < chunkRows && last.to - last.from <= chunkBytes
  if (last !== undefined && (isFree || (isOfLast && last.rows < 2 * chunkRows))) return last
  checkPending(planning)
  planning.check = undefined
  const chunk = { from: start, to: start, firstRow: row, rows: 0, isWhole: true }
  chunks.push(chunk)
  return chunk
}

/** The reference that the rows of one order share. */
export function orderOf(header: readonly string[], values: readonly string[]): string {
  return values[header.indexOf('external_ref')]?.trim() ?? ''
}

/** Rows are checked in small groups and dropped: a whole chunk's would be megabytes. */
function checkPending(planning: Planning): void {
  const { plan, kind, places, today, useLint, firstBad } = planning
  const chunk = plan.chunks.at(-1)
  if (chunk === undefined || planning.pending.length === 0) return
  const header = planning.reader.header() ?? []
  const isOurs = planning.original === undefined
  const pending = isOurs ? withoutGuards(planning.pending) : planning.pending
  planning.check ??= kind.checker(header, today)
  planning.noRow ??= noRows(header)
  const checked = checkLocally(header, pending, planning.check, useLint ? kind : undefined)
  if (isOurs && pending.some(({ values }) => planning.noRow?.(values) !== undefined))
    throw fileFault('has lines that are no rows')
  if (!planning.groups) planning.shared.add(checked)
  if (checked.bad.length > 0) chunk.isWhole = false
  plan.rows += pending.length
  plan.bad += checked.bad.length
  if (firstBad.length < shownMax) firstBad.push(...checked.bad.slice(0, shownMax))
  for (const warning of checked.warnings)
    if (plan.warnings.length < shownMax) plan.warnings.push(located(warning, places))
  planning.pending = []
}

function chunkWith(chunks: readonly PlannedChunk[], row: number): PlannedChunk | undefined {
  return chunks.findLast(({ firstRow }) => firstRow <= row)
}
