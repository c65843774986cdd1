import { redeliver, replaySubscription, testSubscription } from '../engine/deliveries.ts'
import { importFulfillmentsCsv } from '../engine/fulfillment-csv.ts'
import { cancelFulfillment, createFulfillment } from '../engine/fulfillments.ts'
import { closeManifest } from '../engine/manifest-close.ts'
import { submitManifestCsv } from '../engine/manifest-csv.ts'
import { submitManifest } from '../engine/manifests.ts'
import { importProductsCsv } from '../engine/product-csv.ts'
import { createProduct } from '../engine/products.ts'
import { advanceFulfillment, advanceItem, resolveTransfer } from '../engine/sandbox-advance.ts'
import { advanceClock } from '../engine/sandbox-clock.ts'
import { createIntakes } from '../engine/sandbox-intakes.ts'
import { receiveManifest } from '../engine/sandbox-receive.ts'
import {
  createSubscription,
  deleteSubscription,
  rotateSubscriptionSecret,
  updateSubscription,
} from '../engine/subscriptions.ts'
import { cancelTransfer, requestTransfer } from '../engine/transfers.ts'
import type { Handlers, WriteId } from './handlers.ts'

/** Whatever answers anything but a GET. A missing one does not compile. */
export const writeHandlers: Pick<Handlers, WriteId> = {
  advanceClock,
  advanceFulfillment,
  advanceItem,
  cancelFulfillment,
  cancelTransfer,
  closeManifest,
  createFulfillment,
  createIntakes,
  createProduct,
  createSubscription,
  deleteSubscription,
  importFulfillmentsCsv,
  importProductsCsv,
  receiveManifest,
  redeliver,
  replaySubscription,
  requestTransfer,
  resolveTransfer,
  rotateSubscriptionSecret,
  submitManifest,
  submitManifestCsv,
  testSubscription,
  updateSubscription,
}
