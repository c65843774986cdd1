import { wholeTable } from '../operation.ts'
import { eventOperations } from './events.ts'
import { fulfillmentOperations } from './fulfillments.ts'
import { itemOperations } from './items.ts'
import { manifestOperations } from './manifests.ts'
import { productOperations } from './products.ts'
import { sandboxOperations } from './sandbox.ts'

/** A separate file, because the build gives it to the client library as data without schemas (scripts/replaced.mjs). */
export const operations = wholeTable({
  ...manifestOperations,
  ...productOperations,
  ...itemOperations,
  ...fulfillmentOperations,
  ...eventOperations,
  ...sandboxOperations,
})
