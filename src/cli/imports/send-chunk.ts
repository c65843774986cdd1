import type { Answer, Client } from '../../client/client.ts'
import { unclearAnswer } from '../../client/network-error.ts'
import { once } from '../../contract/once.ts'
import type { CsvRepeatedRow, CsvRowError } from '../../contract/resources/error.ts'
import type { Fulfillment } from '../../contract/resources/fulfillment.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import { rowError, withFault } from '../../domain/csv/csv-row.ts'
import { goneFault, isGone, namedOrder } from '../../domain/fulfillments/order-identity.ts'
import { newUuid } from '../../runtime/runtime.ts'
import { canAsk, isAnsweredYes } from '../ask/ask.ts'
import { counted, digits } from '../base/counted.ts'
import { noticedTime } from '../base/times.ts'
import type { Session } from '../command.ts'
import { isReplayed } from '../connection/idempotency.ts'
import { located, type ReadyFile } from '../files/file-kind.ts'
import { csvText } from '../output/csv-text.ts'
import { checkLocally, type PlannedChunk, rowsOfChunk } from './chunk-rows.ts'
import type { FailedRow } from './errors-file.ts'
import type { ChunkedKind, ChunkResult } from './import-kind.ts'
import type { ImportOptions } from './import-options.ts'
import type { FilePlan } from './plan-file.ts'
import { attemptsMax, type Repeats, type SendHow } from './repeats.ts'

export type Sending = Planned & {
  client: Client
  repeats: Repeats
  equals: EqualOrders
  /** References of orders that are grouped in this file, and were ordered in several parcels before. */
  apart: Set<string>
  stop: AbortSignal
  /** Called with the rows of each finished order, if a chunk is sent order by order. */
  settled: (rows: number) => Promise<unknown>
  /** Part of each request's key. */
  operation: string
  encode: (rows: readonly CsvRow[]) => Uint8Array
  send: (upload: Uint8Array, how: SendHow, rows: number) => Promise<Answer<ChunkResult>>
}

export type Planned = ReadyFile<ChunkedKind> & FilePlan

export type SentChunk = {
  created: number
  /** Created orders, if fewer than the rows. */
  orders: number
  same: number
  /** Orders without a reference in a stored result: their rows were sent before. */
  resent: number
  /** Failed here or at the service; in the file's order, with its row numbers. */
  failed: FailedRow[]
  sent: number
}

/** For rows without a reference that equal earlier orders. `ask` holds them until everything else is sent. */
type EqualOrders = {
  policy: 'skip' | 'fail' | 'order' | 'ask'
  /** Their times by row. */
  held: Map<number, string>
  failed: number
  errorOf: (row: CsvRepeatedRow) => CsvRowError
  areSkipped: () => Promise<boolean>
}

export function equalOrders(session: Session, { ifEqual }: Pick<ImportOptions, 'ifEqual'>): EqualOrders {
  const held = new Map<number, string>()
  return {
    policy: ifEqual ?? (canAsk(session) ? 'ask' : 'fail'),
    held,
    failed: 0,
    errorOf: (earlier) =>
      rowError(earlier.row, 'state_conflict', {
        external_ref: [
          `is empty, and the row equals ${namedOrder(earlier)}: if it is another order, give it an external_ref`,
        ],
      }),
    areSkipped() {
      const newest = `the newest of ${noticedTime(session.io, [...held.values()].sort().at(-1) ?? '')}`
      const question =
        held.size === 1
          ? `1 row equals an earlier order (${newest}). Skip it? If you answer no, it is ordered again.`
          : `${digits(held.size)} rows equal earlier orders (${newest}). Skip them? If you answer no, they are ordered again.`
      return isAnsweredYes(session, question, true)
    },
  }
}

/** Sends the chunk's bytes unchanged if possible, otherwise only the rows that passed the local check. */
export async function sendChunk(sending: Sending, chunk: PlannedChunk): Promise<SentChunk> {
  const { source, kind, header } = sending
  const raw = source.read(chunk.from, chunk.to)
  const isPlain = chunk.isWhole && header.every((name) => kind.columns.known.includes(name))
  if (isPlain && !mayBeGuarded(raw)) {
    const upload = Buffer.concat([Buffer.from(csvText([header])), raw])
    const rows = once(() => rowsOfChunk(sending, chunk, raw))
    return finish(sending, rows, [], await carryOut(sending, rows, { upload, count: chunk.rows }))
  }
  const rows = rowsOfChunk(sending, chunk, raw)
  const { good, bad } = goodRows(sending, rows)
  const outcome = good.length === 0 ? nothing() : await carryOut(sending, () => good)
  return finish(sending, () => rows, bad, outcome)
}

function mayBeGuarded(bytes: Buffer): boolean {
  return bytes.includes("'") && /'[=+\-@\t\r\xef]/.test(bytes.toString('latin1'))
}

