import { queueFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { type LabelOptions, labelFrom, labelOptions } from './label-options.ts'
import { fulfillmentStep } from './steps.ts'

export const command = fulfillmentStep<LabelOptions>({
  summary: 'it stands ready for the carrier',
  details: 'Needs a label, where it has none yet.',
  examples: [
    'warehouse queue SO-88231',
    'warehouse queue SO-88231 --carrier ups --service ups_ground --tracking-number 1Z999AA10123456784',
  ],
  define: labelOptions,
  take: (work, id, options) => queueFulfillment(work, id, labelFrom(options)),
})
