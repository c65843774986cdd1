import type { TransferStatus, WebhookEventType } from '../../contract/enums.ts'
import type { ItemCause } from '../items/item-states.ts'
import { conflict } from '../refusal.ts'

/** A state of a transfer, what it does to its items, and its event, which comes before theirs (decisions 7). */
export type TransferStep = {
  readonly status: TransferStatus
  readonly item_cause: ItemCause
  readonly event: WebhookEventType
}

/** What comes with each state; every state has its own event (3.5). */
export const transferSteps: Readonly<Record<TransferStatus, TransferStep>> = {
  requested: { status: 'requested', item_cause: 'transfer_requested', event: 'transfer.requested' },
  completed: { status: 'completed', item_cause: 'transfer_completed', event: 'transfer.completed' },
  declined: { status: 'declined', item_cause: 'transfer_declined', event: 'transfer.declined' },
  cancelled: { status: 'cancelled', item_cause: 'transfer_cancelled', event: 'transfer.cancelled' },
}

/** The graph of transfer statuses, whole (decisions 7). */
export const transferEdges: ReadonlyArray<{ readonly from: TransferStatus; readonly to: TransferStatus }> = [
  { from: 'requested', to: 'completed' },
  { from: 'requested', to: 'declined' },
  { from: 'requested', to: 'cancelled' },
]

/** Whether the transfer may go straight from one status to the other. */
function canMoveTransfer(from: TransferStatus, to: TransferStatus): boolean {
  return transferEdges.some((edge) => edge.from === from && edge.to === to)
}

/** Completes, declines or cancels a requested transfer. Throws a conflict in every other state. */
export function planTransferMove(from: TransferStatus, to: TransferStatus): TransferStep {
  if (from === to) throw conflict(`This transfer is already ${from}.`, { status: from })
  if (!canMoveTransfer(from, to)) {
    throw conflict(`This transfer is ${from} and cannot become ${to}.`, { status: from })
  }
  return transferSteps[to]
}