export function goodRows({ kind, header, failed, sums, useLint }: Planned, rows: readonly CsvRow[]) {
  const checked = checkLocally(header, rows, kind.checker(header), useLint ? kind : undefined)
  const at = header.indexOf('quantity')
  const summed = ({ row, values }: CsvRow): CsvRow => {
    const sum = sums.get(row)
    return { row, values: sum ? values.with(at, String(Number(values[at]) + sum.added)) : values }
  }
  const bad = new Map(checked.bad.map((error) => [error.row, error]))
  for (const { row } of failed.size === 0 ? [] : rows) {
    const [own, shared] = [bad.get(row), failed.get(row)]
    const isOfWholeRow = own !== undefined && Object.keys(own.fields).length === 0
    if (shared && !isOfWholeRow) bad.set(row, own ? withFault(shared, own) : shared)
  }
  return {
    accepted: checked.accepted,
    good: checked.good
      .filter(({ row }) => !failed.has(row) && (sums.get(row)?.first ?? row) === row)
      .map(summed),
    bad: [...bad.values()],
  }
}

type RowOutcome = Omit<SentChunk, 'failed' | 'orders'> & { errors: CsvRowError[]; orders?: number }

export const nothing = (sent = 0): RowOutcome => ({ created: 0, same: 0, resent: 0, sent, errors: [] })

/** Resends rows of a stored result that failed or are gone, under a key that every process derives from the last one. */
export async function carryOut(
  sending: Sending,
  given: () => readonly CsvRow[],
  { upload, count: known, isNew = false, after = '' }: CarryHow = {},
): Promise<RowOutcome> {
  const { operation, encode, send, stop: signal, repeats } = sending
  let rows = given
  let bytes = upload ?? encode(rows())
  const outcome = nothing(known ?? rows().length)
  let idempotencyKey = repeats.keyOf(`${operation}${after}`, bytes)
  for (let attempt = 1; ; attempt++) {
    const how = { idempotencyKey, signal, repeats: isNew ? undefined : repeats.repeats }
    const answer = await send(bytes, how, outcome.sent)
    const count = attempt === 1 ? outcome.sent : rows().length
    const errors = await settle(sending, answer, rows, { ...how, count }, outcome)
    if (!isReplayed(answer) || !repeats.retries || errors.length === 0 || attempt > attemptsMax) {
      outcome.errors.push(...errors)
      return outcome
    }
    const left = rowsWith(rows(), errors)
    rows = () => left
    bytes = encode(left)
    const next = attempt < attemptsMax ? idempotencyKey : newUuid()
    idempotencyKey = repeats.keyOf(`${operation} after ${next}`, bytes)
  }
}

type CarryHow = {
  /** The rows encoded, if they need not be read for that. */
  upload?: Uint8Array
  count?: number
  /** Not to be skipped, even if an equal order exists. */
  isNew?: boolean
  after?: string
}

/** Throws `NetworkError` if the answer leaves out rows, which would be dropped silently. */
function rejectPartial({ totals, errors, repeated = [] }: ChunkResult, count: number): void {
  if (totals.created + errors.length + repeated.length === count) return
  throw unclearAnswer(`The service's answer does not cover ${counted(count, 'row')}`)
}

/** Adds an answer to the outcome, except the errors that it returns. */
async function settle(
  sending: Sending,
  answer: Answer<ChunkResult>,
  rows: () => readonly CsvRow[],
  { idempotencyKey, repeats: skips, count }: SendHow & { count: number },
  outcome: RowOutcome,
): Promise<CsvRowError[]> {
  const { sums, repeats, equals } = sending
  // After a lost answer, the stored result may be that of this run, or of an earlier one.
  const find = isReplayed(answer) ? repeats.gone : undefined
  const isEarlier = isReplayed(answer) && !answer.isRepeat
  const result = find ? answer.data : (resultWithoutRows(answer.text) ?? answer.data)
  rejectPartial(result, count)
  const gone = find ? await rowsOfGone(find, result, rows) : []
  const inFile = <Row extends { row: number }>(one: Row): Row => ({
    ...one,
    row: rows()[one.row - 1]?.row ?? one.row,
  })
  const [errors, known] = [result.errors.map(inFile), (result.repeated ?? []).map(inFile)]
  // With --if-equal order, the row has an order of its own besides the equal one that is gone.
  const isOrdered = new Set(equals.policy === 'order' ? known.filter(isEqual).map(({ row }) => row) : [])
  const lost = gone.filter(({ row }) => !isOrdered.has(row))
  const isLost = new Set(lost.map(({ row }) => row))
  const lostIds = new Set(lost.map(({ earlier }) => earlier.id))
  if (find && isEarlier)
    outcome.resent += result.created.filter(
      ({ id = '', external_ref }) => external_ref === null && !lostIds.has(id),
    ).length
  const repeated = known.filter(({ row }) => !isLost.has(row))
  const created = result.totals.created + known.length - repeated.length - lost.length
  outcome[isEarlier ? 'same' : 'created'] += created
  const equal = repeated.filter(isEqual)
  outcome.same += repeated.length - equal.length
  const fails = skips === undefined
  const faultOf = ({ row, earlier }: LostRow) => rowError(row, 'state_conflict', goneFault(earlier, earlier))
  const goneErrors = fails ? lost.filter(({ earlier }) => isGone(earlier)).map(faultOf) : []
  outcome.errors.push(...goneErrors)
  const failed = new Map([...errors, ...goneErrors].map((error) => [error.row, error]))
  const before = new Set(repeated.map(({ row }) => row))
  for (const { row } of sums.size === 0 ? [] : rows()) {
    const sum = sums.get(row)
    if (sum) sum.result = failed.get(row) ?? (isEarlier || before.has(row) ? 'same' : 'created')
  }
  if (equal.length > 0) await settleEqual(sending, equal, rows(), outcome, idempotencyKey)
  if (lost.length > goneErrors.length) {
    const left = fails ? lost.filter(({ earlier }) => !isGone(earlier)) : lost
    const after = ` gone after ${idempotencyKey}`
    add(outcome, await carryOut(sending, () => rowsWith(rows(), left), { after, isNew: fails }))
  }
  return errors
}

