import { deliverFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { fulfillmentStep } from './steps.ts'

export const command = fulfillmentStep({
  summary: 'Record that the carrier delivered an order',
  details: 'Its items become delivered, or withdrawn for a withdrawal.',
  examples: ['warehouse deliver SO-88231'],
  take: deliverFulfillment,
})
