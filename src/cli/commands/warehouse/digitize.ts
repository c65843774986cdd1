import { attachImagery } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { itemStep } from './steps.ts'

export const command = itemStep({
  summary: 'Record that items were photographed: received to digitized',
  examples: ['warehouse digitize Q-7F3K-9M2P-X4TA Q-2B6H-T8WZ-K1DE'],
  take: attachImagery,
})
