import { resolveIssue } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { fulfillmentStep } from './steps.ts'

export const command = fulfillmentStep({
  summary: 'an issue is resolved: it goes on where it was interrupted',
  examples: ['warehouse resolve-issue SO-88231'],
  take: resolveIssue,
})
