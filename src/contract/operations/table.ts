import { eventOperations } from './events.ts'
import { fulfillmentOperations } from './fulfillments.ts'
import { itemOperations } from './items.ts'
import { manifestOperations } from './manifests.ts'
import { productOperations } from './products.ts'
import { sandboxOperations } from './sandbox.ts'

/**
 * Every operation of the interface (part 4) and of the extensions (decisions 10). Nothing about the wire is written twice. A file
 * by itself, because the client as a library gets it as data, without its schemas (scripts/replaced.mjs).
 */
export const operations = {
  ...manifestOperations,
  ...productOperations,
  ...itemOperations,
  ...fulfillmentOperations,
  ...eventOperations,
  ...sandboxOperations,
}
