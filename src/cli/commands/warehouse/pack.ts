import { packFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { fulfillmentStep } from './steps.ts'

export const command = fulfillmentStep({
  summary: 'Record that an order is packed',
  examples: ['warehouse pack SO-88231'],
  take: packFulfillment,
})
