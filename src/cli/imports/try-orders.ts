import { type Client, ServiceError } from '../../client/client.ts'
import { dayMs, refsAtOnceMax } from '../../contract/limits.ts'
import type { Fulfillment, FulfillmentCreate } from '../../contract/resources/fulfillment.ts'
import { countriesServedByDefault } from '../../domain/fulfillments/destinations.ts'
import {
  type FulfillmentContext,
  type FulfillmentRow,
  orderOfRow,
  type SentOrder,
} from '../../domain/fulfillments/fulfillment-csv.ts'
import { identityOf, possibleIdentities } from '../../domain/fulfillments/order-identity.ts'
import { type OrderStock, tryOrder, tryRows } from '../../domain/fulfillments/order-trial.ts'
import { Rejection } from '../../domain/rejection.ts'
import { unicodeForms } from '../../domain/unicode-forms.ts'
import { digits } from '../base/counted.ts'
import type { Session } from '../command.ts'
import { byId, type PageQuery, walkPages } from '../connection/paging.ts'
import { partnerTerms } from '../connection/partner-terms.ts'
import { scopeTime } from '../connection/scope-time.ts'
import { askTarget } from '../find/ask-target.ts'
import { itemsByQid, jsonLists, productsBySku, stockBySku } from '../find/by-key.ts'
import { rowsOfChunk } from './chunk-rows.ts'
import { everyCountry } from './import-kind.ts'
import type { ImportOptions } from './import-options.ts'
import { repeatsOf, type SendHow } from './repeats.ts'
import { goodRows, type Planned, type Sending } from './send-chunk.ts'

/** A stand-in for the service, which answers as it would and carries out nothing. With --offline it checks dates alone. */
export async function tryTarget(
  session: Session,
  planned: Planned,
  options: ImportOptions,
): Promise<Pick<Sending, 'client' | 'repeats'>> {
  const { io } = session
  const ask = async (client: Client) => {
    const target = await session.target()
    const { repeats } = await repeatsOf(session, target, options)
    const now = await scopeTime(session)
    const orders = ordersOf(planned)
    const countriesServed = target.isService ? everyCountry : countriesServedByDefault
    if (target.isService) noticeFarCountries(session, orders)
    return { now, repeats, countriesServed, stock: await stockFor(session, client, orders, now) }
  }
  const found = options.offline ? undefined : await askTarget(session, ask)
  const unknown = { now: io.now(), repeats: 'skip', countriesServed: everyCountry, stock: undefined } as const
  const { now, repeats, countriesServed, stock } = found ?? unknown
  const today = new Date(now).toISOString().slice(0, 10)
  const client = trialClient({ today, countriesServed }, stock)
  return { client, repeats: { keyOf: () => '', repeats, retries: false } }
}

/** A service does not publish which countries it serves. */
function noticeFarCountries(session: Session, orders: readonly SentOrder[]): void {
  const countries = orders.flatMap(({ draft }) => draft.shipping_address?.country ?? [])
  const far = [...new Set(countries)].filter((country) => !countriesServedByDefault.has(country)).sort()
  if (far.length > 0)
    session.notice(`Only the import can tell whether the service ships to ${far.join(', ')}.`)
}

function ordersOf(planned: Planned): SentOrder[] {
  return planned.chunks.flatMap((chunk) => {
    const { good, accepted } = goodRows(planned, rowsOfChunk(planned, chunk))
    const isGood = new Set(good.map(({ row }) => row))
    return accepted.flatMap(({ row, value }) => (isGood.has(row) ? orderOfRow(value as FulfillmentRow) : []))
  })
}

