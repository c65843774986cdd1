import { verifyFulfillment } from '../../../engine/warehouse.ts'
import { fulfillmentStep } from './steps.ts'

export const command = fulfillmentStep({
  summary: 'what is packed was compared with the order',
  examples: ['warehouse verify SO-88231'],
  take: (work, id) => verifyFulfillment(work, id),
})