const isEqual = ({ by }: Pick<CsvRepeatedRow, 'by'>): boolean => by === 'content'

type LostRow = { row: number; earlier: Fulfillment }

/** Rows that neither failed nor were repeated became orders, in the same sequence. */
async function rowsOfGone(
  find: NonNullable<Repeats['gone']>,
  { created, errors, repeated = [] }: ChunkResult,
  rows: () => readonly CsvRow[],
): Promise<LostRow[]> {
  const orders = [...created, ...repeated]
  const gone = await find(orders)
  if (!orders.some(({ id = '' }) => gone.has(id))) return []
  const known = new Map(repeated.map(({ row, id }) => [row, id]))
  for (const { row } of errors) known.set(row, '')
  const ids = created.values()
  return rows().flatMap(({ row }, at) => {
    const earlier = gone.get(known.get(at + 1) ?? ids.next().value?.id ?? '')
    return earlier ? [{ row, earlier }] : []
  })
}

async function settleEqual(
  sending: Sending,
  equal: readonly CsvRepeatedRow[],
  rows: readonly CsvRow[],
  outcome: RowOutcome,
  key: string,
): Promise<void> {
  const { policy, held, errorOf } = sending.equals
  if (policy === 'skip') outcome.same += equal.length
  else if (policy === 'ask') for (const { row, created_at } of equal) held.set(row, created_at)
  else if (policy === 'fail') {
    sending.equals.failed += equal.length
    outcome.errors.push(...equal.map(errorOf))
  } else {
    const how = { isNew: true, after: ` equal after ${key}` }
    add(outcome, await carryOut(sending, () => rowsWith(rows, equal), how))
  }
}

export function add(outcome: RowOutcome, { created, same, resent, errors }: RowOutcome): void {
  outcome.created += created
  outcome.same += same
  outcome.resent += resent
  outcome.errors.push(...errors)
}

export async function orderHeld(sending: Sending, chunk: PlannedChunk): Promise<SentChunk> {
  const rows = rowsOfChunk(sending, chunk).filter(({ row }) => sending.equals.held.has(row))
  const { good } = goodRows(sending, rows)
  const outcome =
    good.length === 0 ? nothing() : await carryOut(sending, () => good, { isNew: true, after: ' equal' })
  return finish(sending, () => rows, [], outcome)
}

function rowsWith(rows: readonly CsvRow[], some: ReadonlyArray<{ row: number }>): CsvRow[] {
  const wanted = new Set(some.map(({ row }) => row))
  return rows.filter(({ row }) => wanted.has(row))
}

/** Without errors, the end of an answer suffices: the thousands of rows before it need not be parsed. */
function resultWithoutRows(text: string): ChunkResult | undefined {
  const [, totals] = /"errors":\[\],(?:"repeated":\[\],)?("totals":\{.*)$/s.exec(text.slice(-200)) ?? []
  return totals === undefined ? undefined : { created: [], errors: [], ...JSON.parse(`{${totals}`) }
}

export function finish(
  { sums, places }: Planned,
  rows: () => readonly CsvRow[],
  bad: readonly CsvRowError[],
  { errors: found, ...outcome }: RowOutcome,
): SentChunk {
  const result = { orders: outcome.created, ...outcome }
  const errors = [...found, ...bad]
  for (const { row } of sums.size === 0 ? [] : rows()) {
    const sum = sums.get(row)
    if (sum?.result === undefined || sum.first === row) continue
    if (typeof sum.result === 'string') result[sum.result] += 1
    else errors.push({ ...sum.result, row })
  }
  if (errors.length === 0) return { ...result, failed: [] }
  const valuesOf = new Map(rows().map(({ row, values }) => [row, values]))
  const failed = errors
    .sort((a, b) => a.row - b.row)
    .map((error) => ({ ...located(error, places), values: valuesOf.get(error.row) ?? [] }))
  return { ...result, failed }
}
