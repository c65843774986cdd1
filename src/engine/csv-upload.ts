import { json } from '../contract/call.ts'
import type { Repeats } from '../contract/enums.ts'
import type { CsvRowError } from '../contract/resources/error.ts'
import type { CsvColumns } from '../domain/csv/csv-header.ts'
import type { AcceptedRow, RowChecker } from '../domain/csv/csv-row.ts'
import { assert } from '../domain/rejection.ts'
import type { RenderedError, StepPart } from './context.ts'
import { joinInTurns, yieldToEventLoop } from './yield-to-event-loop.ts'

/** A row that failed its checks; a lookup may find more faults, because its error lists every faulty field (decisions 5, 12). */
type FaultyRow<T> = { row: number; value: T; error: CsvRowError }

export type CheckedFile<T> = {
  accepted: AcceptedRow<T>[]
  faulty: FaultyRow<T>[]
  errors: RenderedError[]
}

export function inFileOrder<T>({
  accepted,
  faulty,
}: Pick<CheckedFile<T>, 'accepted' | 'faulty'>): ReadonlyArray<AcceptedRow<T> & { error?: CsvRowError }> {
  return faulty.length === 0 ? accepted : [...accepted, ...faulty].sort((a, b) => a.row - b.row)
}

/** The answer for a file of independent rows (4.2, 4.4): what was created, then all errors in file order. */
export async function rowsAnswer(
  found: readonly RenderedError[],
  parts: readonly StepPart[],
  repeats: Repeats,
): Promise<string[]> {
  const created = parts.flatMap((part) => part.created)
  const errors = [...found, ...parts.flatMap((part) => part.errors)]
  const repeated = repeats === 'skip' ? parts.flatMap((part) => part.repeated ?? []) : undefined
  assert(
    repeated !== undefined || parts.every((part) => !part.repeated?.length),
    'repeats are reported if requested',
    repeats,
  )
  const totals = uploadTotals(created.length, errors.length, repeated?.length)
  return [
    '{"created":[',
    ...(await joinInTurns(created)),
    '],"errors":[',
    ...(await errorList(errors)),
    ...(repeated ? ['],"repeated":[', ...(await joinInTurns(repeated))] : []),
    `],"totals":${totals}}`,
  ]
}

/** Errors rendered at once: a few milliseconds. */
const errorsAtOnce = 500

/**
 * Parses and checks a file (decisions 5) before the scope is claimed, yielding even during slices without a row. Throws on a bad
 * file: an open quote or too many rows are noticed only at its end. `asks`: whether a faulty row needs a lookup.
 */
export async function checkUpload<T>(
  file: Uint8Array,
  columns: CsvColumns,
  checkerFor: (header: readonly string[]) => RowChecker<T>,
  asks: (value: T, faults: CsvRowError['fields']) => boolean,
): Promise<CheckedFile<T>> {
  const { sliceCsv } = await import('../domain/csv/csv-file.ts')
  const { header, slices } = sliceCsv(file, columns)
  const checked: CheckedFile<T> = { accepted: [], faulty: [], errors: [] }
  let check: RowChecker<T> | undefined
  for (const rows of slices) {
    await yieldToEventLoop()
    if (rows.length === 0) continue
    check ??= checkerFor(header() as readonly string[])
    const { accepted, rejected, readable } = check(rows)
    for (const row of accepted) checked.accepted.push(row)
    for (const [at, error] of rejected.entries()) {
      const value = readable.get(error)
      if (value !== undefined && asks(value, error.fields)) {
        checked.faulty.push({ row: error.row, value, error })
      } else checked.errors.push(rendered(error))
      if (at % errorsAtOnce === errorsAtOnce - 1) await yieldToEventLoop()
    }
  }
  return checked
}

export function rendered(error: CsvRowError): RenderedError {
  return { row: error.row, text: json(error) }
}

/** Without brackets, in file order. Sorts `errors`. */
export async function errorList(errors: RenderedError[]): Promise<string[]> {
  errors.sort((a, b) => a.row - b.row)
  return joinInTurns(errors.map(({ text }) => text))
}

/** `repeated`: under `Custody-Repeats: skip`. */
export function uploadTotals(created: number, failed: number, repeated?: number): string {
  return json({ created, failed, repeated, submitted: created + failed + (repeated ?? 0) })
}
