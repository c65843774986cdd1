import { packFulfillment } from '../../../engine/warehouse.ts'
import { fulfillmentStep } from './steps.ts'

export const command = fulfillmentStep({
  summary: 'packed after picking',
  examples: ['warehouse pack SO-88231'],
  take: (work, id) => packFulfillment(work, id),
})
