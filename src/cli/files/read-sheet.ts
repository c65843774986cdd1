import {
  type CellObject,
  type ParsingOptions,
  parse_zip,
  type Range,
  SSF,
  utils,
  type WorkBook,
} from '@e965/xlsx/dist/xlsx.mini.min'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import type { PlacedRecord } from '../../domain/csv/csv-pieces.ts'
import { askChoice, canAsk } from '../ask/ask.ts'
import { CliError, didYouMean, invalid, usage } from '../base/cli-error.ts'
import { counted, digits, rowsNamed } from '../base/counted.ts'
import { visible } from '../base/terminal-text.ts'
import type { Session } from '../command.ts'

/** The parts of an archive, as the library names them. Its own `read` prints lines endlessly if the sizes follow the parts. */
type ZipParts = { FullPaths: string[]; FileIndex: Array<{ name: string; type: 2; content: Buffer }> }

declare module '@e965/xlsx/dist/xlsx.mini.min' {
  function parse_zip(zip: ZipParts, how: ParsingOptions): WorkBook
}

/** `line`: the row number that the spreadsheet shows. */
export type SheetRecord = PlacedRecord & { spoiled?: ReadonlyArray<Spoiled & { at: number }> }

/** A cell whose text may not be what was meant. `why` completes "Column X ..."; `held`: the number behind a different text. */
type Spoiled = { why: string; advice: string; spoils: 'codes' | 'undated' | 'everything'; held?: string }

/** Reads --sheet or the first visible sheet, without empty rows. Throws `usage` if missing, `invalid` if it cannot be read. */
export async function readSheet(
  session: Session,
  name: string,
  bytes: Buffer,
  { sheet: wanted, hidden }: { sheet: string | undefined; hidden: 'include' | 'skip' | undefined },
): Promise<{ records: SheetRecord[]; hiddenSkipped: number; otherSheets: string[] }> {
  const parts = await unpacked(name, bytes)
  const { SheetNames: sheets, Workbook } = parsed(name, parts, { sheets: [] })
  const seen = sheets.filter((_, at) => !Workbook?.Sheets?.[at]?.Hidden)
  const sheet = wanted === undefined ? (seen[0] ?? sheets[0]) : sheetNamed(sheets, wanted)
  if (sheet === undefined) throw usage('The workbook has no sheet.')
  const otherSheets = wanted === undefined ? seen.slice(1) : []
  const others = wanted === undefined ? `, the first of ${sheets.length}; --sheet names another` : ''
  if (sheets.length > 1) session.notice(`Read the sheet ${visible(sheet)}${others}.`)
  const how = { dense: true, cellNF: true, cellStyles: true, sheetStubs: true, sheetRows: rowsMax } as const
  const workbook = parsed(name, parts, { ...how, sheets: [sheet] })
  // The reader omits a sheet that it cannot read.
  if (workbook.Sheets[sheet] === undefined)
    throw notOpened(name, `a damaged workbook (its sheet ${sheet} cannot be read)`)
  const records = recordsOf(workbook, sheet)
  rejectRepeated(name, records)
  const heights = workbook.Sheets[sheet]?.['!rows'] ?? []
  const isHidden = (line: number): boolean =>
    heights[line - 1]?.hidden === true || heights[line - 1]?.hpt === 0
  const lines = records.map(({ line }) => line).filter(isHidden)
  if (lines.length === 0) return { records, hiddenSkipped: 0, otherSheets }
  const included = (hidden ?? (await askHidden(session, name, lines))) === 'include'
  session.notice(
    `${counted(lines.length, 'hidden row is', 'hidden rows are')} ${included ? 'read too' : 'not read'}.`,
  )
  return included
    ? { records, hiddenSkipped: 0, otherSheets }
    : { records: records.filter(({ line }) => !isHidden(line)), hiddenSkipped: lines.length, otherSheets }
}

/** Throws `invalid` on any content that the reader cannot read: a part that is missing, or that contradicts another. */
function parsed(name: string, parts: ZipParts, how: ParsingOptions): WorkBook {
  try {
    return parse_zip(parts, { ...how, cellFormula: false, cellHTML: false })
  } catch (error) {
    throw notOpened(name, `a damaged workbook (${(error as Error).message})`)
  }
}

