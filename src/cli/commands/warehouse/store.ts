import { storeItem } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { itemStep } from './steps.ts'

export const command = itemStep({
  summary: 'Record that items are on their shelves: digitized to available',
  examples: ['warehouse store Q-7F3K-9M2P-X4TA'],
  take: storeItem,
})
