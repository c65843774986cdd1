import type { CsvColumns } from '../../../domain/csv/csv-header.ts'
import { type CsvLimits, csvUploadLimits } from '../../../domain/csv/csv-limits.ts'
import type { Separator } from '../../../domain/csv/csv-pieces.ts'
import type { RowChecker } from '../../../domain/csv/csv-row.ts'
import { rowError } from '../../../domain/csv/csv-row-errors.ts'
import type { FieldErrors } from '../../../domain/refusal.ts'
import { unguarded } from '../../output/csv-text.ts'
import type { CsvSource } from './csv-source.ts'

/** A kind of CSV file: its columns and the rules of its rows, the same as the service's. */
export type FileKind<Row = unknown> = {
  name: 'manifest' | 'products' | 'fulfillments' | 'arrivals'
  columns: CsvColumns
  /** A required column that rows with a SKU may lack: the catalog's name of the product fills it in. */
  fromCatalog?: string
  /** A checker for one file or chunk. `today` is a UTC date. */
  checker: (header: readonly string[], today: string) => RowChecker<Row>
  /** Columns of codes, which a spreadsheet damages by taking them for numbers. */
  codes: readonly string[]
  /** Columns that only this tool writes, which are not sent. */
  marks: readonly string[]
  /** Columns of numbers, which may have a decimal comma in a file with semicolons. */
  numbers?: readonly string[]
}

/** What the tool adds to a file of failed rows, which operators correct and import. */
export const errorColumns = ['error_row', 'error_code', 'error_message'] as const

/** A file in our columns, as it was given or converted. */
export type ReadyFile<Kind extends FileKind = FileKind> = {
  source: CsvSource
  kind: Kind
  columns: CsvColumns
  places: RowPlaces
  /** The columns of the operator's own file and where each stands in a row; undefined if they are ours. */
  original: ReadonlyArray<{ name: string; at: number }> | undefined
  separator: Separator
  /** The orders of a shop, each of which is one parcel. */
  isShop: boolean
}

const noLimit = Number.POSITIVE_INFINITY

/** Limits of a file that is sent in parts. A converted one has columns that are not sent; of ours each cell is checked. */
export function limitsOf({ original }: Pick<ReadyFile, 'original'>): CsvLimits {
  const fieldBytes = original === undefined ? csvUploadLimits.fieldBytes : noLimit
  return { fileBytes: noLimit, rows: noLimit, fieldBytes }
}

/**
 * Rows without the guards against formulas, of every file: in those of others, an apostrophe before `=`, `+`, `-` or `@` is a
 * spreadsheet's own mark of a text.
 */
export function withoutGuards<Row extends { values: readonly string[] }>(rows: readonly Row[]): Row[] {
  return rows.map((row) =>
    row.values.some((value) => value.includes("'")) ? { ...row, values: row.values.map(unguarded) } : row,
  )
}

/** The place of a row in the operator's file: its number, and the line on which it begins. */
export type RowPlace = { row: number; line: number }

/** The places of all rows of a file, noted in order; stored only where the step from one row to the next changes. */
export type RowPlaces = {
  note(ordinal: number, place: RowPlace): void
  of(ordinal: number): RowPlace
  /** The name that a column of ours has in the operator's file. */
  nameOf(ours: string): string | undefined
}

/** `names`: those of the file, by our columns. */
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

/** `column`: its name in the operator's file. */
export type Located<Fault> = Fault & { line: number; column?: string | undefined }

type Fault = { row: number; message: string; field?: string; fields?: FieldErrors }

/** An error of a row as the operator's file has it: the numbers of rows, and the names of columns. */
export function located<Of extends Fault>(fault: Of, places: RowPlaces): Located<Of> {
  const { fields, field } = fault
  const text = fields === undefined ? fault.message : inFileWords(fault.message, fields, places)
  const message = text.replace(/\balready in row (\d{1,9})\b/g, (_, ordinal: string) => {
    const { row, line } = places.of(Number(ordinal))
    return `already in row ${row}, line ${line}`
  })
  const column = field === undefined ? undefined : places.nameOf(field)
  return { ...fault, ...places.of(fault.row), message, ...(column !== undefined && { column }) }
}

/** A message that was made of the faults of columns, with the columns' names in the file. */
function inFileWords(message: string, fields: FieldErrors, places: RowPlaces): string {
  if (message !== rowError(0, 'validation_error', fields).message) return message
  const renamed = Object.entries(fields).map(([ours, faults]) => {
    const theirs = places.nameOf(ours)
    if (theirs === undefined) return [ours, faults]
    const inTheirs = (text: string): string =>
      text.replace(/(?<= beside (?:sku and )?)[a-z_]+/g, (name) => places.nameOf(name) ?? name)
    return [theirs, faults.map((fault) => inTheirs(fault.replace(/^is required/, 'is empty')))]
  })
  return rowError(0, 'validation_error', Object.fromEntries(renamed)).message
}
