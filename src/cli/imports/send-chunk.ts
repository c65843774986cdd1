import type { Client } from '../../client/client.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import { rowError } from '../../domain/csv/csv-row-errors.ts'
import { newUuid } from '../../runtime/identifiers.ts'
import { canAsk, isAnsweredYes } from '../ask/confirm.ts'
import { noticedTime } from '../base/times.ts'
import type { Session } from '../command.ts'
import { isReplayed } from '../connection/idempotency.ts'
import { csvLine } from '../output/csv-text.ts'
import { type CheckedFile, checkLocally, encodeRows, type PlannedChunk, rowsOfChunk } from './chunk-rows.ts'
import type { FailedRow } from './errors-file.ts'
import { located, type RowPlaces } from './formats/file-kind.ts'
import { type ChunkedKind, type ChunkResult, noDay, type RepeatedRow } from './import-kind.ts'
import type { ImportOptions } from './import-options.ts'
import type { FilePlan } from './plan-file.ts'
import { attemptsMax, type Repeats } from './repeats.ts'

export type Sending = CheckedFile<ChunkedKind> & {
  places: RowPlaces
  client: Client
  plan: FilePlan
  repeats: Repeats
  equals: EqualOrders
  /** Results of rows into which others were summed. */
  sums: Map<number, 'created' | 'same' | CsvRowError>
  stop: AbortSignal
}

export type SentChunk = {
  created: number
  /** Created orders, if fewer than the rows. */
  orders: number
  same: number
  /** Failed here or at the service; in the file's order, with its row numbers. */
  failed: FailedRow[]
  sent: number
}

/** For rows without a reference that equal earlier orders. `ask` holds them until everything else is sent. */
type EqualOrders = {
  policy: 'skip' | 'fail' | 'order' | 'ask'
  held: RepeatedRow[]
  errorOf: (row: RepeatedRow) => CsvRowError
}

export function equalOrders(session: Session, { ifEqual }: Pick<ImportOptions, 'ifEqual'>): EqualOrders {
  const { io } = session
  return {
    policy: ifEqual ?? (canAsk(session) ? 'ask' : 'fail'),
    held: [],
    errorOf: ({ row, id, created_at }) =>
      rowError(row, 'state_conflict', {
        external_ref: [
          `is empty, and the row equals order ${id} of ${noticedTime(io, created_at)}: if it is another order, give it an external_ref`,
        ],
      }),
  }
}

export async function areSkipped(session: Session, held: readonly RepeatedRow[]): Promise<boolean> {
  const times = held.map(({ created_at }) => created_at).sort()
  const newest = `the newest of ${noticedTime(session.io, times.at(-1) ?? '')}`
  const question =
    held.length === 1
      ? `1 row equals an earlier order (${newest}). Skip it? No orders it again.`
      : `${held.length.toLocaleString('en')} rows equal earlier orders (${newest}). Skip them? No orders them again.`
  return isAnsweredYes(question, true)
}

/** Sends the chunk's bytes unchanged if possible, otherwise only the rows that passed the local check. */
export async function sendChunk(sending: Sending, chunk: PlannedChunk): Promise<SentChunk> {
  const { source, kind, header } = sending
  const raw = source.read(chunk.from, chunk.to)
  const isPlain = chunk.isWhole && header.every((name) => kind.columns.known.includes(name))
  if (isPlain && !mayBeGuarded(raw)) {
    const upload = Buffer.concat([Buffer.from(csvLine(header)), raw])
    let read: CsvRow[] | undefined
    const rows = (): CsvRow[] => {
      read ??= rowsOfChunk(sending, chunk, raw)
      return read
    }
    return finish(sending, rows, [], await carryOut(sending, upload, rows, { count: chunk.rows }))
  }
  const rows = rowsOfChunk(sending, chunk, raw)
  const { good, bad } = goodRows(sending, rows, noDay)
  const outcome = good.length === 0 ? nothing() : await carryOut(sending, encoded(sending, good), () => good)
  return finish(sending, () => rows, bad, outcome)
}

