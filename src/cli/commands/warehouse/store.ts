import { storeItem } from '../../../engine/fulfillments/warehouse-shipping.ts'
import { itemStep } from './steps.ts'

export const command = itemStep({
  summary: 'items are on their shelves: digitized, then available',
  examples: ['warehouse store Q-7F3K-9M2P-X4TA'],
  take: storeItem,
})
