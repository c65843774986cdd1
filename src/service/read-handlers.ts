import { listDeliveries } from '../engine/deliveries.ts'
import { listEvents } from '../engine/events.ts'
import { getFulfillment, listFulfillments } from '../engine/fulfillments.ts'
import { listIntakes } from '../engine/intakes.ts'
import { listInventory } from '../engine/inventory.ts'
import { listItems } from '../engine/item-list.ts'
import { getItem, getItemSummary } from '../engine/items.ts'
import { getManifestReport } from '../engine/manifest-report.ts'
import { getManifest, listManifests } from '../engine/manifests.ts'
import { getProduct, listProducts } from '../engine/products.ts'
import { getClock } from '../engine/sandbox-clock.ts'
import { getSubscription, listSubscriptions } from '../engine/subscriptions.ts'
import { getTransfer, listTransfers } from '../engine/transfers.ts'
import type { Handlers, ReadId } from './handlers.ts'

/** Whatever answers a GET. A missing one does not compile. */
export const readHandlers: Pick<Handlers, ReadId> = {
  getClock,
  getFulfillment,
  getItem,
  getItemSummary,
  getManifest,
  getManifestReport,
  getProduct,
  getSubscription,
  getTransfer,
  listDeliveries,
  listEvents,
  listFulfillments,
  listIntakes,
  listInventory,
  listItems,
  listManifests,
  listProducts,
  listSubscriptions,
  listTransfers,
}
