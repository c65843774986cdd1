import { createHash, type Hash } from 'node:crypto'
import type { CsvRowError } from '../../contract/resources/error.ts'
import { type CsvReader, openCsv } from '../../domain/csv/csv-file.ts'
import type { CsvColumns } from '../../domain/csv/csv-header.ts'
import { csvUploadLimits } from '../../domain/csv/csv-limits.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import { type RecordScan, scanRecords, startScan } from '../../domain/csv/csv-records.ts'
import type { RowChecker } from '../../domain/csv/csv-row.ts'
import { checkLocally } from './check-rows.ts'
import { withoutGuards } from './csv-text.ts'
import { chunkBytes, chunkRows, type FilePlan, type PlannedChunk } from './file-plan.ts'
import type { FileKind } from './import-kind.ts'
import { bytesOfRecords } from './record-offset.ts'
import { repeatFinder } from './repeats.ts'

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** Problems that are kept to be shown; the errors file has all of them. */
export const shownMax = 20

type PlanOptions = {
  kind: FileKind
  columns: CsvColumns
  /** A UTC date. */
  today: string
  useLint: boolean
  /** Repeats between chunks are looked for: the service finds them by itself. */
  findRepeats: boolean
  onProgress: (bytes: number) => Promise<void>
}

type Planning = PlanOptions & {
  hash: Hash
  reader: CsvReader
  scan: RecordScan
  /** Bytes since the last record that ended, which is where `offset` stands. */
  held: Buffer
  offset: number
  pending: CsvRow[]
  check: RowChecker<unknown> | undefined
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
    takePiece(planning, piece)
    await options.onProgress(piece.length)
  }
  planning.pending.push(...planning.reader.end())
  endChunk(planning, planning.offset + planning.held.length)
  const { plan, reader, hash } = planning
  const chunks = plan.chunks.filter(({ rows }) => rows > 0)
  return { ...plan, chunks, header: reader.header() ?? [], sha256: hash.digest('hex') }
}

function startPlanning(options: PlanOptions): Planning {
  const { kind, columns, findRepeats } = options
  const noLimit = Number.POSITIVE_INFINITY
  return {
    ...options,
    hash: createHash('sha256'),
    reader: openCsv(columns, { ...csvUploadLimits, rows: noLimit, fileBytes: noLimit }),
    scan: startScan(),
    held: Buffer.alloc(0),
    offset: 0,
    pending: [],
    check: undefined,
    repeats: findRepeats && kind.unique !== undefined ? repeatFinder(kind.unique) : () => [],
    plan: { sha256: '', header: [], rows: 0, bad: 0, firstBad: [], warnings: [], chunks: [] },
  }
}

/** Rows and bytes go together: the rows that a piece completes end where its last complete record ends. */
function takePiece(planning: Planning, piece: Buffer): void {
  const isHeaderToCome = planning.reader.header() === null
  const rows = planning.reader.push(piece)
  const text = withoutMark(planning, piece)
  const end = scanRecords(planning.scan, text)
  if (end === 0) {
    planning.held = Buffer.concat([planning.held, text])
    return
  }
  let bytes: Buffer = Buffer.concat([planning.held, text.subarray(0, end)])
  planning.held = Buffer.from(text.subarray(end))
  if (isHeaderToCome && planning.reader.header() !== null) bytes = withoutHeader(planning, bytes)
  addRows(planning, rows, bytes)
}

/** The byte-order mark that a file may begin with stands in no record. */
function withoutMark(planning: Planning, piece: Buffer): Buffer {
  if (planning.plan.chunks.length > 0 || planning.offset > 0 || planning.held.length > 0) return piece
  if (!piece.subarray(0, byteOrderMark.length).equals(byteOrderMark)) return piece
  planning.offset = byteOrderMark.length
  return piece.subarray(byteOrderMark.length)
}

function withoutHeader(planning: Planning, bytes: Buffer): Buffer {
  const header = bytesOfRecords(bytes, 1)
  planning.offset += header
  planning.plan.chunks.push({ from: planning.offset, to: planning.offset, firstRow: 1, rows: 0, bad: 0 })
  return bytes.subarray(header)
}

function addRows(planning: Planning, rows: readonly CsvRow[], given: Buffer): void {
  let left = rows
  let bytes = given
  for (;;) {
    const room = chunkRows - lastChunk(planning).rows - planning.pending.length
    if (left.length < room) break
    const taken = bytesOfRecords(bytes, room)
    planning.pending.push(...left.slice(0, room))
    planning.offset += taken
    endChunk(planning, planning.offset)
    bytes = bytes.subarray(taken)
    left = left.slice(room)
  }
  planning.pending.push(...left)
  planning.offset += bytes.length
  if (planning.offset - lastChunk(planning).from > chunkBytes) endChunk(planning, planning.offset)
  else checkPending(planning)
}

function endChunk(planning: Planning, offset: number): void {
  checkPending(planning)
  const chunk = lastChunk(planning)
  chunk.to = offset
  planning.check = undefined
  const next = { from: offset, to: offset, firstRow: chunk.firstRow + chunk.rows, rows: 0, bad: 0 }
  planning.plan.chunks.push(next)
}

/** Checked at once and let go: a chunk's rows would be megabytes. */
function checkPending(planning: Planning): void {
  const { plan, kind, today, useLint, repeats } = planning
  if (planning.pending.length === 0) return
  const header = planning.reader.header() ?? []
  const pending = withoutGuards(header, planning.pending)
  planning.check ??= kind.checker(header, today)
  const { good, bad, warnings } = checkLocally(header, pending, planning.check, useLint ? kind.codes : [])
  const repeated = repeats(good, header)
  const chunk = lastChunk(planning)
  chunk.rows += pending.length
  chunk.bad += bad.length
  plan.rows += pending.length
  plan.bad += bad.length + repeated.length
  for (const error of [...bad, ...repeated]) if (plan.firstBad.length < shownMax) plan.firstBad.push(error)
  for (const warning of warnings) if (plan.warnings.length < shownMax) plan.warnings.push(warning)
  planning.pending = []
}

function lastChunk({ plan }: Planning): PlannedChunk {
  return plan.chunks.at(-1) ?? { from: 0, to: 0, firstRow: 1, rows: 0, bad: 0 }
}
