import type { CommandFile, Session } from '../../command.ts'
import { findTransferId } from '../../find/find-transfer.ts'
import { transferRecord } from '../../views/fulfillments.ts'

export const command: CommandFile<[string]> = {
  summary: 'Show a transfer',
  examples: ['transfers show SB-0301', 'transfers show 0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70'],
  define: (show) => show.argument('<transfer>', 'Its id or your reference'),
  view: () => transferRecord,
  run,
}

async function run(session: Session, given: string): Promise<void> {
  const { client } = await session.target()
  const transfer_id = await findTransferId(client, given)
  const { data } = await client.getTransfer({ params: { transfer_id } })
  await (await session.printer()).one(data)
}
