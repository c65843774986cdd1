import { eventOperations } from './events.ts'
import { itemOperations } from './items.ts'
import { manifestOperations } from './manifests.ts'
import { orderOperations } from './orders.ts'
import { productOperations } from './products.ts'
import { sandboxOperations } from './sandbox.ts'

/** Every operation of the interface (part 4) and of the extensions (decisions 10). Nothing about the wire is written twice. */
export const operations = {
  ...manifestOperations,
  ...productOperations,
  ...itemOperations,
  ...orderOperations,
  ...eventOperations,
  ...sandboxOperations,
}
