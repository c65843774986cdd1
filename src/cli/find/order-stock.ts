import type { Client } from '../../client/client.ts'
import { dayMs, refsAtOnceMax, repeatsDaysDefault } from '../../contract/limits.ts'
import type { Fulfillment } from '../../contract/resources/fulfillment.ts'
import type { SentOrder } from '../../domain/fulfillments/fulfillment-csv.ts'
import { identityOf, possibleIdentities } from '../../domain/fulfillments/order-identity.ts'
import type { OrderStock } from '../../domain/fulfillments/order-trial.ts'
import { unicodeForms } from '../../domain/unicode-forms.ts'
import type { Session } from '../command.ts'
import { byId, walkPages } from '../connection/paging.ts'
import { itemsByQid, jsonLists, productsBySku, stockBySku } from './by-key.ts'

/** Orders without a reference are compared with this many of the newest orders. */
const comparedMax = 10_000

/** Reads the stock, items, and earlier orders that decide whether the service would accept these orders. */
export async function stockFor(
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
    const fetch = (page: number, page_size: number) =>
      client.listFulfillments({ query: { external_refs, page, page_size } })
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
  const since = new Date(now - repeatsDaysDefault * dayMs).toISOString()
  const found: Fulfillment[] = []
  if (keys.size === 0) return found
  const fetch = (page: number, page_size: number) => client.listFulfillments({ query: { page, page_size } })
  let count = 0
  for await (const { results, total } of walkPages({ fetch, keyOf: byId, limit: comparedMax })) {
    count += results.length
    const recent = results.filter(({ created_at }) => created_at >= since)
    found.push(...recent.filter((order) => order.external_ref === null && keys.has(keyOf(order))))
    if (recent.length < results.length) break
    if (count === comparedMax && total > count)
      notice(
        `Rows without external_ref were compared with the newest ${comparedMax.toLocaleString('en')} orders only.`,
      )
  }
  return found
}
