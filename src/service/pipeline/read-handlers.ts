import { getFulfillment, listFulfillments } from '../../engine/fulfillments/fulfillments.ts'
import { getTransfer, listTransfers } from '../../engine/fulfillments/transfers.ts'
import { listIntakes } from '../../engine/intake/intakes.ts'
import { listInventory } from '../../engine/items/inventory.ts'
import { listItems } from '../../engine/items/item-list.ts'
import { getItem, getItemSummary } from '../../engine/items/items.ts'
import { getProduct, listProducts } from '../../engine/items/products.ts'
import { getManifestReport } from '../../engine/manifests/manifest-report.ts'
import { getManifest, listManifests } from '../../engine/manifests/manifests.ts'
import { getClock } from '../../engine/sandbox-clock.ts'
import { listDeliveries } from '../../engine/webhooks/deliveries.ts'
import { listEvents } from '../../engine/webhooks/events.ts'
import { getSubscription, listSubscriptions } from '../../engine/webhooks/subscriptions.ts'
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
