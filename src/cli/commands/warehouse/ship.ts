import { shipFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { labelStep } from './label-step.ts'

export const command = labelStep({
  summary: 'the carrier has taken it: its items are in transit',
  details: 'Needs a label, where it has none yet.',
  examples: [
    'warehouse ship SO-88231',
    'warehouse ship SO-88231 --carrier ups --service ups_ground --tracking-number 1Z999AA10123456784',
  ],
  take: shipFulfillment,
})
