import { Option } from 'commander'
import type { CommandFile } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../idempotency.ts'
import type { Session } from '../../session.ts'
import { transferRecord } from '../../views/orders.ts'

type Options = IdempotentOptions & { to: 'completed' | 'declined' }

export const command: CommandFile<[string, Options]> = {
  summary: 'complete or decline a requested transfer',
  examples: ['sandbox transfer 0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70 --to completed'],
  define: (transfer) =>
    idempotent(transfer)
      .argument('<transfer>', 'its id')
      .addOption(
        new Option('--to <status>', 'what becomes of it')
          .choices(['completed', 'declined'])
          .makeOptionMandatory(),
      ),
  run,
}

async function run(session: Session, transfer_id: string, { to, idempotencyKey }: Options): Promise<void> {
  const { client } = await session.targetToWrite()
  const { data } = await client.resolveTransfer({
    params: { transfer_id },
    body: { to_status: to },
    idempotencyKey,
  })
  await (await session.printer()).one(data, transferRecord)
}
