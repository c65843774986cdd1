import { checkText, notText } from './csv-limits.ts'
import { endScan, type RecordScan, type ScannedRecord, scanRecords, startScan } from './csv-records.ts'
import { splitRecords } from './csv-split.ts'

/**
 * The fields of a record and its place: the line on which it begins, its first byte and the one after its line break,
 * or after the first half of one that two pieces share.
 */
export interface PlacedRecord {
  values: readonly string[]
  line: number
  start: number
  end: number
}

/** What may stand between two fields. */
export type Separator = ',' | ';' | '\t'

/** A file that comes in pieces of any size; changed by `pushRecords` and `endRecords` alone. */
export interface Pieces {
  readonly separator: Separator
  readonly scan: RecordScan
  /** Of the file, up to the current piece. */
  bytes: number
  /** The beginning of a record whose end has not come yet. */
  held: Uint8Array[]
  heldBytes: number
  /** The first bytes of the file, while it is not known whether they are a byte-order mark. */
  opening: Uint8Array | null
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** A file of which nothing was read yet. */
export function startPieces(separator: Separator = ','): Pieces {
  return { separator, scan: startScan(), bytes: 0, held: [], heldBytes: 0, opening: new Uint8Array() }
}

/** The records that the next piece completes. Throws what the piece shows to be wrong with the file. */
export function pushRecords(state: Pieces, piece: Uint8Array): PlacedRecord[] {
  if (state.opening === null) return takePiece(state, piece)
  const opening = Buffer.concat([state.opening, piece])
  state.opening = opening.length < byteOrderMark.length ? opening : null
  return state.opening === null ? takePiece(state, withoutMark(state, opening)) : []
}

/** The last record, when no line break ends it. Throws when a quote is open. */
export function endRecords(state: Pieces): PlacedRecord[] {
  const { opening } = state
  state.opening = null
  const records = opening === null ? [] : takePiece(state, opening)
  const last = endScan(state.scan)
  return last === null ? records : [...records, ...placed(state, Buffer.concat(state.held), [last])]
}

function takePiece(state: Pieces, piece: Uint8Array): PlacedRecord[] {
  if (piece.includes(0)) throw notText(piece)
  const scanned = scanRecords(state.scan, piece, state.separator.charCodeAt(0))
  const end = scanned.at(-1)?.next ?? 0
  const complete = end === 0 ? null : Buffer.concat([...state.held, piece.subarray(0, end)])
  const records = complete === null ? [] : placed(state, complete, scanned)
  if (complete !== null) [state.held, state.heldBytes] = [[], 0]
  state.bytes += piece.length
  // Copied, because the caller may use its buffer again.
  state.held.push(Uint8Array.from(piece.subarray(end)))
  state.heldBytes += piece.length - end
  return records
}

/** `bytes` begin with what was held. */
function placed(state: Pieces, bytes: Buffer, scanned: readonly ScannedRecord[]): PlacedRecord[] {
  checkText(bytes)
  const fields = splitRecords(bytes, state.heldBytes, scanned, state.separator)
  return scanned.map(({ start, next, line }, index) => ({
    values: fields[index] as string[],
    line,
    start: state.bytes + start,
    end: state.bytes + next,
  }))
}

function withoutMark(state: Pieces, bytes: Buffer): Buffer {
  if (!bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)) return bytes
  state.bytes = byteOrderMark.length
  return bytes.subarray(byteOrderMark.length)
}
