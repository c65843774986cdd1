import { type Answer, ServiceError } from '../../client/client.ts'
import type { BodyInput } from '../../contract/operations.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import { quoted } from '../../domain/csv/csv-header.ts'
import { rowError, tooFewAvailable, unavailableItem, unknownQidMessage } from '../../domain/csv/csv-row.ts'
import { type FulfillmentRow, summedItems } from '../../domain/fulfillments/fulfillment-csv.ts'
import type { FieldErrors } from '../../domain/rejection.ts'
import { namesKey } from '../base/failure.ts'
import { severalAtOnce } from '../connection/paging.ts'
import { type PlannedChunk, rowsOfChunk } from './chunk-rows.ts'
import type { ChunkResult } from './import-kind.ts'
import type { SendHow } from './repeats.ts'
import { add, carryOut, finish, goodRows, nothing, type Sending, type SentChunk } from './send-chunk.ts'
import { referenceIn } from './shared-rows.ts'

type Body = BodyInput<'createFulfillment'>

export async function sendOrders(sending: Sending, chunk: PlannedChunk): Promise<SentChunk> {
  const { stop, header } = sending
  const rows = rowsOfChunk(sending, chunk)
  const { good, bad, accepted } = goodRows(sending, rows)
  const valuesByRow = new Map(accepted.map(({ row, value }) => [row, value as FulfillmentRow]))
  const asOrders: Sending = {
    ...sending,
    operation: 'order',
    encode: (order) =>
      Buffer.from(JSON.stringify(bodyOf(order.flatMap(({ row }) => valuesByRow.get(row) ?? [])))),
    send: (body, how, count) => sendOrder(sending, JSON.parse(String(body)), how, count),
  }
  const outcome = { ...nothing(good.length), orders: 0 }
  const orders = Map.groupBy(good, ({ values }) => referenceIn(header, values))
  await severalAtOnce(orders.values(), async (order) => {
    stop.throwIfAborted()
    const sent = await carryOut(asOrders, () => order)
    if (sent.created > 0) outcome.orders += 1
    add(outcome, sent)
    await sending.settled(order.length)
  })
  return finish(sending, () => rows, bad, outcome)
}

function bodyOf(values: readonly FulfillmentRow[]): Body {
  const { items: _, ...shared } = values[0] as FulfillmentRow
  return { ...shared, lines: summedItems(values.map(({ items }) => items)) } as Body
}

/** Sends one order, and returns the answer that a file of its rows would get. */
async function sendOrder(
  { client, apart }: Sending,
  body: Body,
  how: SendHow,
  count: number,
): Promise<Answer<ChunkResult>> {
  const rows = Array.from({ length: count }, (_, at) => at + 1)
  const none = { created: [], errors: [], totals: { created: 0, failed: 0, submitted: count } }
  try {
    const answer = await client.createFulfillment({ body, ...how })
    // Its reference is its identity: of an order in several parcels, only the oldest is answered.
    const data = { ...answer.data, id: answer.data.external_ref?.normalize() ?? '' }
    const repeated = rows.map((row) => ({ ...data, row, by: 'reference' as const }))
    const isRepeated = answer.headers['custody-repeated'] === 'true'
    if (isRepeated && data.qids.length < unitsIn(body)) apart.add(data.id)
    const created = { created: rows.map(() => data), totals: { ...none.totals, created: count } }
    return { ...answer, data: { ...none, ...(isRepeated ? { repeated } : created) } }
  } catch (error) {
    const isOfOrder =
      error instanceof ServiceError && [400, 404, 409, 422].includes(error.status) && error.code !== ''
    if (!isOfOrder || namesKey(error)) throw error
    const errors = rows.map((row) => ({ ...rowErrorOf(error, body), row }))
    return { data: { ...none, errors }, text: '', status: error.status, headers: error.headers }
  }
}

function unitsIn({ lines = [] }: Body): number {
  return lines.reduce((sum, line) => sum + ('sku' in line ? (line.quantity ?? 0) : 1), 0)
}

/** Names the columns of a row instead of the fields of a body. */
function rowErrorOf({ code, message, extra }: ServiceError, { lines = [] }: Body): Omit<CsvRowError, 'row'> {
  const fields: FieldErrors = Object.create(null)
  for (const [path, faults] of Object.entries((extra.fields ?? {}) as FieldErrors)) {
    const [, at, part] = /^lines\[(\d+)\]\.(\w+)$/.exec(path) ?? []
    const item = lines[Number(at)]
    const value = item && ('qid' in item ? item.qid : item.sku)
    const column = part ?? (path === 'lines' ? 'quantity' : path.replace('shipping_address.', ''))
    fields[column] ??= []
    fields[column].push(...faults.map((text) => (value === undefined ? text : `${quoted(value)} ${text}`)))
  }
  // The service does not say which item it is (4.4).
  const qids = lines.flatMap((line) => ('qid' in line ? quoted(String(line.qid)) : []))
  if (code === 'not_found') fields.qid ??= [`${qids.join(' or ')} ${unknownQidMessage}`]
  for (const { qid, sku, status, requested, available } of (extra.availability ?? []) as Lack[]) {
    const lack = qid ? unavailableItem(0, qid, status) : tooFewAvailable(0, sku, requested, available)
    for (const [column, texts] of Object.entries(lack.fields))
      fields[column] = [...(fields[column] ?? []), ...texts]
  }
  const error = rowError(0, code as CsvRowError['code'], fields)
  return Object.keys(fields).length === 0 ? { ...error, message } : error
}

type Lack = { qid?: string; sku: string; status: string; requested: number; available: number }
