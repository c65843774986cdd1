import type { CommandFile, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { subscriptionWithSecret } from '../../views/webhooks.ts'
import { typesFrom, typesOption } from '../../webhooks/subscription-body.ts'

type Options = IdempotentOptions & { type: string; inactive?: boolean }

export const command: CommandFile<[string, Options]> = {
  summary: 'have events posted to an address of yours',
  details: 'The secret that signs them is shown once: keep it where the receiver finds it.',
  examples: [
    'webhooks create https://hooks.example.com/custody',
    'webhooks create https://hooks.example.com/custody --type transfer.completed,transfer.declined',
    'webhooks create https://hooks.example.com/custody --json | jq -r .secret > webhook.secret',
  ],
  define: (create) =>
    idempotent(create)
      .argument('<url>', 'where to: https, reachable from the internet')
      .option(typesOption, 'only these types, separated by commas', 'all')
      .option('--inactive', 'send nothing yet'),
  run,
}

async function run(session: Session, url: string, options: Options): Promise<void> {
  const body = { url, event_types: typesFrom(options.type), active: !options.inactive }
  const { client } = await session.targetToWrite()
  const { data } = await client.createSubscription({ body, idempotencyKey: options.idempotencyKey })
  await (await session.printer()).one(data, subscriptionWithSecret)
  session.notice('The secret is shown only now. A lost one is replaced with: custody webhooks rotate-secret')
}