function mayBeGuarded(bytes: Buffer): boolean {
  return bytes.includes("'") && /'[=+\-@\t\r\xef]/.test(bytes.toString('latin1'))
}

export function goodRows(file: CheckedFile & { plan: FilePlan }, rows: readonly CsvRow[], today: string) {
  const { kind, header, plan, useLint } = file
  const { failed, combined, added } = plan
  const checked = checkLocally(header, rows, kind.checker(header, today), useLint ? kind : undefined)
  const at = header.indexOf('quantity')
  const summed = ({ row, values }: CsvRow): CsvRow => {
    const more = added.get(row)
    return { row, values: more ? values.with(at, String(Number(values[at]) + more)) : values }
  }
  const others = failed.size === 0 ? [] : rows.flatMap(({ row }) => failed.get(row) ?? [])
  return {
    accepted: checked.accepted,
    good: checked.good.filter(({ row }) => !failed.has(row) && !combined.has(row)).map(summed),
    bad: [...checked.bad.filter(({ row }) => !failed.has(row)), ...others],
  }
}

/** Row numbers are the file's. */
export type RowOutcome = Omit<SentChunk, 'failed' | 'orders'> & { errors: CsvRowError[]; orders?: number }

const nothing = (sent = 0): RowOutcome => ({ created: 0, same: 0, sent, errors: [] })

/**
 * Resends rows of a stored result that failed, or whose order was cancelled or returned since. Each key derives from the last, so every
 * process that repeats this finds it.
 */
async function carryOut(
  sending: Sending,
  upload: Uint8Array,
  rowsOf: () => readonly CsvRow[],
  { count = rowsOf().length, headers = sending.repeats.headers, after = '' } = {},
): Promise<RowOutcome> {
  const { kind, client, stop: signal, repeats } = sending
  const outcome = nothing(count)
  let [rows, bytes] = [rowsOf, upload]
  let idempotencyKey = repeats.keyOf(`${kind.name}${after}`, bytes)
  for (let attempt = 1; ; attempt++) {
    const answer = await kind.send(client, bytes, { idempotencyKey, headers, signal })
    const isEarlier = isReplayed(answer) && !answer.isRepeat
    const find = isEarlier && headers === repeats.headers ? repeats.gone : undefined
    const result = find ? answer.data : (resultWithoutRows(answer.text) ?? answer.data)
    const { errors: found, repeated: again = [], totals } = result
    const lost = find ? await rowsOfGone(find, result, rows) : []
    const inFile = <Row extends { row: number }>(one: Row): Row => ({
      ...one,
      row: rows()[one.row - 1]?.row ?? one.row,
    })
    const [errors, known] = [found.map(inFile), again.map(inFile)]
    const isLost = new Set(lost.map(({ row }) => row))
    const repeated = known.filter(({ row }) => !isLost.has(row))
    const created = totals.created + known.length - repeated.length - lost.length
    outcome[isEarlier ? 'same' : 'created'] += created
    outcome.same += repeated.filter(({ by }) => by !== 'content').length
    recordSums(sending, rows, isEarlier, errors, repeated)
    const equal = repeated.filter(({ by }) => by === 'content')
    if (equal.length > 0) await settleEqual(sending, equal, rows(), outcome, idempotencyKey)
    const after = ` gone after ${idempotencyKey}`
    if (lost.length > 0) add(outcome, await carryOut(sending, encoded(sending, lost), () => lost, { after }))
    if (!isEarlier || !repeats.retries || errors.length === 0) {
      outcome.errors.push(...errors)
      return outcome
    }
    const left = rowsWith(rows(), errors)
    rows = () => left
    bytes = encoded(sending, left)
    const next = attempt < attemptsMax ? idempotencyKey : newUuid()
    idempotencyKey = repeats.keyOf(`${kind.name} after ${next}`, bytes)
  }
}