function trialClient(context: FulfillmentContext, stock: OrderStock | undefined): Client {
  const answer = (data: unknown, headers = {}) => ({ data, text: '', status: 200, headers })
  const trial = {
    importFulfillmentsCsv: async ({ form, repeats }: SendHow & { form: { file: Uint8Array } }) =>
      answer(tryRows(form.file, context, stock, repeats === 'skip')),
    createFulfillment: async ({ body, repeats }: SendHow & { body: FulfillmentCreate }) => {
      try {
        const repeated = tryOrder({ ...body, type: 'standard' }, context, stock, repeats === 'skip')
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

/** Orders without a reference are compared with this many of the newest orders. */
const comparedMax = 10_000

/** Reads the stock, items, and earlier orders that decide whether the service would accept these orders. */
async function stockFor(
  { notice }: Pick<Session, 'notice'>,
  client: Client,
  orders: readonly SentOrder[],
  now: number,
): Promise<OrderStock> {
  const wanted = orders.flatMap((order) => order.wanted)
  const skus = new Set(wanted.flatMap((each) => ('sku' in each ? each.sku : [])))
  const earlier = [
    ...(await ofReferences(client, orders)),
    ...(await withoutReference(notice, client, orders, now)),
  ]
  const qids = wanted.flatMap((each) => ('qid' in each ? each.qid : []))
  const items = await itemsByQid(client, new Set([...qids, ...earlier.flatMap((order) => order.qids)]))
  const levels = await stockBySku(client, skus)
  const products = await productsBySku(client, new Set([...skus].filter((sku) => !levels.has(sku))))
  const skuOf = (qid: string) => items.get(qid)?.sku ?? undefined
  const byIdentity = new Map<string, Fulfillment[]>()
  for (const order of earlier)
    for (const identity of possibleIdentities(order, skuOf)) {
      const known = byIdentity.get(identity)
      if (known) known.push(order)
      else byIdentity.set(identity, [order])
    }
  return {
    skus: new Set([...levels.keys(), ...products.keys()]),
    available: new Map([...levels].map(([sku, { available }]) => [sku, available])),
    items: new Map([...items].map(([qid, { sku, status }]) => [qid, { sku, status }])),
    byReference: Map.groupBy(earlier, ({ external_ref }) => external_ref?.normalize()),
    byIdentity,
  }
}

async function ofReferences(client: Client, orders: readonly SentOrder[]): Promise<Fulfillment[]> {
  const asked = new Set(
    orders.flatMap(({ draft: { external_ref } }) =>
      external_ref === null ? [] : unicodeForms(external_ref),
    ),
  )
  const found: Fulfillment[] = []
  for (const external_refs of jsonLists(asked, refsAtOnceMax)) {
    const fetch = (query: PageQuery) => client.listFulfillments({ query: { external_refs, ...query } })
    for await (const { results } of walkPages({ fetch, keyOf: byId })) found.push(...results)
  }
  return found
}

/** Earlier orders without a reference that have the address and terms of one of these orders; their items are compared later. */
async function withoutReference(
  notice: Session['notice'],
  client: Client,
  orders: readonly SentOrder[],
  now: number,
): Promise<Fulfillment[]> {
  const keyOf = (draft: SentOrder['draft']) => identityOf({ wanted: [], isWhole: false, draft })
  const keys = new Set(orders.flatMap(({ draft }) => (draft.external_ref === null ? keyOf(draft) : [])))
  const found: Fulfillment[] = []
  if (keys.size === 0) return found
  const { repeatsDays } = await partnerTerms(client)
  const since = new Date(now - repeatsDays * dayMs).toISOString()
  const fetch = (query: PageQuery) => client.listFulfillments({ query })
  let count = 0
  for await (const { results, total } of walkPages({ fetch, keyOf: byId, limit: comparedMax })) {
    count += results.length
    const recent = results.filter(({ created_at }) => created_at >= since)
    found.push(...recent.filter((order) => order.external_ref === null && keys.has(keyOf(order))))
    if (recent.length < results.length) break
    if (count === comparedMax && total > count)
      notice(`Rows without external_ref were compared with the newest ${digits(comparedMax)} orders only.`)
  }
  return found
}
