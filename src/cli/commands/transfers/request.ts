import type { CommandFile, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { transferRecord } from '../../views/fulfillments.ts'

type Options = IdempotentOptions & { externalRef?: string }

export const command: CommandFile<[string[], Options]> = {
  summary: 'Offer items for sell-back',
  details: 'The items are reserved until the transfer is completed, declined, or cancelled.',
  examples: ['transfers request Q-7F3K-9M2P-X4TA Q-2B6H-T8WZ-K1DE --external-ref SB-0301'],
  define: (request) =>
    idempotent(request)
      .argument('<qid...>', 'QIDs of the items')
      .option('--external-ref <text>', 'Your reference'),
  view: () => transferRecord,
  run,
}

async function run(session: Session, qids: string[], options: Options): Promise<void> {
  const { client } = await session.targetToWrite()
  const { externalRef: external_ref, idempotencyKey } = options
  const body = { qids, ...(external_ref !== undefined && { external_ref }) }
  const { data } = await client.requestTransfer({ body, idempotencyKey })
  await (await session.printer()).one(data)
}
