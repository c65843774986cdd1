import { Option } from 'commander'
import type { CommandFile, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { findTransferId } from '../../find/find-transfer.ts'
import { transferRecord } from '../../views/fulfillments.ts'

type Options = IdempotentOptions & { to: 'completed' | 'declined' }

export const command: CommandFile<[string, Options]> = {
  summary: 'Complete or decline a requested transfer',
  examples: ['sandbox transfer SB-0304 --to completed'],
  define: (transfer) =>
    idempotent(transfer)
      .argument('<transfer>', 'Its id or your reference')
      .addOption(
        new Option('--to <status>', 'New status').choices(['completed', 'declined']).makeOptionMandatory(),
      ),
  view: () => transferRecord,
  run,
}

async function run(session: Session, given: string, { to, idempotencyKey }: Options): Promise<void> {
  const { client } = await session.target()
  const transfer_id = await findTransferId(client, given)
  await session.targetToWrite()
  const { data } = await client.resolveTransfer({
    params: { transfer_id },
    body: { to_status: to },
    idempotencyKey,
  })
  await (await session.printer()).one(data)
}
