import { pickFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { fulfillmentStep } from './steps.ts'

export const command = fulfillmentStep({
  summary: 'Record that an order is picked; the partner can no longer cancel',
  examples: ['warehouse pick SO-88231 SO-88232'],
  take: pickFulfillment,
})