/** Rows that neither failed nor were repeated became orders, in the same sequence. */
async function rowsOfGone(
  find: NonNullable<Repeats['gone']>,
  { created, errors, repeated = [] }: ChunkResult,
  rows: () => readonly CsvRow[],
): Promise<readonly CsvRow[]> {
  const orders = [...created, ...repeated]
  const gone = await find(orders)
  if (!orders.some(({ id = '' }) => gone.has(id))) return []
  const known = new Map(repeated.map(({ row, id }) => [row, id]))
  for (const { row } of errors) known.set(row, '')
  const ids = created.values()
  return rows().filter((_, at) => gone.has(known.get(at + 1) ?? ids.next().value?.id ?? ''))
}

async function settleEqual(
  sending: Sending,
  equal: readonly RepeatedRow[],
  rows: readonly CsvRow[],
  outcome: RowOutcome,
  key: string,
): Promise<void> {
  const { policy, held, errorOf } = sending.equals
  if (policy === 'skip') outcome.same += equal.length
  else if (policy === 'ask') held.push(...equal)
  else if (policy === 'fail') outcome.errors.push(...equal.map(errorOf))
  else add(outcome, await orderAgain(sending, rowsWith(rows, equal), ` equal after ${key}`))
}

function add(outcome: RowOutcome, { created, same, errors }: RowOutcome): void {
  outcome.created += created
  outcome.same += same
  outcome.errors.push(...errors)
}

async function orderAgain(sending: Sending, rows: readonly CsvRow[], after: string): Promise<RowOutcome> {
  return carryOut(sending, encoded(sending, rows), () => rows, { headers: {}, after })
}

export async function orderHeld(sending: Sending, chunk: PlannedChunk): Promise<SentChunk> {
  const held = rowsWith(goodRows(sending, rowsOfChunk(sending, chunk), noDay).good, sending.equals.held)
  return finish(sending, () => held, [], await orderAgain(sending, held, ' equal'))
}

function encoded({ kind, header }: Sending, rows: readonly CsvRow[]): Buffer {
  return encodeRows(kind, header, rows)
}

function rowsWith(rows: readonly CsvRow[], some: ReadonlyArray<{ row: number }>): CsvRow[] {
  const wanted = new Set(some.map(({ row }) => row))
  return rows.filter(({ row }) => wanted.has(row))
}

function recordSums(
  { plan, sums }: Sending,
  rows: () => readonly CsvRow[],
  isEarlier: boolean,
  errors: readonly CsvRowError[],
  repeated: readonly RepeatedRow[],
): void {
  if (plan.added.size === 0) return
  const failed = new Map(errors.map((error) => [error.row, error]))
  const isSame = new Set(repeated.map(({ row }) => row))
  for (const { row } of rows())
    if (plan.added.has(row))
      sums.set(row, failed.get(row) ?? (isEarlier || isSame.has(row) ? 'same' : 'created'))
}

/** Without errors, the end of an answer suffices: the thousands of rows before it need not be parsed. */
function resultWithoutRows(text: string): ChunkResult | undefined {
  const [, totals] = /"errors":\[\],(?:"repeated":\[\],)?("totals":\{.*)$/s.exec(text.slice(-200)) ?? []
  return totals === undefined ? undefined : { created: [], errors: [], ...JSON.parse(`{${totals}`) }
}

/** Converts row numbers: the service counts the rows sent, the operator those of the file. */
export function finish(
  { plan, places, sums }: Pick<Sending, 'plan' | 'places' | 'sums'>,
  rows: () => readonly CsvRow[],
  bad: readonly CsvRowError[],
  { errors: found, ...outcome }: RowOutcome,
): SentChunk {
  const result = { orders: outcome.created, ...outcome }
  const errors = [...found, ...bad]
  for (const { row } of plan.combined.size === 0 ? [] : rows()) {
    const sum = sums.get(plan.combined.get(row) ?? row)
    if (!plan.combined.has(row) || sum === undefined) continue
    if (typeof sum === 'string') result[sum] += 1
    else errors.push({ ...sum, row })
  }
  if (errors.length === 0) return { ...result, failed: [] }
  const valuesOf = new Map(rows().map(({ row, values }) => [row, values]))
  const failed = errors
    .sort((a, b) => a.row - b.row)
    .map((error) => ({ ...located(error, places), values: valuesOf.get(error.row) ?? [] }))
  return { ...result, failed }
}
