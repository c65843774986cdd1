import type { Answer } from '../../../client/client.ts'
import { transferStatuses } from '../../../contract/enums.ts'
import type { Transfer } from '../../../contract/resources/fulfillment.ts'
import { planTransferMove } from '../../../domain/fulfillments/fulfillment.ts'
import { confirm, confirmable } from '../../ask/confirm.ts'
import { adviseOnConflict } from '../../base/advised.ts'
import { quoted } from '../../base/shell-word.ts'
import type { CommandFile, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { findTransferId } from '../../find/find-transfer.ts'
import { transferRecord } from '../../views/fulfillments.ts'

export const command: CommandFile<[string, IdempotentOptions]> = {
  summary: 'Cancel a requested transfer',
  details: 'Its items become available again.',
  examples: ['transfers cancel SB-0304', 'transfers cancel 0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70 --yes'],
  define: (cancel) => idempotent(confirmable(cancel)).argument('<transfer>', 'Its id or your reference'),
  view: () => transferRecord,
  run,
}

async function run(session: Session, given: string, { idempotencyKey }: IdempotentOptions): Promise<void> {
  const { client } = await session.target()
  const transfer_id = await findTransferId(client, given)
  const params = { transfer_id }
  const advise = adviseOnConflict(`See: custody transfers show ${quoted(given)}`)
  // Nobody is asked about what cannot be.
  if (!session.options.yes) await client.getTransfer({ params }).then(refuseLate).catch(advise)
  await confirm(session, `Cancel the transfer ${given}?`, session.targetToWrite)
  const { data } = await client.cancelTransfer({ params, idempotencyKey }).catch(advise)
  await (await session.printer()).one(data)
}

/** Throws the service's own conflict. What a status means that this version does not know, the service says itself. */
function refuseLate({ data }: Answer<Transfer>): void {
  if (transferStatuses.includes(data.status)) planTransferMove(data.status, 'cancelled')
}
