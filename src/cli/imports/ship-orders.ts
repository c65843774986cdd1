import { ServiceError } from '../../client/service-error.ts'
import type { BodyInput } from '../../contract/operations.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import type { FulfillmentRow } from '../../domain/fulfillments/fulfillment-csv.ts'
import { newUuid } from '../../runtime/identifiers.ts'
import { createHashSet } from '../connection/hash-set.ts'
import { isReplayed } from '../connection/idempotency.ts'
import { namesKey } from '../connection/unknown-outcome.ts'
import { type CheckedFile, checkLocally, type PlannedChunk, rowsOfChunk } from './chunk-rows.ts'
import type { RowPlaces } from './formats/row-places.ts'
import { type ChunkedKind, noDay } from './import-kind.ts'
import { type FilePlan, firstOf, orderOf, shownMax } from './plan-file.ts'
import { failedIn, finish, type Sending, type SentChunk } from './send-chunk.ts'
import { rowsNamed } from './shared-rows.ts'

/** The rows of an order, which become one parcel: what is sent, or why they all fail. */
type Order = { rows: readonly CsvRow[] } & ({ body: Body; errors?: undefined } | { errors: CsvRowError[] })
type Body = BodyInput<'createFulfillment'>
type Line = { qid: string } | { sku: string; quantity: number }
type OrdersFile = CheckedFile<ChunkedKind> & { places: RowPlaces }

const linesMax = 100

/** Requests at the same time: as many as one connection may have. */
const atOnce = 8

/** How often what failed in a stored result is looked for under the key of its next attempt. */
const attemptsMax = 50

/** The orders of a file: how many there are, and which rows fail because of others. */
export async function planOrders(file: OrdersFile, plan: FilePlan, today: string): Promise<FilePlan> {
  const seen = createHashSet()
  const [starts, failed, faulty]: [number[], Map<number, CsvRowError>, Set<number>] = [
    [],
    new Map(),
    new Set(),
  ]
  const firstBad: CsvRowError[] = []
  const rowsOf = (order: number): number[] => {
    const [first = 0, next = plan.rows + 1] = starts.slice(order, order + 2)
    return Array.from({ length: next - first }, (_, at) => first + at)
  }
  const twice: Array<[number, number, string]> = []
  for (const chunk of plan.chunks)
    for (const { rows, errors = [] } of ordersIn(file, chunk, today)) {
      const [first] = rows
      const reference = orderOf(file.header, first?.values ?? [])
      const order = starts.push(first?.row ?? 0) - 1
      const earlier = reference === '' ? undefined : seen.number(reference, order)
      if (earlier !== undefined) twice.push([earlier, order, reference])
      if (errors.length > 0) faulty.add(order)
      if (firstBad.length < shownMax) firstBad.push(...errors.slice(0, shownMax))
    }
  for (const [earlier, later, reference] of twice)
    for (const [one, other] of [
      [earlier, later],
      [later, earlier],
    ] as const) {
      faulty.add(one)
      for (const row of rowsOf(one)) {
        const also = rowsNamed(rowsOf(other).slice(0, 5), rowsOf(other).length, file.places)
        failed.set(
          row,
          orderFault(
            row,
            `external_ref "${reference}" is also in ${also}, apart from this one: the rows of one order follow one another.`,
          ),
        )
      }
    }
  const bad = [...faulty].reduce((sum, order) => sum + rowsOf(order).length, 0)
  const others = firstBad.filter(({ row }) => !failed.has(row))
  const first = firstOf([...others, ...failed.values()], file.places)
  return { ...plan, failed, bad, firstBad: first, orders: starts.length - faulty.size }
}

export function rowsOfBadOrders(file: OrdersFile, chunk: PlannedChunk, today: string): Set<number> {
  const bad = ordersIn(file, chunk, today).filter(({ errors }) => errors !== undefined)
  return new Set(bad.flatMap(({ rows }) => rows.map(({ row }) => row)))
}

/** The orders of a chunk: rows that follow one another and have the same reference. */
function ordersIn(file: OrdersFile, chunk: PlannedChunk, today: string): Order[] {
  const { header, kind, useLint } = file
  const rows = rowsOfChunk(file, chunk)
  const { bad, accepted } = checkLocally(
    header,
    rows,
    kind.checker(header, today),
    useLint ? kind : undefined,
  )
  const errorOf = new Map(bad.map((error) => [error.row, error]))
  const rowOf = new Map(accepted.map(({ row, value }) => [row, value as FulfillmentRow]))
  const groups: CsvRow[][] = []
  let last = ''
  for (const row of rows) {
    const reference = orderOf(header, row.values)
    if (reference === '' || reference !== last) groups.push([])
    groups.at(-1)?.push(row)
    last = reference
  }
  return groups.map((group) =>
    orderFrom(group, orderOf(header, group[0]?.values ?? []), errorOf, rowOf, file.places),
  )
}

