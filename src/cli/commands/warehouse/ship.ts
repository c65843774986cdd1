import { shipFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { type LabelOptions, labelFrom, labelOptions } from './label-options.ts'
import { fulfillmentStep } from './steps.ts'

export const command = fulfillmentStep<LabelOptions>({
  summary: 'the carrier has taken it: its items are in transit',
  details: 'Needs a label, where it has none yet.',
  examples: [
    'warehouse ship SO-88231',
    'warehouse ship SO-88231 --carrier ups --service ups_ground --tracking-number 1Z999AA10123456784',
  ],
  define: labelOptions,
  take: (work, id, options) => shipFulfillment(work, id, labelFrom(options)),
})
