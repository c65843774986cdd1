import { fileFault } from './csv-fault.ts'

const lineFeed = 10
const carriageReturn = 13
const quote = 34
const comma = 44

/** Where a scan stands in its field. A quote opens a field only as its first character: 12" is plain text. */
type Mode = 'start' | 'plain' | 'quoted' | 'closed'

/**
 * The state of a scan between two pieces of a file. `line` counts as text editors do; `fields` are those of the record in
 * hand, and `fieldBytes` what has come of its last one.
 */
export interface RecordScan {
  mode: Mode
  fields: number
  fieldBytes: number
  line: number
  quoteLine: number
  afterReturn: boolean
}

/** A scan at the beginning of a file. */
export function startScan(): RecordScan {
  return { mode: 'start', fields: 1, fieldBytes: 0, line: 1, quoteLine: 0, afterReturn: false }
}

/**
 * Goes on with the next piece and answers where its last complete record ends: 0 when none does.
 * Throws when text follows a closing quote (decisions 5): where that field ends, and with it every later row, is a guess.
 */
export function scanRecords(scan: RecordScan, bytes: Uint8Array): number {
  let { mode, fields, line, afterReturn } = scan
  let end = 0
  let field = -scan.fieldBytes
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (byte === lineFeed || byte === carriageReturn) {
      if (byte === carriageReturn || !afterReturn) line++
      if (mode !== 'quoted') {
        mode = 'start'
        fields = 1
        end = field = index + 1
      }
    } else if (byte === quote) {
      if (mode === 'start') scan.quoteLine = line
      mode = afterQuote(mode)
    } else if (byte === comma) {
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
  Object.assign(scan, { mode, fields, fieldBytes: bytes.length - field, line, afterReturn })
  return end
}

/** Ends the scan. Throws when a quoted field is still open (decisions 5). */
export function endScan(scan: RecordScan): void {
  if (scan.mode !== 'quoted') return
  throw fileFault(`has an unterminated quote: the field that opens on line ${scan.quoteLine} is never closed`)
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
