import type { CommandFile, Session } from '../../command.ts'
import type { View } from '../../output/columns.ts'

export const command: CommandFile<[]> = {
  summary: 'fill the sandbox with the sample data',
  details: 'A new embedded sandbox has them already. Done twice, it adds nothing the second time.',
  examples: ['sandbox seed'],
  run,
}

const view: View = {
  columns: ['products', 'manifests', 'items', 'fulfillments', 'transfers'].map((name) => ({ name })),
}

async function run(session: Session): Promise<void> {
  const { client } = await session.targetToWrite()
  const { isSeeded, seed } = await import('../../seed/seed.ts')
  if (await isSeeded(client)) return session.notice('The sample data are there already; nothing was added.')
  const seeded = await seed(client)
  await (await session.printer()).one(seeded, view)
}
