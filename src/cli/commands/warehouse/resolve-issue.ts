import { resolveIssue } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { fulfillmentStep } from './steps.ts'

export const command = fulfillmentStep({
  summary: 'Resolve an issue: the fulfillment continues',
  examples: ['warehouse resolve-issue SO-88231'],
  take: resolveIssue,
})
