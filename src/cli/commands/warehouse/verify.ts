import { verifyFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { fulfillmentStep } from './steps.ts'

export const command = fulfillmentStep({
  summary: 'what is packed was compared with the order',
  examples: ['warehouse verify SO-88231'],
  take: verifyFulfillment,
})
