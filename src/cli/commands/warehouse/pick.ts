import { pickFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { fulfillmentStep } from './steps.ts'

export const command = fulfillmentStep({
  summary: 'picked from the shelves; from here on the partner cannot cancel',
  examples: ['warehouse pick SO-88231 SO-88232'],
  take: pickFulfillment,
})
