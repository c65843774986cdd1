import { fileFault } from './csv-fault.ts'
import { type CsvColumns, checkColumnCount, readHeader } from './csv-header.ts'
import {
  type CsvLimits,
  checkFieldSizes,
  checkRowCount,
  checkSize,
  checkText,
  fieldTooLarge,
  notText,
  rowTooLong,
} from './csv-limits.ts'
import { endScan, type RecordScan, type ScannedRecord, scanRecords, startScan } from './csv-records.ts'
import { splitRecords } from './csv-split.ts'

/** One data record: its ordinal, and its fields in the header's order. There may be more or fewer than columns. */
export interface CsvRow {
  row: number
  values: readonly string[]
}

/** A row with its place: the line on which it begins, its first byte in the file and the one after its line break. */
export interface PlacedRow extends CsvRow {
  line: number
  start: number
  end: number
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** A file on its way through; changed by `pushPiece` and `endFile` alone. */
interface Reading {
  readonly columns: CsvColumns
  readonly limits: CsvLimits
  readonly scan: RecordScan
  header: readonly string[] | null
  bytes: number
  rows: number
  /** The beginning of a record whose end has not come yet. */
  held: Uint8Array[]
  heldBytes: number
  /** The first bytes of the file, while it is not known whether they are a byte-order mark. */
  opening: Uint8Array | null
}

/** A file of which nothing has come yet. */
export function startReading(columns: CsvColumns, limits: CsvLimits): Reading {
  return {
    columns,
    limits,
    scan: startScan(),
    header: null,
    bytes: 0,
    rows: 0,
    held: [],
    heldBytes: 0,
    opening: new Uint8Array(),
  }
}

/** The rows that the next piece completes. Throws what the piece shows to be wrong with the file. */
export function pushPiece(state: Reading, piece: Uint8Array): PlacedRow[] {
  checkSize(state.bytes + (state.opening?.length ?? 0) + piece.length, state.limits)
  if (state.opening === null) return takePiece(state, piece)
  const opening = Buffer.concat([state.opening, piece])
  state.opening = opening.length < byteOrderMark.length ? opening : null
  return state.opening === null ? takePiece(state, withoutMark(state, opening)) : []
}

/** The last row, when no line break ends it. Throws when a quote is open, or the file has no header or data row. */
export function endFile(state: Reading): PlacedRow[] {
  const { opening } = state
  state.opening = null
  const rows = opening === null ? [] : takePiece(state, opening)
  const last = endScan(state.scan)
  if (last !== null) rows.push(...takeRecords(state, Buffer.concat(state.held), [last]))
  if (state.header === null) throw fileFault('has no header line: the first line names the columns')
  if (state.rows === 0) throw fileFault('has no data row')
  return rows
}

function takePiece(state: Reading, piece: Uint8Array): PlacedRow[] {
  if (piece.includes(0)) throw notText(piece)
  const records = scanRecords(state.scan, piece)
  const end = records.at(-1)?.next ?? 0
  const complete = end === 0 ? null : Buffer.concat([...state.held, piece.subarray(0, end)])
  const rows = complete === null ? [] : takeRecords(state, complete, records)
  if (complete !== null) [state.held, state.heldBytes] = [[], 0]
  state.bytes += piece.length
  hold(state, piece.subarray(end))
  return rows
}

/** Copied, because the caller may use its buffer again. An endless field or row is refused before it fills the memory. */
function hold(state: Reading, rest: Uint8Array): void {
  if (rest.length === 0) return
  const { scan, limits, header } = state
  if (header === null) checkColumnCount(scan.fields, state.columns)
  state.held.push(Uint8Array.from(rest))
  state.heldBytes += rest.length
  const columns = state.columns.known.length + (state.columns.ignored?.length ?? 0) + 1
  // In a quoted field every byte may be a doubled quote.
  if (state.heldBytes <= columns * 2 * (limits.fieldBytes + 2)) return
  if (header === null || scan.fields <= columns || scan.fieldBytes > limits.fieldBytes)
    throw fieldTooLarge(`near line ${scan.line}`, limits)
  throw rowTooLong(scan.fields, scan.line, header.length)
}

/** Complete records -> rows. Blank lines are not counted; the first other line is the header. `bytes` begin with what was held. */
function takeRecords(state: Reading, bytes: Buffer, records: readonly ScannedRecord[]): PlacedRow[] {
  checkText(bytes)
  const rows: PlacedRow[] = []
  for (const [index, values] of splitRecords(bytes, state.heldBytes, records).entries()) {
    if (values.length === 1 && values[0]?.trim() === '') continue
    checkFieldSizes(state.header === null ? 0 : state.rows + 1, values, state.limits)
    if (state.header === null) {
      state.header = readHeader(values, state.columns)
      continue
    }
    state.rows += 1
    checkRowCount(state.rows, state.limits)
    const { start, next, line } = records[index] as ScannedRecord
    rows.push({ row: state.rows, values, line, start: state.bytes + start, end: state.bytes + next })
  }
  return rows
}

function withoutMark(state: Reading, bytes: Buffer): Buffer {
  if (!bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)) return bytes
  state.bytes = byteOrderMark.length
  return bytes.subarray(byteOrderMark.length)
}
