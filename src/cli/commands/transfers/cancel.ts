import type { Answer } from '../../../client/client.ts'
import { transferStatuses } from '../../../contract/enums.ts'
import type { Transfer } from '../../../contract/resources/fulfillment.ts'
import { planTransferMove } from '../../../domain/fulfillments/fulfillment.ts'
import { confirm, confirmable } from '../../ask/confirm.ts'
import { adviseOnConflict } from '../../base/advised.ts'
import { quoted } from '../../base/shell-word.ts'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { findTransferId } from '../../find/find-transfer.ts'
import { forEachNamed, idsOrReferences, inAll, namesFrom, oneOrMany } from '../../list/several.ts'
import { transferList, transferRecord } from '../../views/fulfillments.ts'

export const command: CommandFile<[string[], IdempotentOptions]> = {
  summary: 'Cancel requested transfers',
  details: 'Their items become available again.',
  examples: ['transfers cancel SB-0304', 'transfers cancel SB-0304 SB-0305 --yes'],
  define: (cancel) => idempotent(confirmable(cancel)).argument('<transfer...>', idsOrReferences),
  view: (_format, given) => oneOrMany(given, transferRecord, transferList),
  run,
}

async function run(
  session: Session,
  given: string[],
  { idempotencyKey }: IdempotentOptions,
): Promise<Outcome> {
  const named = await namesFrom(session, given)
  const { client } = await session.target()
  const advised = (name: string) => adviseOnConflict(`See: custody transfers show ${quoted(name)}`)
  // Nobody is asked about what cannot be.
  const [only] = named.isMany || session.options.yes ? [] : named.names
  if (only !== undefined) {
    const transfer_id = await findTransferId(client, only)
    await client.getTransfer({ params: { transfer_id } }).then(refuseLate).catch(advised(only))
  }
  await confirm(session, `Cancel ${inAll(named, 'transfer')}?`, session.targetToWrite)
  return forEachNamed(session, named, async (name) => {
    const transfer_id = await findTransferId(client, name)
    const cancelling = client.cancelTransfer({ params: { transfer_id }, idempotencyKey })
    return (await cancelling.catch(advised(name))).data
  })
}

/** Throws the service's own conflict. What a status means that this version does not know, the service says itself. */
function refuseLate({ data }: Answer<Transfer>): void {
  if (transferStatuses.includes(data.status)) planTransferMove(data.status, 'cancelled')
}
