import { isAscii, isUtf8 } from 'node:buffer'
import { csvColumnsMax } from '../../contract/limits.ts'
import {
  endRecords,
  type PlacedRecord,
  pushRecords,
  type Separator,
  startPieces,
} from '../../domain/csv/csv-pieces.ts'
import { windows1252Lines } from '../../domain/csv/windows-1252.ts'
import { askChoice, canAsk } from '../ask/ask.ts'
import { invalid, usage } from '../base/cli-error.ts'
import { ifPossible } from '../base/system-fault.ts'
import { visible } from '../base/terminal-text.ts'
import type { Session } from '../command.ts'
import { type CsvSource, firstRecords, headerWithin, rejectionOf, withProgress } from './csv-source.ts'
import { withoutGuards } from './file-kind.ts'
import type { FormatFlags } from './format-flags.ts'
import type { SheetRecord } from './read-sheet.ts'

export type Table = {
  name: string
  encoding: string | undefined
  separators: readonly Separator[]
  first(separator: Separator): PlacedRecord[]
  records(separator: Separator): AsyncIterable<readonly SheetRecord[]>
  hiddenSkipped: number
  otherSheets: readonly string[]
}

const headBytes = 64 * 1024
/** The rows of a slice are converted together. With 64 KiB, V8 copies them again and again. */
const sliceBytes = 8 * 1024

/** Recognises the format by its first bytes. Throws `invalid` if the file cannot be read with certainty. */
export async function openTable(session: Session, source: CsvSource, flags: FormatFlags): Promise<Table> {
  const beginning = source.read(0, Math.min(source.bytes, 8)).toString('latin1')
  if (
    beginning.startsWith('PK\u0003\u0004') ||
    beginning === '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1'
  )
    return workbookTable(session, source, flags)
  rejectOther(source.name, beginning)
  // The file of a workbook's failed rows is CSV, and is imported with the same flags.
  if (flags.sheet !== undefined) session.notice(`${source.name} is not a workbook: --sheet has no effect.`)
  const encoding = await encodingOf(session, source, flags.encoding)
  const head = await firstBytes(source, encoding)
  rejectOther(source.name, head.toString('utf8', 0, 1024))
  return {
    name: source.name,
    encoding,
    separators: flags.separator === undefined ? [',', ';', '\t'] : [flags.separator],
    first: (separator) => withoutGuards(firstRecords(separator, head)),
    records: (separator) => recordsOf(session, source, encoding, startPieces(separator)),
    hiddenSkipped: 0,
    otherSheets: [],
  }
}

const maybeError = 'If a script downloaded it, it may be a login or error page.'
const saveAsCsv = `Open it in a spreadsheet and save it as CSV. ${maybeError}`

