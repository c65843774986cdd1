import type { ItemStatus } from '../../contract/enums.ts'

/** The causes of an item's change of status (decisions 7). */
export type ItemCause =
  | 'intake'
  | 'imagery_attached'
  | 'stored'
  | 'fulfillment_created'
  | 'fulfillment_cancelled'
  | 'fulfillment_shipped'
  | 'standard_delivered'
  | 'withdrawal_delivered'
  | 'fulfillment_returned'
  | 'transfer_requested'
  | 'transfer_declined'
  | 'transfer_cancelled'
  | 'transfer_completed'

/** `from` is null on first arrival. */
type ItemEdge = {
  readonly from: ItemStatus | null
  readonly to: ItemStatus
  readonly cause: ItemCause
}

/** The whole graph of item statuses: no other move is legal (decisions 7). */
const itemEdges: readonly ItemEdge[] = [
  { from: null, to: 'received', cause: 'intake' },
  { from: 'received', to: 'digitized', cause: 'imagery_attached' },
  { from: 'digitized', to: 'available', cause: 'stored' },
  { from: 'available', to: 'in_fulfillment', cause: 'fulfillment_created' },
  { from: 'in_fulfillment', to: 'available', cause: 'fulfillment_cancelled' },
  { from: 'in_fulfillment', to: 'in_transit', cause: 'fulfillment_shipped' },
  { from: 'in_transit', to: 'delivered', cause: 'standard_delivered' },
  { from: 'in_transit', to: 'withdrawn', cause: 'withdrawal_delivered' },
  { from: 'in_transit', to: 'received', cause: 'fulfillment_returned' },
  { from: 'delivered', to: 'received', cause: 'fulfillment_returned' },
  { from: 'withdrawn', to: 'received', cause: 'fulfillment_returned' },
  { from: 'available', to: 'pending_transfer', cause: 'transfer_requested' },
  { from: 'pending_transfer', to: 'available', cause: 'transfer_declined' },
  { from: 'pending_transfer', to: 'available', cause: 'transfer_cancelled' },
  { from: 'pending_transfer', to: 'released', cause: 'transfer_completed' },
]

/** Throws an Error if the graph has no such edge: callers reject that first (409), so it would be a bug. */
export function nextItemStatus(from: ItemStatus | null, cause: ItemCause): ItemStatus {
  const edge = itemEdges.find((candidate) => candidate.from === from && candidate.cause === cause)
  if (edge === undefined) throw new Error(`no item leaves ${from ?? 'arrival'} by ${cause}`)
  return edge.to
}

/** Whether the warehouse holds the item for the partner: stored, in fulfillment or in transit (4.3, decisions 7). */
export function isHeld(status: ItemStatus): boolean {
  return status !== 'delivered' && status !== 'released' && status !== 'withdrawn'
}

/** How one item counts in its SKU's inventory level (2.9, decisions 7). */
type StockUnits = { readonly on_hand: number; readonly available: number; readonly allocated: number }

const gone: StockUnits = { on_hand: 0, available: 0, allocated: 0 }
const arriving: StockUnits = { on_hand: 1, available: 0, allocated: 0 }
const allocated: StockUnits = { on_hand: 1, available: 0, allocated: 1 }

/** From `in_transit` on, an item is not on a shelf. */
export const stockByStatus: Readonly<Record<ItemStatus, StockUnits>> = {
  received: arriving,
  digitized: arriving,
  available: { on_hand: 1, available: 1, allocated: 0 },
  in_fulfillment: allocated,
  in_transit: gone,
  delivered: gone,
  pending_transfer: allocated,
  released: gone,
  withdrawn: gone,
}

export function stockChange(from: ItemStatus | null, to: ItemStatus): StockUnits {
  const before = from === null ? gone : stockByStatus[from]
  const after = stockByStatus[to]
  return {
    on_hand: after.on_hand - before.on_hand,
    available: after.available - before.available,
    allocated: after.allocated - before.allocated,
  }
}
