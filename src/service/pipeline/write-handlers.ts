import { cancelFulfillment, createFulfillment } from '../../engine/fulfillments/fulfillments.ts'
import {
  advanceFulfillment,
  advanceItem,
  resolveTransfer,
} from '../../engine/fulfillments/sandbox-advance.ts'
import { cancelTransfer, requestTransfer } from '../../engine/fulfillments/transfers.ts'
import { createProduct } from '../../engine/items/products.ts'
import { redeliver, replaySubscription, testSubscription } from '../../engine/webhooks/deliveries.ts'
import {
  createSubscription,
  deleteSubscription,
  rotateSubscriptionSecret,
  updateSubscription,
} from '../../engine/webhooks/subscriptions.ts'
import type { Handlers, WriteId } from './handlers.ts'

/** The handler of every write that is one transaction. A missing one does not compile. */
export const writeHandlers: Pick<Handlers, WriteId> = {
  advanceFulfillment,
  advanceItem,
  cancelFulfillment,
  cancelTransfer,
  createFulfillment,
  createProduct,
  createSubscription,
  deleteSubscription,
  redeliver,
  replaySubscription,
  requestTransfer,
  resolveTransfer,
  rotateSubscriptionSecret,
  testSubscription,
  updateSubscription,
}