/** Files without a table that custody can read: how they begin, what they are, and what to do. */
const others: ReadonlyArray<[begins: RegExp, what: string, hint: string]> = [
  [/^%PDF-/, 'a PDF document', 'Export the list as CSV or as a workbook (.xlsx).'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: gzip begins with one
  [/^\x1f\x8b/, 'compressed with gzip', 'Unpack it first, as with gunzip.'],
  [/^\s*<\?xml\b/i, 'an XML file, not a CSV file', saveAsCsv],
  [/^\s*<(?:!doctype html|html|head|meta|table)\b/i, 'a web page (HTML), not a CSV file', saveAsCsv],
  [/^\s*[{[]\s*["{]/, 'a JSON file, not a CSV file', `Export the list as CSV. ${maybeError}`],
]

function rejectOther(name: string, beginning: string): void {
  const found = others.find(([begins]) => begins.test(beginning))
  if (found) throw invalid(`${name} is ${found[1]}.`, found[2])
}

/** Imported on demand, because the workbook library is larger than everything that lists need. */
async function workbookTable(
  session: Session,
  { name, bytes, read }: CsvSource,
  flags: FormatFlags,
): Promise<Table> {
  const { readSheet } = await import('./read-sheet.ts')
  const sheet = await readSheet(session, name, read(0, bytes), flags)
  const records = withoutGuards(sheet.records)
  const widest = records.reduce((most, { values }) => Math.max(most, values.length), 0)
  const width = Math.min(widest, csvColumnsMax)
  const padded = (record: SheetRecord): SheetRecord => {
    const lacking = Math.max(0, width - record.values.length)
    return { ...record, values: [...record.values, ...Array<string>(lacking).fill('')] }
  }
  return {
    name,
    encoding: undefined,
    separators: [','],
    first: () => records.slice(0, headerWithin).map(padded),
    // One at a time: a single cell far to the right makes every row wide.
    async *records() {
      for (const record of records) yield [padded(record)]
    },
    hiddenSkipped: sheet.hiddenSkipped,
    otherSheets: sheet.otherSheets,
  }
}

async function firstBytes(source: CsvSource, encoding: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of decoded(source, encoding)) {
    pieces.push(piece)
    size += piece.length
    if (size >= headBytes) break
  }
  return Buffer.concat(pieces)
}

async function* recordsOf(
  session: Session,
  source: CsvSource,
  encoding: string,
  pieces: ReturnType<typeof startPieces>,
) {
  try {
    for await (const piece of withProgress(session.io, 'reading', source, decoded(source, encoding)))
      for (let at = 0; at < piece.length; at += sliceBytes)
        yield withoutGuards(pushRecords(pieces, piece.subarray(at, at + sliceBytes)))
    yield withoutGuards(endRecords(pieces))
  } catch (error) {
    throw rejectionOf(error, source.name)
  }
}

const lineMax = 256 * 1024

/** Two adjacent kana do not occur by chance in Western text. */
const kana = /[\u3041-\u30fc]{2}/

type Guess = { encoding: string; isCertain: boolean; line?: number; notUtf8?: Buffer }

/** From the flag, the byte-order mark or the bytes. If that is not certain, asks, or throws `invalid` if it cannot. */
async function encodingOf(session: Session, source: CsvSource, asked: string | undefined): Promise<string> {
  if (asked !== undefined) checkLabel(asked)
  const known = markOf(source.read(0, Math.min(source.bytes, 3))) ?? asked
  if (known !== undefined) return new TextDecoder(known).encoding
  const { encoding, isCertain, line, notUtf8 = Buffer.alloc(0) } = await guess(source)
  if (isCertain) return encoding
  if (!canAsk(session)) {
    throw invalid(
      `${source.name} is not UTF-8 in line ${line}, and its encoding is not certain.`,
      'Name it, as in --encoding windows-1252, macintosh, or shift_jis; or save the file as "CSV UTF-8".',
    )
  }
  const at = notUtf8.findIndex((byte) => byte > 127)
  const sample = notUtf8.subarray(Math.max(0, at - 20), at + 30)
  const choices = ['windows-1252', 'macintosh', 'shift_jis', 'windows-1250'].map((label) => {
    const text = new TextDecoder(label).decode(sample, { stream: true })
    return [label, `${label}: ${visible(text).trim()}`] as const
  })
  const message = `How is ${source.name} encoded? Which of these is line ${line}?`
  return askChoice(session, { flag: '--encoding', message }, Object.fromEntries(choices))
}

async function* decoded(source: CsvSource, encoding: string): AsyncGenerator<Buffer> {
  if (encoding === 'utf-8') return yield* source.pieces()
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const piece of source.pieces()) yield Buffer.from(decoder.decode(piece, { stream: true }))
    yield Buffer.from(decoder.decode())
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw invalid(`${source.name} is not ${encoding}: it contains invalid bytes.`)
  }
}

function checkLabel(label: string): void {
  try {
    new TextDecoder(label)
  } catch {
    const hint = 'As in utf-8, utf-16le, utf-16be, windows-1252, shift_jis'
    throw usage(`--encoding: "${label}" is not known.`, hint)
  }
}

function markOf(head: Buffer): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 'utf-8' : undefined
}

async function guess(source: CsvSource): Promise<Guess> {
  const [readUtf8, readShiftJis] = [readerOf('utf-8'), readerOf('shift_jis')]
  let [utf8, shiftJis, hasKana] = [true, true, false]
  for await (const piece of source.pieces()) {
    utf8 &&= readUtf8(piece) !== undefined
    const text = shiftJis ? readShiftJis(piece) : undefined
    shiftJis &&= text !== undefined
    hasKana ||= kana.test(text ?? '')
  }
  if (utf8 && readUtf8() !== undefined) return { encoding: 'utf-8', isCertain: true }
  if (hasKana && shiftJis && readShiftJis() !== undefined) return { encoding: 'shift_jis', isCertain: true }
  return guessWindows1252(source)
}

/** The returned function decodes the next piece or, without one, the end. It returns undefined if the text is not valid. */
function readerOf(encoding: string): (piece?: Uint8Array) => string | undefined {
  const decoder = new TextDecoder(encoding, { fatal: true })
  return (piece) => ifPossible(() => decoder.decode(piece, { stream: piece !== undefined }))
}

async function guessWindows1252(source: CsvSource): Promise<Guess> {
  const lines = windows1252Lines()
  let [count, line, notUtf8] = [0, 0, Buffer.alloc(0)]
  const take = (bytes: Buffer): void => {
    count += 1
    if (isAscii(bytes)) return
    if (line === 0 && !isUtf8(bytes)) [line, notUtf8] = [count, Buffer.from(bytes)]
    lines.take(bytes)
  }
  let held: Buffer = Buffer.alloc(0)
  for await (const piece of source.pieces()) {
    const bytes = Buffer.concat([held, piece])
    let from = 0
    for (let to = bytes.indexOf(10); to >= 0; to = bytes.indexOf(10, from)) {
      take(bytes.subarray(from, to))
      from = to + 1
    }
    held = bytes.length - from > lineMax ? Buffer.alloc(0) : bytes.subarray(from)
    if (held.length < bytes.length - from) take(bytes.subarray(from))
  }
  take(held)
  return { encoding: 'windows-1252', isCertain: lines.areCertain(), line, notUtf8 }
}
