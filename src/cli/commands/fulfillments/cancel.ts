import type { Answer } from '../../../client/client.ts'
import { fulfillmentStatuses } from '../../../contract/enums.ts'
import type { Fulfillment } from '../../../contract/resources/fulfillment.ts'
import { planCancel } from '../../../domain/fulfillments/fulfillment.ts'
import { confirm, confirmable } from '../../ask/confirm.ts'
import { adviseOnConflict } from '../../base/advised.ts'
import { quoted } from '../../base/shell-word.ts'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { findFulfillmentId } from '../../find/find-fulfillment.ts'
import { forEachNamed, idsOrReferences, inAll, namesFrom, oneOrMany } from '../../list/several.ts'
import { fulfillmentList, fulfillmentRecord } from '../../views/fulfillments.ts'

export const command: CommandFile<[string[], IdempotentOptions]> = {
  summary: 'Cancel fulfillments before they are picked',
  details: 'Their items become available again.',
  examples: ['fulfillments cancel WEB-20418', 'fulfillments cancel WEB-20418 WEB-20419 --yes'],
  define: (cancel) => idempotent(confirmable(cancel)).argument('<fulfillment...>', idsOrReferences),
  view: (_format, given) => oneOrMany(given, fulfillmentRecord, fulfillmentList),
  run,
}

async function run(
  session: Session,
  given: string[],
  { idempotencyKey }: IdempotentOptions,
): Promise<Outcome> {
  const named = await namesFrom(session, given)
  const { client } = await session.target()
  const advised = (name: string) => adviseOnConflict(`See: custody fulfillments show ${quoted(name)}`)
  // Nobody is asked about what cannot be.
  const [only] = named.isMany || session.options.yes ? [] : named.names
  if (only !== undefined) {
    const fulfillment_id = await findFulfillmentId(client, only)
    await client.getFulfillment({ params: { fulfillment_id } }).then(refuseLate).catch(advised(only))
  }
  await confirm(session, `Cancel ${inAll(named, 'fulfillment')}?`, session.targetToWrite)
  return forEachNamed(session, named, async (name) => {
    const fulfillment_id = await findFulfillmentId(client, name)
    const cancelling = client.cancelFulfillment({ params: { fulfillment_id }, idempotencyKey })
    return (await cancelling.catch(advised(name))).data
  })
}

/** Throws the service's own conflict. What a status means that this version does not know, the service says itself. */
function refuseLate({ data }: Answer<Fulfillment>): void {
  if (!fulfillmentStatuses.includes(data.status)) return
  planCancel({ ...data, has_shipped: false, interrupted_stage: null })
}
