import { pageSizeDefault } from '../../contract/limits.ts'
import { once } from '../../contract/once.ts'
import { listIntakes } from '../../engine/intake/intakes.ts'
import { listInventory } from '../../engine/items/inventory.ts'
import { listItems } from '../../engine/items/item-list.ts'
import { getItem, getItemSummary } from '../../engine/items/items.ts'
import { getProduct, listProducts } from '../../engine/items/products.ts'
import { getManifestReport } from '../../engine/manifests/manifest-report.ts'
import { getManifest, listManifests } from '../../engine/manifests/manifests.ts'
import { listEvents } from '../../engine/webhooks/events.ts'
import type { Parsed } from '../parsing/parse.ts'
import type { Handler, ReadId } from './handlers.ts'

// Half of the code that reading needs, but seldom used: other commands start without it.
const fulfillments = once(() => import('../../engine/fulfillments/fulfillments.ts'))
const transfers = once(() => import('../../engine/fulfillments/transfers.ts'))
const clock = once(() => import('../../engine/sandbox/clock.ts'))
const deliveries = once(() => import('../../engine/webhooks/deliveries.ts'))
const subscriptions = once(() => import('../../engine/webhooks/subscriptions.ts'))

/**
 * What a read costs. `few rows`: found by their keys. `list`: a result may have a hundred kilobytes, as an order of a thousand
 * items has. `list of small results`: a few kilobytes at most. `many rows`: passes many more than it shows.
 */
type Cost = 'few rows' | 'list' | 'list of small results' | 'many rows'
type Read<Id extends ReadId> = { run: Handler<Id>; cost: Cost }

/** Every GET. A missing one does not compile. */
export const reads: { readonly [Id in ReadId]: Read<Id> } = {
  getClock: { run: async (view) => (await clock()).getClock(view), cost: 'few rows' },
  getFulfillment: {
    run: async (...asked) => (await fulfillments()).getFulfillment(...asked),
    cost: 'few rows',
  },
  getItem: { run: getItem, cost: 'few rows' },
  getItemSummary: { run: getItemSummary, cost: 'few rows' },
  getManifest: { run: getManifest, cost: 'list' },
  getManifestReport: { run: getManifestReport, cost: 'list' },
  getProduct: { run: getProduct, cost: 'few rows' },
  getSubscription: {
    run: async (...asked) => (await subscriptions()).getSubscription(...asked),
    cost: 'few rows',
  },
  getTransfer: { run: async (...asked) => (await transfers()).getTransfer(...asked), cost: 'few rows' },
  listDeliveries: {
    run: async (...asked) => (await deliveries()).listDeliveries(...asked),
    cost: 'many rows',
  },
  listEvents: { run: listEvents, cost: 'list' },
  listFulfillments: {
    run: async (...asked) => (await fulfillments()).listFulfillments(...asked),
    cost: 'list',
  },
  listIntakes: { run: listIntakes, cost: 'list' },
  listInventory: { run: listInventory, cost: 'list of small results' },
  listItems: { run: listItems, cost: 'list of small results' },
  listManifests: { run: listManifests, cost: 'list of small results' },
  listProducts: { run: listProducts, cost: 'list of small results' },
  listSubscriptions: {
    run: async (...asked) => (await subscriptions()).listSubscriptions(...asked),
    cost: 'list of small results',
  },
  listTransfers: { run: async (...asked) => (await transfers()).listTransfers(...asked), cost: 'list' },
}

/** How many rows an index scan passes in about a millisecond. */
const rowsPassedMax = 2_500
/** Filters and orders for which an index has the rows of a list next to each other. */
const indexed: ReadonlySet<string> = new Set(['status', 'sort_by', 'sort_dir', 'starting_after'])

/**
 * Whether a read may block its thread for more than some milliseconds. Reads that surely do not are answered in the serving
 * thread: handing one to another thread costs as much again.
 */
export function isLongRead(id: ReadId, { query }: Parsed): boolean {
  const { cost } = reads[id]
  if (cost === 'many rows' || cost === 'few rows') return cost === 'many rows'
  const { page = 1, page_size, ...others } = query as { page?: number; page_size: number }
  if (page * page_size > rowsPassedMax) return true
  if (page_size > pageSizeDefault && cost === 'list') return true
  return Object.entries(others).some(([name, value]) => value !== undefined && !indexed.has(name))
}
