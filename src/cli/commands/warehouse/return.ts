import { returnFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { fulfillmentStep } from './steps.ts'

export const command = fulfillmentStep({
  summary: 'Receive a returned fulfillment: its items are in custody again',
  details: 'Items keep their QIDs. This cannot be undone.',
  examples: ['warehouse return SO-88231 --yes'],
  question: (names) => `Receive the items of ${names.join(', ')} again?`,
  take: returnFulfillment,
})
