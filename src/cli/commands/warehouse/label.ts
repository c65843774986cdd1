import { labelFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { labelStep } from './label-step.ts'

export const command = labelStep({
  summary: "the carrier's label is on",
  details: 'In production the label must be given; a sandbox makes one up where it is not.',
  examples: [
    'warehouse label SO-88231',
    'warehouse label SO-88231 --carrier ups --service ups_ground --tracking-number 1Z999AA10123456784',
  ],
  take: labelFulfillment,
})
