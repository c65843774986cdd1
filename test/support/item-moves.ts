import type { ItemStatus } from '../../src/contract/enums.ts'

/** The statuses that an item may reach from each status (ruling 7): a separate copy, so that neither drifts. */
const moves: Readonly<Record<string, readonly string[]>> = {
  received: ['digitized'],
  digitized: ['available'],
  available: ['in_fulfillment', 'pending_transfer'],
  in_fulfillment: ['available', 'in_transit'],
  in_transit: ['delivered', 'withdrawn', 'received'],
  delivered: ['received'],
  pending_transfer: ['available', 'released'],
  released: [],
  withdrawn: ['received'],
} satisfies Record<ItemStatus, readonly ItemStatus[]>

export function canMove(from: string, to: string): boolean {
  return moves[from]?.includes(to) ?? false
}
