import type { CommandFile, Outcome, Session } from '../../command.ts'
import { findTransferId } from '../../find/find-manifest.ts'
import { forEachNamed, idsOrReferences, namesFrom, oneOrMany } from '../../list/several.ts'
import { transferList, transferRecord } from '../../views/fulfillments.ts'

export const command: CommandFile<[string[]]> = {
  summary: 'Show transfers',
  examples: ['transfers show SB-0301', 'transfers show SB-0301 SB-0302'],
  define: (show) => show.argument('<transfer...>', idsOrReferences),
  view: (_format, given) => oneOrMany(given, transferRecord, transferList),
  run,
}

async function run(session: Session, given: string[]): Promise<Outcome> {
  const named = await namesFrom(session, given)
  const { client } = await session.target()
  return forEachNamed(session, named, async (name) => {
    const transfer_id = await findTransferId(client, name)
    return (await client.getTransfer({ params: { transfer_id } })).data
  })
}
