import { once } from '../../contract/once.ts'
import { listIntakes } from '../../engine/intake/intakes.ts'
import { listInventory } from '../../engine/items/inventory.ts'
import { listItems } from '../../engine/items/item-list.ts'
import { getItem, getItemSummary } from '../../engine/items/items.ts'
import { getProduct, listProducts } from '../../engine/items/products.ts'
import { getManifestReport } from '../../engine/manifests/manifest-report.ts'
import { getManifest, listManifests } from '../../engine/manifests/manifests.ts'
import { getClock } from '../../engine/sandbox-clock.ts'
import { listEvents } from '../../engine/webhooks/events.ts'
import type { Handlers, ReadId } from './handlers.ts'

// Half of the code that reading needs, but seldom used: other commands start without it.
const fulfillments = once(() => import('../../engine/fulfillments/fulfillments.ts'))
const transfers = once(() => import('../../engine/fulfillments/transfers.ts'))
const deliveries = once(() => import('../../engine/webhooks/deliveries.ts'))
const subscriptions = once(() => import('../../engine/webhooks/subscriptions.ts'))

/** The handler of every GET. A missing one does not compile. */
export const readHandlers: Pick<Handlers, ReadId> = {
  getClock,
  getFulfillment: async (...asked) => (await fulfillments()).getFulfillment(...asked),
  getItem,
  getItemSummary,
  getManifest,
  getManifestReport,
  getProduct,
  getSubscription: async (...asked) => (await subscriptions()).getSubscription(...asked),
  getTransfer: async (...asked) => (await transfers()).getTransfer(...asked),
  listDeliveries: async (...asked) => (await deliveries()).listDeliveries(...asked),
  listEvents,
  listFulfillments: async (...asked) => (await fulfillments()).listFulfillments(...asked),
  listIntakes,
  listInventory,
  listItems,
  listManifests,
  listProducts,
  listSubscriptions: async (...asked) => (await subscriptions()).listSubscriptions(...asked),
  listTransfers: async (...asked) => (await transfers()).listTransfers(...asked),
}
