import type { Client } from '../../client/client.ts'
import { ServiceError } from '../../client/service-error.ts'
import { dayMs, refsAtOnceMax, repeatsDaysDefault } from '../../contract/limits.ts'
import type { Fulfillment, FulfillmentCreate } from '../../contract/resources/fulfillment.ts'
import type { FulfillmentContext, FulfillmentRow } from '../../domain/fulfillments/fulfillment-csv.ts'
import { orderOfRow, type SentOrder } from '../../domain/fulfillments/fulfillment-request.ts'
import { identityOf, possibleIdentities } from '../../domain/fulfillments/order-identity.ts'
import { type OrderStock, tryOrder, tryRows } from '../../domain/fulfillments/order-trial.ts'
import { Rejection } from '../../domain/rejection.ts'
import type { Session } from '../command.ts'
import { byId, walkPages } from '../connection/paging.ts'
import { scopeTime } from '../connection/scope-time.ts'
import { askTarget } from '../find/ask-target.ts'
import { itemsByQid, productsBySku, stockBySku } from '../find/by-key.ts'
import { rowsOfChunk } from './chunk-rows.ts'
import { everyCountry } from './import-kind.ts'
import type { ImportOptions } from './import-options.ts'
import { repeatsOf, skipping } from './repeats.ts'
import { goodRows, type Planned, type Sending } from './send-chunk.ts'

/** Orders without a reference are compared with this many of the newest orders. */
const comparedMax = 10_000

/** A stand-in for the service, which answers as it would and carries out nothing. With --offline it checks dates alone. */
export async function tryTarget(
  session: Session,
  planned: Planned,
  options: ImportOptions,
): Promise<Pick<Sending, 'client' | 'repeats'>> {
  const { io } = session
  const ask = async (): Promise<{
    now: number
    headers: Sending['repeats']['headers']
    stock?: OrderStock
  }> => {
    const target = await session.target()
    const { headers } = await repeatsOf(session, target, options)
    const now = await scopeTime(target, io.now())
    return { now, headers, stock: await stockFor(session, target.client, ordersOf(planned), now) }
  }
  const found = options.offline ? undefined : await askTarget(session, ask)
  const { now, headers, stock } = found ?? { now: io.now(), headers: skipping }
  const today = new Date(now).toISOString().slice(0, 10)
  const client = trialClient({ today, countriesServed: everyCountry }, stock)
  return { client, repeats: { keyOf: () => '', headers, retries: false } }
}

function ordersOf(planned: Planned): SentOrder[] {
  return planned.plan.chunks.flatMap((chunk) => {
    const { good, accepted } = goodRows(planned, rowsOfChunk(planned, chunk))
    const isGood = new Set(good.map(({ row }) => row))
    return accepted.flatMap(({ row, value }) => (isGood.has(row) ? orderOfRow(value as FulfillmentRow) : []))
  })
}

async function stockFor(
  session: Session,
  client: Client,
  orders: readonly SentOrder[],
  now: number,
): Promise<OrderStock> {
  const wanted = orders.flatMap((order) => order.wanted)
  const skus = new Set(wanted.flatMap((each) => ('sku' in each ? each.sku : [])))
  const earlier = [
    ...(await ofReferences(client, orders)),
    ...(await withoutReference(session, client, orders, now)),
  ]
  const qids = wanted.flatMap((each) => ('qid' in each ? each.qid : []))
  const items = await itemsByQid(client, new Set([...qids, ...earlier.flatMap((order) => order.qids)]))
  const levels = await stockBySku(client, skus)
  const products = await productsBySku(client, new Set([...skus].filter((sku) => !levels.has(sku))))
  const byIdentity = new Map<string, Fulfillment[]>()
  for (const order of earlier)
    for (const identity of possibleIdentities(order, (qid) => items.get(qid)?.sku ?? undefined))
      byIdentity.set(identity, [...(byIdentity.get(identity) ?? []), order])
  return {
    skus: new Set([...levels.keys(), ...products.keys()]),
    available: new Map([...levels].map(([sku, { available }]) => [sku, available])),
    items: new Map([...items].map(([qid, { sku, status }]) => [qid, { sku, status }])),
    byReference: Map.groupBy(earlier, ({ external_ref }) => external_ref),
    byIdentity,
  }
}

async function ofReferences(client: Client, orders: readonly SentOrder[]): Promise<Fulfillment[]> {
  const asked = [...new Set(orders.flatMap(({ draft }) => draft.external_ref ?? []))]
  const found: Fulfillment[] = []
  for (let from = 0; from < asked.length; from += refsAtOnceMax) {
    const external_refs = JSON.stringify(asked.slice(from, from + refsAtOnceMax))
    const fetch = (page: number, page_size: number) =>
      client.listFulfillments({ query: { external_refs, page, page_size } })
    for await (const { results } of walkPages({ fetch, keyOf: byId })) found.push(...results)
  }
  return found
}

/** Only those that equal one of the orders in all but their items. */
async function withoutReference(
  session: Session,
  client: Client,
  orders: readonly SentOrder[],
  now: number,
): Promise<Fulfillment[]> {
  const keyOf = (draft: SentOrder['draft']) => identityOf({ wanted: [], isWhole: false, draft })
  const keys = new Set(orders.flatMap(({ draft }) => (draft.external_ref === null ? keyOf(draft) : [])))
  const since = new Date(now - repeatsDaysDefault * dayMs).toISOString()
  const found: Fulfillment[] = []
  if (keys.size === 0) return found
  const fetch = (page: number, page_size: number) => client.listFulfillments({ query: { page, page_size } })
  let count = 0
  for await (const { results, total } of walkPages({ fetch, keyOf: byId, limit: comparedMax })) {
    count += results.length
    found.push(...results.filter((order) => order.external_ref === null && keys.has(keyOf(order))))
    if ((results.at(-1)?.created_at ?? '') < since) break
    if (count === comparedMax && total > count)
      session.notice(
        `Rows without external_ref were compared with the newest ${comparedMax.toLocaleString('en')} orders only.`,
      )
  }
  return found
}

function trialClient(context: FulfillmentContext, stock: OrderStock | undefined): Client {
  const answer = (data: unknown, headers = {}) => ({ data, text: '', status: 200, headers })
  const trial = {
    importFulfillmentsCsv: async ({ form, headers }: { form: { file: Uint8Array }; headers: object }) =>
      answer(tryRows(form.file, context, stock, 'custody-repeats' in headers)),
    createFulfillment: async ({ body, headers }: { body: FulfillmentCreate; headers: object }) => {
      try {
        const repeated = tryOrder({ ...body, type: 'standard' }, context, stock, 'custody-repeats' in headers)
        return answer(repeated ?? {}, repeated && { 'custody-repeated': 'true' })
      } catch (error) {
        if (!(error instanceof Rejection)) throw error
        const { code, message, extra } = error
        throw new ServiceError({ status: 409, headers: {}, body: JSON.stringify({ code, message, extra }) })
      }
    },
  }
  return trial as unknown as Client
}
