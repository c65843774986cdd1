import { Option } from 'commander'
import { type ItemStatus, itemStatuses } from '../../../contract/enums.ts'
import type { CommandFile, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
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
      .argument('<qid...>', 'the items')
      .addOption(new Option('--to <status>', 'the status').choices(itemStatuses).makeOptionMandatory()),
  view: () => itemList,
  run,
}

async function run(session: Session, qids: string[], { to, idempotencyKey }: Options): Promise<void> {
  const { client } = await session.targetToWrite()
  const items = []
  for (const qid of qids) {
    const { data } = await client.advanceItem({ params: { qid }, body: { to_status: to }, idempotencyKey })
    items.push(data)
  }
  await (await session.printer()).all(items)
}
