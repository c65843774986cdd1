import { queueFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { labelStep } from './label-step.ts'

export const command = labelStep({
  summary: 'it stands ready for the carrier',
  details: 'Needs a label, where it has none yet.',
  examples: [
    'warehouse queue SO-88231',
    'warehouse queue SO-88231 --carrier ups --service ups_ground --tracking-number 1Z999AA10123456784',
  ],
  take: queueFulfillment,
})
