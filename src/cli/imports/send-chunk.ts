import type { Client } from '../../client/client.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import { newUuid } from '../../runtime/identifiers.ts'
import { isReplayed } from '../connection/idempotency.ts'
import { csvLine } from '../output/csv-text.ts'
import { type CheckedFile, checkLocally, encodeRows, type PlannedChunk, rowsOfChunk } from './chunk-rows.ts'
import type { EqualRows } from './equal-rows.ts'
import type { FailedRow } from './errors-file.ts'
import { type Located, located } from './formats/located.ts'
import { mayBeGuarded } from './formats/own-marks.ts'
import type { RowPlaces } from './formats/row-places.ts'
import { type ChunkedKind, type ChunkResult, noDay, type RepeatedRow } from './import-kind.ts'
import type { FilePlan } from './plan-file.ts'
import type { Repeats } from './repeats.ts'

export type Sending = CheckedFile<ChunkedKind> & {
  places: RowPlaces
  client: Client
  plan: FilePlan
  repeats: Repeats
  equals: EqualRows
  /** What became of rows that others are counted in. */
  sums: Map<number, 'created' | 'same' | CsvRowError>
  /** Aborts a request that a service does not answer. */
  stop: AbortSignal
}

/** What became of the rows of a chunk. */
export type SentChunk = {
  created: number
  /** Orders that were created, where they are fewer than the rows. */
  orders: number
  /** Rows whose resource exists already, with the same content. */
  same: number
  /** Rows that failed here or there, in the file's order, with the file's row numbers. */
  errors: Located<CsvRowError>[]
  failed: FailedRow[]
  /** Rows that were sent. */
  sent: number
}

/** How often what failed in a stored result is looked for under the key of its next attempt, before a new one is taken. */
const attemptsMax = 50

/** Sends one chunk: as it stands in the file where it may, else the rows that passed the local check. */
export async function sendChunk(sending: Sending, chunk: PlannedChunk): Promise<SentChunk> {
  const { source, kind, header } = sending
  const raw = source.read(chunk.from, chunk.to)
  const isPlain =
    chunk.isWhole && header.every((name) => kind.columns.known.includes(name)) && !mayBeGuarded(raw)
  if (isPlain) {
    const upload = Buffer.concat([Buffer.from(csvLine(header)), raw])
    const rows = rowsOnce(() => rowsOfChunk(sending, chunk, raw))
    return finish(sending, rows, [], await carryOut(sending, upload, rows, { count: chunk.rows }))
  }
  const rows = rowsOfChunk(sending, chunk, raw)
  const { good, bad } = goodRows(sending, rows, noDay)
  const outcome =
    good.length === 0 ? nothing : await carryOut(sending, encodeRows(kind, header, good), () => good)
  return finish(sending, () => rows, bad, outcome)
}

/** The rows that are sent, and those that fail here. `today`: a UTC date. */
export function goodRows(
  file: CheckedFile & { plan: FilePlan },
  rows: readonly CsvRow[],
  today: string,
): { good: CsvRow[]; bad: CsvRowError[] } {
  const { kind, header, plan, useLint } = file
  const { failed, combined } = plan
  const checked = checkLocally(header, rows, kind.checker(header, today), useLint ? kind : undefined)
  return {
    good: checked.good.filter(({ row }) => !failed.has(row) && !combined.has(row)).map(summed(file)),
    bad: [...checked.bad.filter(({ row }) => !failed.has(row)), ...failedIn(failed, rows)],
  }
}

/** What became of rows that were sent, which have the numbers of the file. */
type Outcome = Pick<SentChunk, 'created' | 'same' | 'sent'> & { errors: CsvRowError[] }

const nothing: Outcome = { created: 0, same: 0, sent: 0, errors: [] }

/**
 * Sends rows. A stored result of an earlier import may have failures whose cause is settled since: these rows are sent again, each
 * attempt under the key that follows from the one before, so that every process that repeats the import finds its result.
 */
async function carryOut(
  sending: Sending,
  upload: Uint8Array,
  rowsOf: () => readonly CsvRow[],
  { count = rowsOf().length, headers = sending.repeats.headers, after = '' } = {},
): Promise<Outcome> {
  const { kind, client, stop: signal, repeats } = sending
  const outcome: Outcome = { created: 0, same: 0, sent: count, errors: [] }
  let rows = rowsOf
  let bytes = upload
  let idempotencyKey = repeats.keyOf(`${kind.name}${after}`, bytes)
  for (let attempt = 1; ; attempt++) {
    const answer = await kind.send(client, bytes, { idempotencyKey, headers, signal })
    const { errors: found, repeated = [], totals } = resultWithoutRows(answer.text) ?? answer.data
    const isEarlier = isReplayed(answer) && !answer.isRepeat
    const numberOf = (row: number): number => rows()[row - 1]?.row ?? row
    const errors = found.map((error) => ({ ...error, row: numberOf(error.row) }))
    outcome[isEarlier ? 'same' : 'created'] += totals.created
    outcome.same += repeated.filter(({ by }) => by !== 'content').length
    noteSums(
      sending,
      rows,
      isEarlier,
      errors,
      repeated.map(({ row }) => numberOf(row)),
    )
    const equal = repeated
      .filter(({ by }) => by === 'content')
      .map((one) => ({ ...one, row: numberOf(one.row) }))
    await settleEqual(sending, equal, rows, outcome, idempotencyKey)
    if (!isEarlier || !repeats.retries || errors.length === 0) {
      outcome.errors.push(...errors)
      return outcome
    }
    const again = rowsWith(rows(), errors)
    rows = () => again
    bytes = encodeRows(kind, sending.header, again)
    const next = attempt < attemptsMax ? idempotencyKey : newUuid()
    idempotencyKey = repeats.keyOf(`${kind.name} after ${next}`, bytes)
  }
}

