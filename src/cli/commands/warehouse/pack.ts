import { packFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { fulfillmentStep } from './steps.ts'

export const command = fulfillmentStep({
  summary: 'packed after picking',
  examples: ['warehouse pack SO-88231'],
  take: packFulfillment,
})