/** A filter hides rows that a person may have meant to exclude, or merely not to see. */
async function askHidden(
  session: Session,
  name: string,
  lines: readonly number[],
): Promise<'include' | 'skip'> {
  const message = `${name} hides ${rowsNamed(lines)} of its sheet, by a filter or by hand.`
  const asked = { flag: '--hidden', message: `${message} Read them too?` }
  if (canAsk(session)) return askChoice(session, asked, { skip: 'leave them out', include: 'read them too' })
  throw invalid(message, 'Choose --hidden skip or --hidden include.')
}

function sheetNamed(sheets: readonly string[], wanted: string): string {
  const key = wanted.trim().toLowerCase()
  const found = sheets.find((name) => name.toLowerCase() === key) ?? sheets[Number(key) - 1]
  if (found !== undefined) return found
  throw usage(
    `--sheet: there is no sheet "${wanted}".`,
    didYouMean(wanted, sheets, `The sheets are ${sheets.join(', ')}.`),
  )
}

function recordsOf({ Sheets, Workbook }: WorkBook, name: string): SheetRecord[] {
  const rows = Sheets[name]?.['!data'] ?? []
  const isFrom1904 = Workbook?.WBProps?.date1904 === true
  const reachDown = merges(rows, Sheets[name]?.['!merges'] ?? [])
  const width = rows.reduce((most, cells) => Math.max(most, cells?.length ?? 0), 0)
  const records: SheetRecord[] = []
  for (const [index, cells] of rows.entries()) {
    const values: string[] = []
    const spoiled: Array<Spoiled & { at: number }> = []
    for (const [at, cell] of (cells ?? []).entries()) {
      const read = cell ? cellText(cell, isFrom1904) : { text: '' }
      values.push(read.text)
      if (read.spoiled !== undefined) spoiled.push({ at, ...read.spoiled })
    }
    while (values.at(-1)?.trim() === '' && !spoiled.some(({ at }) => at >= values.length - 1)) values.pop()
    if (values.length === 0) continue
    const merged = new Set<number>()
    for (const { s, e } of reachDown(index))
      for (let at = s.c; at <= e.c && at < width && merged.size < width; at++) merged.add(at)
    for (const at of merged) spoiled.push({ at, ...mergedCell })
    records.push({ values, line: index + 1, start: 0, end: 0, ...(spoiled.length > 0 && { spoiled }) })
  }
  return records
}

/** Many cells may share one long text: the file has it once, and everything made from its rows has it once for each. */
function rejectRepeated(name: string, records: readonly SheetRecord[]): void {
  let length = 0
  for (const { values } of records) for (const value of values) length += value.length
  if (length > unpackedMax)
    throw tooLarge(name, `has more than ${unpackedMax / 2 ** 20} MiB of text in its cells`)
}

const mergedCell = {
  why: 'is merged with the cell above it',
  advice: 'unmerge the cells and fill in every row',
  spoils: 'everything',
} as const

/** The returned function, called in row order, names merged cells that reach down to a row: only their first row has a value. */
function merges(rows: CellObject[][], ranges: readonly Range[]): (row: number) => Range[] {
  const textOf = ({ s }: Range) => String(rows[s.r]?.[s.c]?.v ?? '').trim()
  const coming = ranges
    .filter((range) => range.e.r > range.s.r && textOf(range) !== '')
    .sort((a, b) => b.s.r - a.s.r || b.s.c - a.s.c)
  let open: Range[] = []
  return (row) => {
    while ((coming.at(-1)?.s.r ?? row) < row) open.push(coming.pop() as Range)
    open = open.filter(({ e }) => e.r >= row)
    return open
  }
}

/** Spreadsheets keep fifteen digits. */
const exactBelow = 1e15

const withoutResult = {
  why: 'contains a formula without its result',
  advice: 'open the file in a spreadsheet and save it',
  spoils: 'everything',
} as const

