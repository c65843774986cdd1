import { returnFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { fulfillmentStep } from './steps.ts'

export const command = fulfillmentStep({
  summary: 'it came back: its items are taken in again',
  details: 'Custody resumes under the same QIDs. This cannot be taken back.',
  examples: ['warehouse return SO-88231 --yes'],
  question: (names) => `Take the items of ${names.join(', ')} in again?`,
  take: returnFulfillment,
})
