import type { CommandFile } from '../../command.ts'
import { confirm, confirmable } from '../../confirm.ts'
import { type IdempotentOptions, idempotent } from '../../idempotency.ts'
import type { Session } from '../../session.ts'
import { transferRecord } from '../../views/orders.ts'

export const command: CommandFile<[string, IdempotentOptions]> = {
  summary: 'cancel a requested transfer',
  details: 'Its items become available again.',
  examples: ['transfers cancel 0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70 --yes'],
  define: (cancel) => idempotent(confirmable(cancel)).argument('<transfer>', 'its id'),
  run,
}

async function run(
  session: Session,
  transfer_id: string,
  { idempotencyKey }: IdempotentOptions,
): Promise<void> {
  await confirm(session, `Cancel the transfer ${transfer_id}?`)
  const { client } = await session.targetToWrite()
  const { data } = await client.cancelTransfer({ params: { transfer_id }, idempotencyKey })
  await (await session.printer()).one(data, transferRecord)
}
