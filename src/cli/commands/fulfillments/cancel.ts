import type { Answer } from '../../../client/client.ts'
import { fulfillmentStatuses } from '../../../contract/enums.ts'
import type { Fulfillment } from '../../../contract/resources/fulfillment.ts'
import { planCancel } from '../../../domain/fulfillments/fulfillment.ts'
import { confirm, confirmable } from '../../ask/confirm.ts'
import { adviseOnConflict } from '../../base/advised.ts'
import { quoted } from '../../base/shell-word.ts'
import type { CommandFile, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { findFulfillmentId } from '../../find/find-fulfillment.ts'
import { fulfillmentRecord } from '../../views/fulfillments.ts'

export const command: CommandFile<[string, IdempotentOptions]> = {
  summary: 'Cancel a fulfillment before it is picked',
  details: 'Its items become available again.',
  examples: ['fulfillments cancel WEB-20418', 'fulfillments cancel WEB-20418 --yes'],
  define: (cancel) => idempotent(confirmable(cancel)).argument('<fulfillment>', 'Its id or your reference'),
  view: () => fulfillmentRecord,
  run,
}

async function run(session: Session, given: string, { idempotencyKey }: IdempotentOptions): Promise<void> {
  const { client } = await session.target()
  const fulfillment_id = await findFulfillmentId(client, given)
  const params = { fulfillment_id }
  const advise = adviseOnConflict(`See: custody fulfillments show ${quoted(given)}`)
  // Nobody is asked about what cannot be.
  if (!session.options.yes) await client.getFulfillment({ params }).then(refuseLate).catch(advise)
  await confirm(session, `Cancel the fulfillment ${given}?`, session.targetToWrite)
  const { data } = await client.cancelFulfillment({ params, idempotencyKey }).catch(advise)
  await (await session.printer()).one(data)
}

/** Throws the service's own conflict. What a status means that this version does not know, the service says itself. */
function refuseLate({ data }: Answer<Fulfillment>): void {
  if (!fulfillmentStatuses.includes(data.status)) return
  planCancel({ ...data, has_shipped: false, interrupted_stage: null })
}
