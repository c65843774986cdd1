import { deliverFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { fulfillmentStep } from './steps.ts'

export const command = fulfillmentStep({
  summary: 'the carrier has delivered it',
  details: 'The items are delivered, or withdrawn where it was a withdrawal.',
  examples: ['warehouse deliver SO-88231'],
  take: deliverFulfillment,
})
