import { transferStatuses } from '../../../contract/enums.ts'
import { planTransferMove } from '../../../domain/fulfillments/fulfillment.ts'
import { findTransferId } from '../../find/find-by-reference.ts'
import { cancelCommand } from '../../list/several.ts'
import { transferList, transferRecord } from '../../views/fulfillments.ts'

export const command = cancelCommand(
  {
    noun: 'transfer',
    record: transferRecord,
    list: transferList,
    find: findTransferId,
    read: (client, transfer_id) => client.getTransfer({ params: { transfer_id } }),
    cancel: (client, transfer_id, idempotencyKey) =>
      client.cancelTransfer({ params: { transfer_id }, idempotencyKey }),
    rejectLate({ status }) {
      if (transferStatuses.includes(status)) planTransferMove(status, 'cancelled')
    },
  },
  {
    summary: 'Cancel requested transfers',
    details: 'Their items become available again.',
    examples: ['transfers cancel SB-0304', 'transfers cancel SB-0304 SB-0305 --yes'],
  },
)
