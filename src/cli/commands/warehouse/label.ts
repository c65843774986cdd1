import { labelFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { labelStep } from './label-step.ts'

export const command = labelStep({
  summary: "Record that the carrier's label is attached",
  details: "Production needs the label's data; a sandbox invents them.",
  examples: [
    'warehouse label SO-88231',
    'warehouse label SO-88231 --carrier ups --service ups_ground --tracking-number 1Z999AA10123456784',
  ],
  take: labelFulfillment,
})
