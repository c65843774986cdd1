import { type CsvColumns, checkColumnCount, fileFault, readHeader } from './csv-header.ts'
import {
  checkFieldSizes,
  checkRowCount,
  csvUploadLimits,
  fieldTooLarge,
  type ReadingLimits,
  rowTooLong,
} from './csv-limits.ts'
import { endRecords, type Pieces, type PlacedRecord, pushRecords, startPieces } from './csv-pieces.ts'

/** `row` is its ordinal; `values` are in the header's order and may be more or fewer than its columns. */
export interface CsvRow {
  row: number
  values: readonly string[]
}

export interface PlacedRow extends CsvRow, PlacedRecord {}

interface Reading {
  readonly columns: CsvColumns
  readonly limits: ReadingLimits
  readonly pieces: Pieces
  header: readonly string[] | null
  rows: number
  /** Blank lines only count for the limit of rows (decisions 12). */
  blankLines: number
}

/** Reads a file that arrives in pieces. Must not be used after it has thrown. */
export interface CsvReader {
  /** Null until the header line was read. */
  header(): readonly string[] | null
  push(piece: Uint8Array): PlacedRow[]
  /** The last row, if no line break ends it. Throws if a quote is open, or the file has no header or data row. */
  end(): PlacedRow[]
}

/** Accepts a file in pieces of any size; throws at the piece that has the error. */
export function openCsv(columns: CsvColumns, limits: ReadingLimits = csvUploadLimits): CsvReader {
  const state: Reading = { columns, limits, pieces: startPieces(), header: null, rows: 0, blankLines: 0 }
  return {
    header: () => state.header,
    push(piece) {
      const rows = takeRecords(state, pushRecords(state.pieces, piece))
      checkHeld(state)
      return rows
    },
    end() {
      const rows = takeRecords(state, endRecords(state.pieces))
      if (state.header === null) throw fileFault('has no header line: the first line names the columns')
      if (state.rows === 0 && !limits.mayBeEmpty) throw fileFault('has no data row')
      return rows
    },
  }
}

/** Rejects an endless field or row before it fills the memory. */
function checkHeld({ pieces, limits, header, columns }: Reading): void {
  const { scan, heldBytes } = pieces
  if (header === null) checkColumnCount(scan.fields, columns)
  const fields = columns.known.length + (columns.ignored?.length ?? 0) + 1
  // In a quoted field every byte may be a doubled quote.
  if (heldBytes <= fields * 2 * (limits.fieldBytes + 2)) return
  if (header === null || scan.fields <= fields || scan.fieldBytes > limits.fieldBytes)
    throw fieldTooLarge(`near line ${scan.line}`, limits)
  throw rowTooLong(scan.fields, scan.line, header.length)
}

/** Blank lines have no number; the first other line is the header. */
function takeRecords(state: Reading, records: readonly PlacedRecord[]): PlacedRow[] {
  const rows: PlacedRow[] = []
  for (const { values, line, start, end } of records) {
    if (values.length === 1 && values[0]?.trim() === '') {
      state.blankLines += 1
      checkRowCount(state.rows, state.blankLines, state.limits)
      continue
    }
    checkFieldSizes(state.header === null ? 0 : state.rows + 1, values, state.limits)
    if (state.header === null) {
      state.header = readHeader(values, state.columns)
      continue
    }
    state.rows += 1
    checkRowCount(state.rows, state.blankLines, state.limits)
    rows.push({ row: state.rows, values, line, start, end })
  }
  return rows
}
