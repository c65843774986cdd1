import { shipFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { labelStep } from './label-step.ts'

export const command = labelStep({
  summary: 'Record that the carrier has an order: its items are in transit',
  details: 'It needs a label first.',
  examples: [
    'warehouse ship SO-88231',
    'warehouse ship SO-88231 --carrier ups --service ups_ground --tracking-number 1Z999AA10123456784',
  ],
  take: shipFulfillment,
})