function orderFrom(
  rows: readonly CsvRow[],
  reference: string,
  errorOf: ReadonlyMap<number, CsvRowError>,
  rowOf: ReadonlyMap<number, FulfillmentRow>,
  places: RowPlaces,
): Order {
  const own = rows.flatMap(({ row }) => errorOf.get(row) ?? [])
  const all = (message: string): Order => ({
    rows,
    errors: rows.map(({ row }) => errorOf.get(row) ?? orderFault(row, message)),
  })
  if (own.length > 0) {
    const failing = rowsNamed(
      own.slice(0, 5).map(({ row }) => row),
      own.length,
      places,
    )
    return all(`Not ordered, because of ${failing} of the same order.`)
  }
  if (reference === '')
    return all(
      'external_ref is required if rows are grouped by order; --ship-by row ships each row by itself.',
    )
  const values = rows.flatMap(({ row }) => rowOf.get(row) ?? [])
  const [first] = values
  if (first === undefined) throw new Error('an order has no row')
  const shared = ({ items: _, ...rest }: FulfillmentRow): string => JSON.stringify(rest)
  if (values.some((value) => shared(value) !== shared(first)))
    return all(
      `The rows of order "${reference}" have different addresses or instructions: make them equal, or give each parcel a reference of its own.`,
    )
  const lines = linesOf(values)
  if (lines.length > linesMax)
    return all(`Order "${reference}" has ${lines.length} items, and a parcel takes ${linesMax}.`)
  const { items: _, ...rest } = first
  return { rows, body: { ...rest, lines } as unknown as Body }
}

/** Units of the same SKU are one line. */
function linesOf(values: readonly FulfillmentRow[]): Line[] {
  const lines: Line[] = []
  const ofSku = new Map<string, { sku: string; quantity: number }>()
  for (const { items } of values) {
    const known = 'sku' in items ? ofSku.get(items.sku) : undefined
    if (known && 'sku' in items) known.quantity += items.quantity
    else {
      const line = { ...items }
      if ('sku' in line) ofSku.set(line.sku, line)
      lines.push(line)
    }
  }
  return lines
}

function orderFault(row: number, message: string): CsvRowError {
  return { row, code: 'validation_error', fields: {}, message }
}

/** Sends the orders of a chunk, a few at the same time. */
export async function sendOrders(sending: Sending, chunk: PlannedChunk): Promise<SentChunk> {
  const { plan, stop } = sending
  const all = ordersIn(sending, chunk, noDay)
  const rows = all.flatMap((order) => order.rows)
  const apart = failedIn(plan.failed, rows)
  const bad = all.flatMap(({ errors = [] }) => errors.filter(({ row }) => !plan.failed.has(row)))
  const good = all.flatMap((order) =>
    order.errors || plan.failed.has(order.rows[0]?.row ?? 0) ? [] : [order],
  )
  const outcome = {
    created: 0,
    same: 0,
    sent: good.reduce((sum, order) => sum + order.rows.length, 0),
    errors: [] as CsvRowError[],
  }
  let orders = 0
  const queue = good.values()
  const work = async (): Promise<void> => {
    for (const order of queue) {
      stop.throwIfAborted()
      const sent = await sendOrder(sending, order.body)
      if (typeof sent === 'string') outcome[sent] += order.rows.length
      else outcome.errors.push(...order.rows.map(({ row }) => ({ ...sent, row })))
      if (sent === 'created') orders += 1
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, work))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  return { ...finish(sending, () => rows, [...bad, ...apart], outcome), orders }
}

/** What became of an order. What failed in an earlier import is tried again, as the rows of a chunk are. */
async function sendOrder(
  { client, repeats, stop: signal }: Sending,
  body: Body,
): Promise<'created' | 'same' | Omit<CsvRowError, 'row'>> {
  const text = JSON.stringify(body)
  let idempotencyKey = repeats.keyOf('order', text)
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await client.createFulfillment({
        body,
        idempotencyKey,
        headers: repeats.headers,
        signal,
      })
      const isEarlier =
        (isReplayed(answer) && !answer.isRepeat) || answer.headers['custody-repeated'] === 'true'
      return isEarlier ? 'same' : 'created'
    } catch (error) {
      if (!(error instanceof ServiceError) || !isOfOrder(error)) throw error
      const isEarlier = error.headers['idempotency-replayed'] === 'true'
      if (!isEarlier || !repeats.retries) {
        const { code, message, extra } = error
        return {
          code: code as CsvRowError['code'],
          message,
          fields: (extra.fields ?? {}) as CsvRowError['fields'],
        }
      }
      idempotencyKey = repeats.keyOf(
        `order after ${attempt < attemptsMax ? idempotencyKey : newUuid()}`,
        text,
      )
    }
  }
}

/** Whether the service refuses what is ordered, and not the request. */
function isOfOrder(error: ServiceError): boolean {
  return [400, 404, 409, 422].includes(error.status) && error.code !== '' && !namesKey(error)
}
