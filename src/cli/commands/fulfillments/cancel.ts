import { confirm, confirmable } from '../../ask/confirm.ts'
import { adviseOnConflict } from '../../base/advised.ts'
import { quoted } from '../../base/shell-word.ts'
import type { CommandFile, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { findFulfillmentId } from '../../find/find-fulfillment.ts'
import { fulfillmentRecord } from '../../views/orders.ts'

export const command: CommandFile<[string, IdempotentOptions]> = {
  summary: 'cancel a fulfillment that has not been picked',
  details: 'Its items become available again.',
  examples: ['fulfillments cancel WEB-20418', 'fulfillments cancel WEB-20418 --yes'],
  define: (cancel) => idempotent(confirmable(cancel)).argument('<fulfillment>', 'its id or your reference'),
  run,
}

async function run(session: Session, given: string, { idempotencyKey }: IdempotentOptions): Promise<void> {
  const { client } = await session.target()
  const fulfillment_id = await findFulfillmentId(client, given)
  await confirm(session, `Cancel the fulfillment ${given}?`, session.targetToWrite)
  const { data } = await client
    .cancelFulfillment({ params: { fulfillment_id }, idempotencyKey })
    .catch(adviseOnConflict(`See: custody fulfillments show ${quoted(given)}`))
  await (await session.printer()).one(data, fulfillmentRecord)
}