/** As shown, but numbers with all digits, and dates as 2026-05-04 in every language. */
function cellText(cell: CellObject, isFrom1904: boolean): { text: string; spoiled?: Spoiled } {
  const shown = cell.w ?? ''
  switch (cell.t) {
    case 'n':
      return numberText(cell.v as number, shown, cell.z, isFrom1904)
    case 'd':
      return { text: shown, spoiled: noDate }
    case 'z':
      return cell.f === undefined ? { text: '' } : { text: '', spoiled: withoutResult }
    default:
      return { text: typeof cell.v === 'string' ? cell.v : shown }
  }
}

function numberText(
  value: number,
  shown: string,
  format: unknown,
  isFrom1904: boolean,
): { text: string; spoiled?: Spoiled } {
  if (SSF.is_date(String(format ?? '')))
    return { text: dateText(value, isFrom1904) ?? shown, spoiled: noDate }
  const plain = shown.replace(/[\s,']/g, '')
  const isWhole = Number.isInteger(value)
  if (isWhole && Math.abs(value) >= exactBelow)
    return {
      text: shown,
      spoiled: noCode('contains a number of more than 15 digits, which spreadsheets round'),
    }
  const isExact = Number(plain) === value
  // 0001234567 comes from the column's format: a person has restored the zeros.
  if (isExact && (isWhole ? /^-?\d+$/ : /^-?\d+\.\d+$/).test(plain)) return { text: plain }
  const text = isWhole && /^(?:-?\d(?:\.\d+)?E\+\d+|#+)$/i.test(plain) ? String(value) : shown
  // If 1.2E+08 is exact, digits were lost before, or the code 12E7 became a number.
  if (text !== shown && !isExact) return { text }
  // Drops the rounding error, as in 195.57999999999998.
  const held = String(Number(value.toPrecision(15)))
  return { text, spoiled: { ...noCode(`shows "${shown}" but contains ${value}`), held } }
}

function noCode(why: string, spoils: Spoiled['spoils'] = 'codes'): Spoiled {
  return { why, advice: 'format the column as text and type it again', spoils }
}

/** A spreadsheet takes the street number "12-1" and the flat "1/2" for dates. */
const noDate = noCode('contains a date', 'undated')

function dateText(value: number, date1904: boolean): string | undefined {
  const date = value < 1 ? null : SSF.parse_date_code(value, { date1904 })
  if (!date) return undefined
  const { y, m, d, H, M, S } = date
  const day = `${y}-${two(m)}-${two(d)}`
  return H + M + S === 0 ? day : `${day} ${two(H)}:${two(M)}:${two(S)}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

/** Unpacked bytes: about 150,000 rows of ten columns, which take 600 MB to read. */
const unpackedMax = 64 * 1024 * 1024

function tooLarge(name: string, excess: string): CliError {
  return invalid(`${name} ${excess}.`, 'Save the sheet as CSV (UTF-8), which may have any size, or split it.')
}

const others: Readonly<Record<string, string>> = {
  'xl/workbook.bin': 'a binary Excel workbook (.xlsb)',
  'content.xml': 'an OpenDocument file (.ods)',
  'Index/Document.iwa': 'a Numbers document',
  'word/document.xml': 'a Word document',
}

/** Throws `invalid` if the file is not a workbook, damaged, or too large. */
async function unpacked(name: string, bytes: Buffer): Promise<ZipParts> {
  if (!bytes.toString('latin1', 0, 2).startsWith('PK'))
    throw notOpened(
      name,
      bytes.includes('EncryptedPackage', 0, 'utf16le')
        ? 'a workbook with a password: remove the password'
        : 'an old Excel workbook (.xls)',
    )
  const parts: ZipParts = { FullPaths: [], FileIndex: [] }
  try {
    const zip = await fromBufferPromise(bytes)
    let size = 0
    for await (const entry of zip.eachEntry()) {
      const pieces: Buffer[] = []
      for await (const piece of piecesOf(zip, entry)) {
        pieces.push(piece)
        size += piece.length
        if (size > unpackedMax)
          throw tooLarge(name, `has more than ${unpackedMax / 2 ** 20} MiB when it is unpacked`)
      }
      const content = Buffer.concat(pieces)
      const excess = entry.fileName.endsWith('.xml') && excessIn(content.toString('latin1'))
      if (excess) throw tooLarge(name, excess)
      parts.FullPaths.push(entry.fileName)
      parts.FileIndex.push({ name: entry.fileName, type: 2, content })
    }
  } catch (error) {
    if (error instanceof CliError) throw error
    throw notOpened(name, `damaged: it cannot be unpacked (${(error as Error).message})`)
  }
  if (parts.FullPaths.includes('xl/workbook.xml')) return parts
  const other = Object.entries(others).find(([part]) => parts.FullPaths.includes(part))?.[1]
  throw notOpened(name, other ?? 'an archive, but not an Excel workbook: unpack it')
}

function notOpened(name: string, what: string): CliError {
  const hint = 'Open it in a spreadsheet and save it as an Excel workbook (.xlsx) or as CSV.'
  return invalid(`${name} is ${what}.`, hint)
}

async function* piecesOf(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  if (entry.fileName.endsWith('/')) return
  for await (const piece of await zip.openReadStreamPromise(entry)) yield piece as Buffer
}

const rowsMax = 1_048_576
const columnsMax = 16_384
/** Parts that cost more than their size in the file: the reader expands them to cells or keeps them in memory. */
const limits = new Map<string, readonly [most: number, name: string]>([
  ['mergeCell', [5_000, 'ranges of merged cells']],
  ['hyperlink', [100_000, 'cells with hyperlinks']],
  ['col', [1_000, 'formatted groups of columns']],
  ['definedName', [10_000, 'defined names']],
  ['sheet', [1_000, 'sheets']],
  ['far', [100, 'cells beyond column ZZ']],
])
/**
 * One of these tags; an unusual cell or row reference; the first or last of a group of columns; or a number format that is longer
 * than spreadsheets allow (255 characters, some of them escaped): the reader would parse it for each cell.
 */
const marks =
  /<(?:\w{1,20}:)?(mergeCell|hyperlink|col|definedName|sheet)\s|[\s:]r\s*=\s*["']((?:[A-Z]{3}|[A-Z]{0,2}(?:[^A-Z\d"'<>]|\d{1,6}[^\d"'<>]|\d{6}))[^"'<>]*\d)|\b(?:min|max)\s*=\s*["']\s*([-+]?\d{5,})[^.\d]|\sformatCode\s?=\s?(?:"[^"]{601}|'[^']{601})/g

/** Searches a part of a workbook for content that would take minutes or gigabytes to read. */
function excessIn(text: string): string | undefined {
  const counts = new Map<string, number>()
  for (const { 0: mark, 1: tag, 2: cell = '', 3: last = 0, index } of text.matchAll(marks)) {
    if (mark.includes('formatCode')) return 'has a number format that is longer than any spreadsheet allows'
    // Like the reader, ignores anything but capital letters and digits.
    const { r, c } = utils.decode_cell(cell)
    const column = c + 1 || Math.abs(Number(last))
    if (r >= rowsMax) return `has a row ${r + 1}, which no spreadsheet has`
    if (column > columnsMax) return `has a column ${column}, which no spreadsheet has`
    const kind = tag ?? (c >= utils.decode_col('AAA') ? 'far' : '')
    const [most, name] = limits.get(kind) ?? [Number.POSITIVE_INFINITY, '']
    const more = kind === 'hyperlink' ? cellsOf(text.slice(index, text.indexOf('<', index + 1))) : 1
    const count = (counts.get(kind) ?? 0) + more
    counts.set(kind, count)
    if (count > most) return `has more than ${digits(most)} ${name}`
  }
  return undefined
}

/** The reader adds a hyperlink to each cell of its range. */
function cellsOf(hyperlink: string): number {
  const [, range] = /\sref\s*=\s*["']?([A-Z\d]+:[A-Z\d]+)/.exec(hyperlink) ?? []
  if (range === undefined) return 1
  const { s, e } = utils.decode_range(range)
  const cells = (e.r - s.r + 1) * (e.c - s.c + 1)
  return Number.isFinite(cells) ? cells : Number.POSITIVE_INFINITY
}
