import type { Act } from './making.ts'
import type { Step } from './warehouse.ts'
import { nextStep } from './warehouse-kinds.ts'

/** What a partner's operators have seen so far, and may name. */
export type Known = {
  qids: string[]
  manifests: string[]
  fulfillments: string[]
  transfers: string[]
  products: string[]
  skus: string[]
  /** SKUs of existing products. */
  catalog: string[]
  /** Items that the warehouse has put on their shelves. */
  stored: string[]
  /** Items that the sandbox has brought so far. */
  free: string[]
  /** The next step for an item, an order, or a transfer, as far as the warehouse has seen. */
  next: Map<string, Step>
  subscriptions: string[]
  deliveries: Array<{ subscription_id: string; delivery_id: string }>
  certs: string[]
  descriptions: string[]
  events: string[]
  /** References of some of them, by identifier. */
  names: Map<string, string>
  /** Everything in these lists. */
  seen: Set<string>
}

export const nothingKnown = (): Known => ({
  qids: [],
  manifests: [],
  fulfillments: [],
  transfers: [],
  products: [],
  skus: [],
  catalog: [],
  stored: [],
  free: [],
  next: new Map(),
  subscriptions: [],
  deliveries: [],
  certs: [],
  descriptions: [],
  events: [],
  names: new Map(),
  seen: new Set(),
})

type Named = { id: string; product_id: string; sku: string }
type Seen = Named & {
  reference?: string
  external_ref?: string | null
  url?: string
  manifest: Named & { reference?: string }
  qid: string
  status: string
  intakes?: Array<{ qid: string }>
  created: Named[]
  results: Named[]
}

const named =
  /^(createIntakes|receiveManifest|submitManifest|submitManifestCsv|createFulfillment|importFulfillmentsCsv|requestTransfer|createProduct|importProductsCsv|createSubscription|deleteSubscription|advanceItem|listDeliveries|listEvents|warehouse)$/

/** Keeps what an answer names, but nothing from an error; for deliveries, their subscription. */
export function learn(known: Known, act: Act, data: unknown): void {
  const { id } = act
  // Answers that name nothing are skipped.
  if (!named.test(id)) return
  if (act.id === 'deleteSubscription') {
    const { subscription_id } = act.request.params
    known.subscriptions = known.subscriptions.filter((one) => one !== subscription_id)
    return
  }
  if (act.id === 'warehouse' && act.request.step !== 'intake') {
    const { step, names } = act.request
    for (const name of names) setNext(known, name, data === undefined ? undefined : nextStep[step])
    if (step === 'store' && data !== undefined) known.stored.push(...names)
    // A returned item repeats its intake.
    if (step === 'return' && data !== undefined)
      for (const { qids } of data as Array<{ qids: string[] }>)
        for (const qid of qids) setNext(known, qid, 'digitize')
    return
  }
  if (data === undefined) return
  const seen = data as Seen
  // What is in a box is for its errand alone.
  if (seen.manifest?.reference?.startsWith('box-')) return
  const add = (list: string[], value: unknown): void => {
    if (typeof value !== 'string' || known.seen.has(value)) return
    known.seen.add(value)
    list.push(value)
  }
  for (const { qid } of seen.intakes ?? []) {
    add(known.qids, qid)
    setNext(known, qid, 'digitize')
  }
  const name = seen.reference ?? seen.external_ref ?? seen.url
  if (name) known.names.set(seen.id, name)
  if (id === 'submitManifest') add(known.manifests, seen.id)
  if (id === 'submitManifestCsv') add(known.manifests, seen.manifest.id)
  const orders = id === 'createFulfillment' ? [seen] : id === 'importFulfillmentsCsv' ? seen.created : []
  for (const order of orders) {
    if (!known.seen.has(order.id)) setNext(known, order.id, 'pick')
    add(known.fulfillments, order.id)
  }
  if (id === 'advanceItem' && seen.status === 'available') known.free.push(seen.qid)
  if (id === 'requestTransfer') add(known.transfers, seen.id)
  const products = id === 'createProduct' ? [seen] : id === 'importProductsCsv' ? seen.created : []
  for (const { product_id, sku } of products) {
    add(known.products, product_id)
    add(known.catalog, sku)
  }
  if (id === 'createSubscription') add(known.subscriptions, seen.id)
  if (act.id === 'listDeliveries' && seen.results[0])
    known.deliveries.push({ ...act.request.params, delivery_id: seen.results[0].id })
  if (id === 'listEvents') for (const event of seen.results) add(known.events, event.id)
}

function setNext({ next }: Known, name: string, step: Step | undefined): void {
  if (step === undefined) next.delete(name)
  else next.set(name, step)
}
