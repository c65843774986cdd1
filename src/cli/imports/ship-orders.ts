import { ServiceError } from '../../client/service-error.ts'
import type { BodyInput } from '../../contract/operations.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import { quoted } from '../../domain/csv/csv-header.ts'
import { rowError } from '../../domain/csv/csv-row-errors.ts'
import type { FulfillmentRow } from '../../domain/fulfillments/fulfillment-csv.ts'
import { summedItems } from '../../domain/fulfillments/fulfillment-request.ts'
import type { FieldErrors } from '../../domain/rejection.ts'
import { newUuid } from '../../runtime/identifiers.ts'
import { isReplayed } from '../connection/idempotency.ts'
import { namesKey } from '../connection/unknown-outcome.ts'
import { type PlannedChunk, rowsOfChunk } from './chunk-rows.ts'
import { noDay } from './import-kind.ts'
import { attemptsMax } from './repeats.ts'
import { finish, goodRows, type RowOutcome, type Sending, type SentChunk } from './send-chunk.ts'
import { referenceIn } from './shared-rows.ts'

type Body = BodyInput<'createFulfillment'>

/** Concurrent requests: the service's limit for one connection. */
const atOnce = 8

export async function sendOrders(sending: Sending, chunk: PlannedChunk): Promise<SentChunk> {
  const { stop, header } = sending
  const rows = rowsOfChunk(sending, chunk)
  const { good, bad, accepted } = goodRows(sending, rows, noDay)
  const valuesByRow = new Map(accepted.map(({ row, value }) => [row, value as FulfillmentRow]))
  const outcome: RowOutcome & { orders: number } = {
    ...{ created: 0, orders: 0, same: 0, sent: good.length },
    errors: [],
  }
  const queue = Map.groupBy(good, ({ values }) => referenceIn(header, values)).values()
  const work = async (): Promise<void> => {
    for (const order of queue) {
      stop.throwIfAborted()
      const sent = await sendOrder(sending, bodyOf(order.flatMap(({ row }) => valuesByRow.get(row) ?? [])))
      if (typeof sent === 'string') outcome[sent] += order.length
      else outcome.errors.push(...order.map(({ row }) => ({ ...sent, row })))
      if (sent === 'created') outcome.orders += 1
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, work))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  return finish(sending, () => rows, bad, outcome)
}

function bodyOf(values: readonly FulfillmentRow[]): Body {
  const { items: _, ...shared } = values[0] as FulfillmentRow
  return { ...shared, lines: summedItems(values.map(({ items }) => items)) } as Body
}

async function sendOrder(
  { client, repeats, stop: signal }: Sending,
  body: Body,
): Promise<'created' | 'same' | Omit<CsvRowError, 'row'>> {
  const text = JSON.stringify(body)
  const { headers, gone } = repeats
  let idempotencyKey = repeats.keyOf('order', text)
  const nextKey = (attempt: number): string =>
    repeats.keyOf(`order after ${attempt < attemptsMax ? idempotencyKey : newUuid()}`, text)
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await client.createFulfillment({ body, idempotencyKey, headers, signal })
      const isEarlier = isReplayed(answer) && !answer.isRepeat
      if (isEarlier && (await gone?.([answer.data]))?.has(answer.data.id)) {
        idempotencyKey = nextKey(attempt)
        continue
      }
      return isEarlier || answer.headers['custody-repeated'] === 'true' ? 'same' : 'created'
    } catch (error) {
      if (!(error instanceof ServiceError) || !isOfOrder(error)) throw error
      if (error.headers['idempotency-replayed'] !== 'true' || !repeats.retries) {
        return rowErrorOf(error, body)
      }
      idempotencyKey = nextKey(attempt)
    }
  }
}

/** Names the columns of a row instead of the fields of a body. */
function rowErrorOf({ code, message, extra }: ServiceError, { lines = [] }: Body): Omit<CsvRowError, 'row'> {
  const fields: FieldErrors = {}
  for (const [path, faults] of Object.entries(extra.fields ?? {})) {
    const [, at, part] = /^lines\[(\d+)\]\.(\w+)$/.exec(path) ?? []
    const item = lines[Number(at)]
    const value = item && ('qid' in item ? item.qid : item.sku)
    const column = part ?? (path === 'lines' ? 'quantity' : path.replace('shipping_address.', ''))
    fields[column] ??= []
    const texts = [faults].flat().map(String)
    fields[column].push(...texts.map((text) => (value === undefined ? text : `${quoted(value)} ${text}`)))
  }
  const error = rowError(0, code as CsvRowError['code'], fields)
  return Object.keys(fields).length === 0 ? { ...error, message } : error
}

function isOfOrder(error: ServiceError): boolean {
  return [400, 404, 409, 422].includes(error.status) && error.code !== '' && !namesKey(error)
}
