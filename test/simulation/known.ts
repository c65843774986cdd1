import type { Act } from './making.ts'

/** What a partner's operators have seen so far, and may name. */
export type Known = {
  qids: string[]
  manifests: string[]
  fulfillments: string[]
  transfers: string[]
  products: string[]
  skus: string[]
  subscriptions: string[]
  deliveries: Array<{ subscription_id: string; delivery_id: string }>
  certs: string[]
  descriptions: string[]
  events: string[]
  /** All that stands in these lists. */
  seen: Set<string>
}

export const nothingKnown = (): Known => ({
  qids: [],
  manifests: [],
  fulfillments: [],
  transfers: [],
  products: [],
  skus: [],
  subscriptions: [],
  deliveries: [],
  certs: [],
  descriptions: [],
  events: [],
  seen: new Set(),
})

type Named = { id: string }
type Seen = {
  id: string
  product_id: string
  manifest: Named
  intakes?: Array<{ qid: string }>
  created: Named[]
  results: Named[]
}

const named =
  /^(createIntakes|receiveManifest|submitManifest|submitManifestCsv|createFulfillment|importFulfillmentsCsv|requestTransfer|createProduct|createSubscription|deleteSubscription|listDeliveries|listEvents)$/

/** Keeps what an answer names; of deliveries, whose they are. */
export function learn(known: Known, act: Act, answer: { data: unknown }): void {
  const { id } = act
  // What names nothing is not taken apart.
  if (!named.test(id)) return
  if (act.id === 'deleteSubscription') {
    const { subscription_id } = act.request.params
    known.subscriptions = known.subscriptions.filter((one) => one !== subscription_id)
    return
  }
  const seen = answer.data as Seen
  const add = (list: string[], value: unknown): void => {
    if (typeof value !== 'string' || known.seen.has(value)) return
    known.seen.add(value)
    list.push(value)
  }
  for (const { qid } of seen.intakes ?? []) add(known.qids, qid)
  if (id === 'submitManifest') add(known.manifests, seen.id)
  if (id === 'submitManifestCsv') add(known.manifests, seen.manifest.id)
  if (id === 'createFulfillment') add(known.fulfillments, seen.id)
  if (id === 'importFulfillmentsCsv') for (const order of seen.created) add(known.fulfillments, order.id)
  if (id === 'requestTransfer') add(known.transfers, seen.id)
  if (id === 'createProduct') add(known.products, seen.product_id)
  if (id === 'createSubscription') add(known.subscriptions, seen.id)
  if (act.id === 'listDeliveries' && seen.results[0])
    known.deliveries.push({ ...act.request.params, delivery_id: seen.results[0].id })
  if (id === 'listEvents') for (const event of seen.results) add(known.events, event.id)
}
