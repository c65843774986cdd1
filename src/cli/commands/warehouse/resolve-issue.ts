import { resolveIssue } from '../../../engine/warehouse.ts'
import { fulfillmentStep } from './steps.ts'

export const command = fulfillmentStep({
  summary: 'an issue is resolved: it goes on where it was interrupted',
  examples: ['warehouse resolve-issue SO-88231'],
  take: (work, id) => resolveIssue(work, id),
})
