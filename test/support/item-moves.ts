import type { ItemStatus } from '../../src/contract/enums.ts'

/** Where an item may go from each status (decisions 7): a copy of its own, so that neither may drift. */
const moves: Readonly<Record<ItemStatus, readonly ItemStatus[]>> = {
  received: ['digitized'],
  digitized: ['available'],
  available: ['in_fulfillment', 'pending_transfer'],
  in_fulfillment: ['available', 'in_transit'],
  in_transit: ['delivered', 'withdrawn', 'received'],
  delivered: ['received'],
  pending_transfer: ['available', 'released'],
  released: [],
  withdrawn: ['received'],
}

export function canMove(from: ItemStatus, to: ItemStatus): boolean {
  return moves[from].includes(to)
}
