import { transferStatuses } from '../../../contract/enums.ts'
import { rejectTransferMove } from '../../../domain/fulfillments/fulfillment.ts'
import type { CommandFile } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { namingUnknown } from '../../find/by-key.ts'
import { findTransferId } from '../../find/find-by-reference.ts'
import { cancelCommand, namesFrom } from '../../list/several.ts'
import { transferList, transferRecord } from '../../views/fulfillments.ts'

type RequestOptions = IdempotentOptions & { externalRef?: string }

export const request: CommandFile<[string[], RequestOptions]> = {
  summary: 'Offer items for sell-back',
  details: 'The items are reserved until the transfer is completed, declined, or cancelled.',
  examples: ['transfers request Q-7F3K-9M2P-X4TA Q-2B6H-T8WZ-K1DE --external-ref SB-0301'],
  define: (request) =>
    idempotent(request)
      .argument('<qid...>', 'QIDs of the items; - for lines of stdin')
      .option('--external-ref <text>', 'Your reference'),
  view: () => transferRecord,
  async run(session, given, options) {
    const { names: qids } = await namesFrom(session, given)
    const { client } = await session.targetToWrite()
    const { externalRef: external_ref, idempotencyKey } = options
    const body = { qids: [...qids], ...(external_ref !== undefined && { external_ref }) }
    const { data } = await namingUnknown(client, qids, client.requestTransfer({ body, idempotencyKey }))
    await (await session.printer()).one(data)
  },
}

export const cancel = cancelCommand(
  {
    noun: 'transfer',
    record: transferRecord,
    list: transferList,
    find: findTransferId,
    read: (client, transfer_id) => client.getTransfer({ params: { transfer_id } }),
    cancel: (client, transfer_id, idempotencyKey) =>
      client.cancelTransfer({ params: { transfer_id }, idempotencyKey }),
    rejectLate({ status }) {
      if (transferStatuses.includes(status)) rejectTransferMove(status, 'cancelled')
    },
  },
  {
    summary: 'Cancel requested transfers',
    details: 'Their items become available again.',
    examples: ['transfers cancel SB-0304', 'transfers cancel SB-0304 SB-0305 --yes'],
  },
)
