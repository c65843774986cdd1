import type { CsvColumns } from '../../domain/csv/csv-header.ts'
import { type CsvLimits, csvUploadLimits } from '../../domain/csv/csv-limits.ts'
import type { Separator } from '../../domain/csv/csv-pieces.ts'
import { type RowChecker, rowError } from '../../domain/csv/csv-row.ts'
import type { FieldErrors } from '../../domain/rejection.ts'
import { unguarded } from '../output/csv-text.ts'
import type { CsvSource } from './csv-source.ts'

export type FileKind<Row = unknown> = {
  name: 'manifest' | 'products' | 'fulfillments' | 'arrivals'
  columns: CsvColumns
  /** A required column that rows with a SKU may leave empty: the catalog fills it in. */
  fromCatalog?: string
  checker: (header: readonly string[]) => RowChecker<Row>
  /** Columns of codes, which a spreadsheet damages by taking them for numbers. */
  codes: readonly string[]
  dates?: readonly string[]
  /** Columns that only this tool writes, and never sends. */
  marks: readonly string[]
  /** May have a decimal comma in a file with semicolons or tabs. */
  numbers?: readonly string[]
  /** For files of which every row may be skipped: the verb in "Nothing to order". */
  verb?: string
}

/** Rows that are not sent, by reason. */
export type Skipped = Readonly<Record<string, number>>

export const errorColumns = ['error_row', 'error_code', 'error_message'] as const

export type ReadyFile<Kind extends FileKind = FileKind> = {
  source: CsvSource
  kind: Kind
  columns: CsvColumns
  places: RowPlaces
  /** The operator's own columns and their positions; undefined if they are ours. */
  original: ReadonlyArray<{ name: string; at: number }> | undefined
  separator: Separator
  /** One order of a shop is one parcel. */
  isShop: boolean
  skipped: Skipped
}

const noLimit = Number.POSITIVE_INFINITY

/** A converted file may have huge cells in columns that are not sent. */
export function limitsOf({
  original,
  kind,
  skipped,
}: Pick<ReadyFile, 'original' | 'kind' | 'skipped'>): CsvLimits {
  const fieldBytes = original === undefined ? csvUploadLimits.fieldBytes : noLimit
  const mayBeEmpty = kind.verb !== undefined && Object.keys(skipped).length > 0
  return { fileBytes: noLimit, rows: noLimit, fieldBytes, mayBeEmpty }
}

/** For all files, also of other tools: an apostrophe before `=`, `+`, `-` or `@` is a spreadsheet's mark of text. */
export function withoutGuards<Row extends { values: readonly string[] }>(rows: readonly Row[]): Row[] {
  return rows.map((row) =>
    row.values.some((value) => value.includes("'")) ? { ...row, values: row.values.map(unguarded) } : row,
  )
}

/** Appends cells beyond the header's to the last one, so that nothing is lost. */
export function cellAt(cells: readonly string[], at: number, width: number, separator = ','): string {
  return at === width - 1 ? cells.slice(at).join(separator) : (cells[at] ?? '')
}

export type RowPlace = { row: number; line: number }

/** Rows as a spreadsheet counts them below the header, lines as an editor does. */
export function placeOf({ row, line }: RowPlace): string {
  return `row ${row}, line ${line}`
}

/** Records places in order; stores one only if the step between rows changes. */
type RowPlaces = {
  note(ordinal: number, place: RowPlace): void
  of(ordinal: number): RowPlace
  nameOf(ours: string): string | undefined
}

export function rowPlaces(names: ReadonlyMap<string, string> = new Map()): RowPlaces {
  const steps: Array<RowPlace & { ordinal: number }> = []
  const placeAt = (ordinal: number): RowPlace => {
    const from = lastAtMost(steps, ordinal) ?? { ordinal: 1, row: 1, line: 2 }
    const step = ordinal - from.ordinal
    return { row: from.row + step, line: from.line + step }
  }
  return {
    note(ordinal, { row, line }) {
      const expected = placeAt(ordinal)
      if (expected.row !== row || expected.line !== line) steps.push({ ordinal, row, line })
    },
    of: placeAt,
    nameOf: (ours) => names.get(ours),
  }
}

function lastAtMost<Step extends { ordinal: number }>(
  steps: readonly Step[],
  wanted: number,
): Step | undefined {
  let [low, high] = [0, steps.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((steps[middle]?.ordinal ?? 0) <= wanted) low = middle + 1
    else high = middle
  }
  return steps[low - 1]
}

export type Located<Fault> = Fault & { line: number; column?: string | undefined }

type Fault = { row: number; message: string; field?: string; fields?: FieldErrors }

/** Translates row numbers and column names into those of the operator's file. */
export function located<Of extends Fault>(fault: Of, places: RowPlaces): Located<Of> {
  const { fields, field } = fault
  const text = fields === undefined ? fault.message : inFileWords(fault.message, fields, places)
  const message = inFileRows(text, places)
  const column = field === undefined ? undefined : places.nameOf(field)
  const placed = Object.entries(fields ?? {}).map(([ours, faults]) => [
    ours,
    faults.map((each) => inFileRows(each, places)),
  ])
  return {
    ...fault,
    ...places.of(fault.row),
    message,
    ...(fields !== undefined && { fields: Object.fromEntries(placed) }),
    ...(column !== undefined && { column }),
  }
}

const namedRows =
  /\b(already in|also in|because of) rows? (\d{1,9}(?:, \d{1,9}){0,9})(?: and (?![\d,]{1,11} more)(\d{1,9}))?\b/g

function inFileRows(text: string, places: RowPlaces): string {
  return text.replace(namedRows, (_, before: string, list: string, last: string | undefined) => {
    const placed = list.split(', ').map((ordinal) => places.of(Number(ordinal)))
    const [first] = placed
    if (first && placed.length === 1 && last === undefined) return `${before} ${placeOf(first)}`
    const end = last === undefined ? '' : ` and ${places.of(Number(last)).row}`
    return `${before} rows ${placed.map(({ row }) => row).join(', ')}${end}`
  })
}

function inFileWords(message: string, fields: FieldErrors, places: RowPlaces): string {
  if (message !== rowError(0, 'validation_error', fields).message) return message
  const renamed = Object.entries(fields).map(([ours, faults]) => {
    const theirs = places.nameOf(ours)
    if (theirs === undefined) return [ours, faults]
    const inFileNames = (text: string): string =>
      text.replace(/(?<=^is required with (?:sku and )?)[a-z_]+/g, (name) => places.nameOf(name) ?? name)
    return [
      theirs,
      faults.map((fault) => inFileNames(fault.replace(/^is required(?! with| for)/, 'is empty'))),
    ]
  })
  return rowError(0, 'validation_error', Object.fromEntries(renamed)).message
}