/** Rows that equal earlier orders without a reference to tell. */
async function settleEqual(
  sending: Sending,
  equal: readonly RepeatedRow[],
  rows: () => readonly CsvRow[],
  outcome: Outcome,
  key: string,
): Promise<void> {
  if (equal.length === 0) return
  const { policy, held, errorOf } = sending.equals
  if (policy === 'skip') outcome.same += equal.length
  else if (policy === 'ask') held.push(...equal)
  else if (policy === 'fail') outcome.errors.push(...equal.map(errorOf))
  else addTo(outcome, await orderAgain(sending, rowsWith(rows(), equal), ` equal after ${key}`))
}

/** Orders rows although equal orders exist. */
async function orderAgain(sending: Sending, rows: readonly CsvRow[], after: string): Promise<Outcome> {
  const upload = encodeRows(sending.kind, sending.header, rows)
  return carryOut(sending, upload, () => rows, { headers: {}, after })
}

/** Orders the rows of one chunk that were held until somebody was asked about them. */
export async function orderHeld(sending: Sending, chunk: PlannedChunk): Promise<SentChunk> {
  const rows = rowsOfChunk(sending, chunk)
  const held = rowsWith(rows, sending.equals.held).map(summed(sending))
  return finish(sending, () => held, [], await orderAgain(sending, held, ' equal'))
}

function addTo(outcome: Outcome, { created, same, errors }: Outcome): void {
  outcome.created += created
  outcome.same += same
  outcome.errors.push(...errors)
}

function rowsWith(rows: readonly CsvRow[], some: ReadonlyArray<{ row: number }>): CsvRow[] {
  const wanted = new Set(some.map(({ row }) => row))
  return rows.filter(({ row }) => wanted.has(row))
}

/** A row with what --combine adds to its quantity. */
function summed({ plan, header }: Pick<Sending, 'plan' | 'header'>): (row: CsvRow) => CsvRow {
  const at = header.indexOf('quantity')
  return ({ row, values }) => {
    const added = plan.added.get(row)
    return added === undefined
      ? { row, values }
      : { row, values: values.with(at, String(Number(values[at]) + added)) }
  }
}

/** Notes what became of rows that later rows are counted in. */
function noteSums(
  { plan, sums }: Sending,
  rows: () => readonly CsvRow[],
  isEarlier: boolean,
  errors: readonly CsvRowError[],
  repeated: readonly number[],
): void {
  if (plan.added.size === 0) return
  for (const { row } of rows()) if (plan.added.has(row)) sums.set(row, isEarlier ? 'same' : 'created')
  for (const row of repeated) if (plan.added.has(row)) sums.set(row, 'same')
  for (const error of errors) if (plan.added.has(error.row)) sums.set(error.row, error)
}

/** The end of an answer without errors says it all: the thousands of rows before it need not be read. */
function resultWithoutRows(text: string): ChunkResult | undefined {
  const end = text.slice(-200)
  const at = end.lastIndexOf('"totals":{')
  const isWithoutRows = ['"errors":[],', '"errors":[],"repeated":[],'].some((empty) =>
    end.slice(0, at).endsWith(empty),
  )
  if (at < 0 || !isWithoutRows) return undefined
  return { created: [], errors: [], ...JSON.parse(`{${end.slice(at)}`) }
}

/** The service counts the rows that it was given; the operator those of the file. */
export function finish(
  { plan, places, sums }: Pick<Sending, 'plan' | 'places' | 'sums'>,
  rows: () => readonly CsvRow[],
  bad: readonly CsvRowError[],
  { created, same, sent, errors: found }: Outcome,
): SentChunk {
  const result = { created, same, sent, orders: created }
  const others: CsvRowError[] = []
  for (const { row } of plan.combined.size === 0 ? [] : rows()) {
    const outcome = sums.get(plan.combined.get(row) ?? row)
    if (!plan.combined.has(row) || outcome === undefined) continue
    if (typeof outcome === 'string') result[outcome] += 1
    else others.push({ ...outcome, row })
  }
  const errors = [...found, ...bad, ...others].sort((a, b) => a.row - b.row)
  if (errors.length === 0) return { ...result, errors: [], failed: [] }
  const valuesOf = new Map(rows().map(({ row, values }) => [row, values]))
  const inFile = errors.map((error) => located(error, places))
  const failed = inFile.map(({ row, code, message }, index) => {
    return { row, code, message, values: valuesOf.get(errors[index]?.row ?? 0) ?? [] }
  })
  return { ...result, errors: inFile, failed }
}

/** Those of a chunk that fail because of other rows of the file. */
export function failedIn(failed: FilePlan['failed'], rows: readonly CsvRow[]): CsvRowError[] {
  if (failed.size === 0) return []
  return rows.flatMap(({ row }) => failed.get(row) ?? [])
}

function rowsOnce(read: () => CsvRow[]): () => CsvRow[] {
  let rows: CsvRow[] | undefined
  return () => {
    rows ??= read()
    return rows
  }
}
