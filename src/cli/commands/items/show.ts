import type { CommandFile, Session } from '../../command.ts'
import { itemRecord } from '../../views/items.ts'

export const command: CommandFile<[string]> = {
  summary: 'Show an item',
  examples: ['items show Q-7F3K-9M2P-X4TA', 'items show Q-7F3K-9M2P-X4TA --json'],
  define: (show) => show.argument('<qid>', 'the item'),
  view: () => itemRecord,
  run,
}

async function run(session: Session, qid: string): Promise<void> {
  const { client } = await session.target()
  const { data } = await client.getItem({ params: { qid } })
  await (await session.printer()).one(data)
}
