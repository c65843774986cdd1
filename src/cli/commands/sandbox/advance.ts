import { Option } from 'commander'
import { type ItemStatus, itemStatuses } from '../../../contract/enums.ts'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { forEachNamed, namesFrom } from '../../list/several.ts'
import { itemList } from '../../views/items.ts'

type Options = IdempotentOptions & { to: ItemStatus }

export const command: CommandFile<[string[], Options]> = {
  summary: 'Move items to a status, with the events of production',
  details: 'Takes the shortest legal path and creates the shipments or transfers it needs.',
  examples: [
    'sandbox advance Q-7F3K-9M2P-X4TA --to available',
    'sandbox advance Q-7F3K-9M2P-X4TA --to delivered',
  ],
  define: (advance) =>
    idempotent(advance)
      .argument('<qid...>', 'The items; - for lines of stdin')
      .addOption(new Option('--to <status>', 'the status').choices(itemStatuses).makeOptionMandatory()),
  view: () => itemList,
  run,
}

async function run(session: Session, given: string[], { to, idempotencyKey }: Options): Promise<Outcome> {
  const named = await namesFrom(session, given)
  const { client } = await session.targetToWrite()
  const body = { to_status: to }
  return forEachNamed(
    session,
    named,
    async (qid) => (await client.advanceItem({ params: { qid }, body, idempotencyKey })).data,
    true,
  )
}
