import { fileFault } from './csv-header.ts'

const lineFeed = 10
const carriageReturn = 13
const quote = 34
const comma = 44

/** A quote opens a field only as its first character: 12" is plain text. */
type Mode = 'start' | 'plain' | 'quoted' | 'closed'

/** Bytes count from the beginning of the piece, so a record that began in an earlier one has a `start` below 0. */
export interface ScannedRecord {
  start: number
  end: number
  next: number
  line: number
  isQuoted: boolean
}

/** `line` counts as text editors do; `fieldBytes` are those so far of the record's last field. */
export interface RecordScan {
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

export function startScan(): RecordScan {
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
export function scanRecords(scan: RecordScan, bytes: Uint8Array, separator = comma): ScannedRecord[] {
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
export function endScan(scan: RecordScan): ScannedRecord | null {
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
