import { isAscii } from 'node:buffer'
import { parse } from 'csv-parse/sync'
import { fileFault } from './csv-header.ts'
import { checkText, notText } from './csv-limits.ts'

/** `end` is after the line break, or after its first half if two pieces share it. */
export interface PlacedRecord {
  values: readonly string[]
  line: number
  start: number
  end: number
}

export type Separator = ',' | ';' | '\t'

export interface Pieces {
  readonly separator: Separator
  readonly scan: RecordScan
  /** Bytes of the file before the current piece. */
  bytes: number
  /** The beginning of a record that is not complete yet. */
  held: Uint8Array[]
  heldBytes: number
  /** The first bytes of the file, until it is known whether they are a byte-order mark. */
  opening: Uint8Array | null
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

export function startPieces(separator: Separator = ','): Pieces {
  return { separator, scan: startScan(), bytes: 0, held: [], heldBytes: 0, opening: new Uint8Array() }
}

/** Returns the records that the piece completes. Throws if the piece has an error. */
export function pushRecords(state: Pieces, piece: Uint8Array): PlacedRecord[] {
  if (state.opening === null) return takePiece(state, piece)
  const opening = Buffer.concat([state.opening, piece])
  state.opening = opening.length < byteOrderMark.length ? opening : null
  return state.opening === null ? takePiece(state, withoutMark(state, opening)) : []
}

/** The last record, if no line break ends it. Throws if a quote is open. */
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
  // Copied, because the caller may reuse its buffer.
  state.held.push(Uint8Array.from(piece.subarray(end)))
  state.heldBytes += piece.length - end
  return records
}

/** `bytes` begin with the held bytes. */
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

/** `bytes` begin with `held` older bytes. Only fields from the first quote to the last are parsed: splitting is ten times as fast. */
function splitRecords(
  bytes: Buffer,
  held: number,
  records: readonly ScannedRecord[],
  separator: string,
): string[][] {
  const textOf = textReader(bytes)
  const quoted: string[] = []
  const aroundQuotes: Array<{ at: number; before: string[]; after: string[] }> = []
  const fields = records.map(({ start, end, isQuoted }, at) => {
    const text = textOf(held + start, held + end)
    if (!isQuoted) return text.split(separator)
    const from = text.lastIndexOf(separator, text.indexOf('"')) + 1
    const to = text.indexOf(separator, text.lastIndexOf('"'))
    quoted.push(text.slice(from, to === -1 ? undefined : to))
    const before = from === 0 ? [] : text.slice(0, from - 1).split(separator)
    aroundQuotes.push({ at, before, after: to === -1 ? [] : text.slice(to + 1).split(separator) })
    return []
  })
  const parsed = parseRecords(quoted, separator)
  for (const [index, { at, before, after }] of aroundQuotes.entries())
    fields[at] = [...before, ...(parsed[index] as string[]), ...after]
  return fields
}

/** Decodes ASCII once, because each byte is a character. */
function textReader(bytes: Buffer): (start: number, end: number) => string {
  if (!isAscii(bytes)) return (start, end) => bytes.toString('utf8', start, end)
  const text = bytes.toString('latin1')
  return (start, end) => text.slice(start, end)
}

function parseRecords(records: readonly string[], delimiter: string): string[][] {
  if (records.length === 0) return []
  return parse(records.join('\n'), {
    delimiter,
    record_delimiter: '\n',
    relax_quotes: true,
    relax_column_count: true,
  })
}

const lineFeed = 10
const carriageReturn = 13
const quote = 34
const comma = 44

/** A quote opens a field only as its first character: 12" is plain text. */
type Mode = 'start' | 'plain' | 'quoted' | 'closed'

/** Bytes count from the beginning of the piece, so a record that began in an earlier one has a `start` below 0. */
interface ScannedRecord {
  start: number
  end: number
  next: number
  line: number
  isQuoted: boolean
}

/** `line` counts as text editors do; `fieldBytes` are those so far of the record's last field. */
interface RecordScan {
  mode: Mode
  fields: number
  fieldBytes: number
  recordBytes: number
  recordLine: number
  isQuoted: boolean
  line: number
  quoteLine: number
  afterReturn: boolean
}

function startScan(): RecordScan {
  return {
    mode: 'start',
    fields: 1,
    fieldBytes: 0,
    recordBytes: 0,
    recordLine: 1,
    isQuoted: false,
    line: 1,
    quoteLine: 0,
    afterReturn: false,
  }
}

/** Throws if text follows a closing quote (decisions 5): the end of that field, and so every later row, would be a guess. */
function scanRecords(scan: RecordScan, bytes: Uint8Array, separator = comma): ScannedRecord[] {
  const records: ScannedRecord[] = []
  let { mode, fields, recordLine, isQuoted, line, afterReturn } = scan
  let field = -scan.fieldBytes
  let start = -scan.recordBytes
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (byte === lineFeed || byte === carriageReturn) {
      const isSecondHalf = byte === lineFeed && afterReturn
      if (!isSecondHalf) line++
      if (mode !== 'quoted') {
        if (!isSecondHalf) {
          const next = byte === carriageReturn && bytes[index + 1] === lineFeed ? index + 2 : index + 1
          records.push({ start, end: index, next, line: recordLine, isQuoted })
        }
        mode = 'start'
        fields = 1
        isQuoted = false
        recordLine = line
        start = field = index + 1
      }
    } else if (byte === quote) {
      if (mode === 'start') [scan.quoteLine, isQuoted] = [line, true]
      mode = afterQuote(mode)
    } else if (byte === separator) {
      if (mode !== 'quoted') {
        mode = 'start'
        fields++
        field = index + 1
      }
    } else if (mode === 'start') {
      mode = 'plain'
    } else if (mode === 'closed') {
      throw textAfterQuote(scan.quoteLine)
    }
    afterReturn = byte === carriageReturn
  }
  const [fieldBytes, recordBytes] = [bytes.length - field, bytes.length - start]
  Object.assign(scan, { mode, fields, fieldBytes, recordBytes, recordLine, isQuoted, line, afterReturn })
  return records
}

/** Throws if a quoted field is still open (decisions 5). */
function endScan(scan: RecordScan): ScannedRecord | null {
  const { mode, recordBytes, recordLine, isQuoted, quoteLine } = scan
  if (mode === 'quoted') {
    throw fileFault(`has an unterminated quote: the field that opens on line ${quoteLine} is never closed`)
  }
  return recordBytes === 0 ? null : { start: -recordBytes, end: 0, next: 0, line: recordLine, isQuoted }
}

/** A second quote after a closing one makes both a quote within the field (RFC 4180). */
function afterQuote(mode: Mode): Mode {
  if (mode === 'start' || mode === 'closed') return 'quoted'
  return mode === 'quoted' ? 'closed' : 'plain'
}

function textAfterQuote(line: number) {
  return fileFault(
    `has an unterminated quote: the field that opens on line ${line} has text after its closing quote; a quote within a quoted field is written twice`,
  )
}
