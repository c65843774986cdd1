import { type Json, json } from '../contract/call.ts'
import type { CsvRowError } from '../contract/resources/error.ts'
import type { CsvColumns } from '../domain/csv/csv-header.ts'
import type { AcceptedRow, RowChecker } from '../domain/csv/csv-row.ts'
import { joinInTurns, yieldToEventLoop } from './yield-to-event-loop.ts'

/** An error as it is answered: rendered when it is found, since fifty thousand at once would take a third of a second. */
export type RenderedError = { row: number; text: Json<CsvRowError> }

/** A row with faults that may have more, which only a look-up tells: a row names every faulty field (decisions 5, 12). */
export type FaultyRow<T> = { row: number; value: T; error: CsvRowError }

/** Rows of a file, in its order: those that are right as far as the file tells, and the errors of the others. */
export type CheckedSlice<T> = {
  accepted: AcceptedRow<T>[]
  faulty: FaultyRow<T>[]
  errors: RenderedError[]
}

/** How many errors are rendered at once: a few milliseconds. */
const errorsAtOnce = 500

/**
 * Checks an uploaded file slice by slice (decisions 5) and lets others in between, also where slice after slice has no row.
 * Throws the refusal of a bad file. `asks`: whether something is to be looked up for a row with faults.
 */
export async function* checkUpload<T>(
  file: Uint8Array,
  columns: CsvColumns,
  checkerFor: (header: readonly string[]) => RowChecker<T>,
  asks: (value: T, faults: CsvRowError['fields']) => boolean,
): AsyncGenerator<CheckedSlice<T>, void> {
  const { sliceCsv } = await import('../domain/csv/csv-file.ts')
  const { header, slices } = sliceCsv(file, columns)
  let check: RowChecker<T> | undefined
  for (const rows of slices) {
    await yieldToEventLoop()
    if (rows.length === 0) continue
    check ??= checkerFor(header() ?? [])
    const { accepted, rejected, readable } = check(rows)
    const slice: CheckedSlice<T> = { accepted, faulty: [], errors: [] }
    for (let from = 0; from < rejected.length; from += errorsAtOnce) {
      for (const error of rejected.slice(from, from + errorsAtOnce)) {
        const value = readable.get(error)
        if (value !== undefined && asks(value, error.fields))
          slice.faulty.push({ row: error.row, value, error })
        else slice.errors.push(rendered(error))
      }
      await yieldToEventLoop()
    }
    yield slice
  }
}

/** The same of a whole file: for those who judge all of it before they write anything. */
export async function checkWhole<T>(slices: AsyncIterable<CheckedSlice<T>>): Promise<CheckedSlice<T>> {
  const whole: CheckedSlice<T> = { accepted: [], faulty: [], errors: [] }
  for await (const { accepted, faulty, errors } of slices) {
    for (const row of accepted) whole.accepted.push(row)
    for (const row of faulty) whole.faulty.push(row)
    for (const error of errors) whole.errors.push(error)
  }
  return whole
}

export function rendered(error: CsvRowError): RenderedError {
  return { row: error.row, text: json(error) }
}

/** The list of errors, in the order of the file. Sorts them. */
export async function errorList(errors: RenderedError[]): Promise<Json<CsvRowError[]>> {
  errors.sort((a, b) => a.row - b.row)
  return `[${await joinInTurns(errors.map(({ text }) => text))}]`
}

/** What became of a file's rows. */
export function uploadTotals(created: number, failed: number): string {
  return json({ created, failed, submitted: created + failed })
}
