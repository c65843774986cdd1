import { raiseIssue } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { fulfillmentStep } from './steps.ts'

type Options = { code: string; message: string }

export const command = fulfillmentStep<Options>({
  summary: 'Record an issue: the fulfillment stops until it is resolved',
  details: 'The partner sees the code and the message. Resolve it with: custody warehouse resolve-issue',
  examples: [
    'warehouse issue SO-88231 --code address_undeliverable --message "The carrier refuses the address."',
  ],
  define: (issue) =>
    issue
      .requiredOption('--code <code>', 'Code for programs, as in damaged_in_transit')
      .requiredOption('--message <text>', 'Message for people'),
  take: (work, id, { code, message }) => raiseIssue(work, id, { code, message }),
})
