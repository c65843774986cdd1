import { verifyFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { fulfillmentStep } from './steps.ts'

export const command = fulfillmentStep({
  summary: 'Record that the parcel was compared with the order',
  examples: ['warehouse verify SO-88231'],
  take: verifyFulfillment,
})
