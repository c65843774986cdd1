import { Option } from 'commander'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { findTransferId } from '../../find/find-by-reference.ts'
import { forEachNamed, idsOrReferences, namesFrom, oneOrMany } from '../../list/several.ts'
import { transferList, transferRecord } from '../../views/fulfillments.ts'

type Options = IdempotentOptions & { to: 'completed' | 'declined' }

export const command: CommandFile<[string[], Options]> = {
  summary: 'Complete or decline requested transfers',
  examples: ['sandbox transfer SB-0304 --to completed'],
  define: (transfer) =>
    idempotent(transfer)
      .argument('<transfer...>', idsOrReferences)
      .addOption(
        new Option('--to <status>', 'New status').choices(['completed', 'declined']).makeOptionMandatory(),
      ),
  view: (_format, given) => oneOrMany(given, transferRecord, transferList),
  run,
}

async function run(session: Session, given: string[], { to, idempotencyKey }: Options): Promise<Outcome> {
  const named = await namesFrom(session, given)
  const { client } = await session.targetToWrite()
  const body = { to_status: to }
  return forEachNamed(session, named, async (name) => {
    const transfer_id = await findTransferId(client, name)
    return (await client.resolveTransfer({ params: { transfer_id }, body, idempotencyKey })).data
  })
}
