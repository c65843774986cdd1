import { queueFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { labelStep } from './label-step.ts'

export const command = labelStep({
  summary: 'Record that an order is ready for the carrier',
  details: 'It needs a label first.',
  examples: [
    'warehouse queue SO-88231',
    'warehouse queue SO-88231 --carrier ups --service ups_ground --tracking-number 1Z999AA10123456784',
  ],
  take: queueFulfillment,
})
