import { ServiceError } from '../../../client/service-error.ts'
import { Advised } from '../../base/advised.ts'
import { quoted } from '../../base/shell-word.ts'
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
  view: () => subscriptionWithSecret,
  run,
}

async function run(session: Session, url: string, options: Options): Promise<void> {
  const body = { url, event_types: typesFrom(options.type), active: !options.inactive }
  const { client } = await session.targetToWrite()
  const { data } = await client
    .createSubscription({ body, idempotencyKey: options.idempotencyKey })
    .catch(adviseOnLocal(url))
  await (await session.printer()).one(data)
  session.notice('The secret is shown only now. A lost one is replaced with: custody webhooks rotate-secret')
}

/** No service reaches the operator's own machine; a tail that runs on it does. */
function adviseOnLocal(url: string): (error: unknown) => never {
  return (error) => {
    const isLocal = /^https?:\/\/(?:localhost|127\.|0\.0\.0\.0|\[::1\]|10\.|192\.168\.)/i.test(url)
    if (!isLocal || !(error instanceof ServiceError) || error.status !== 400) throw error
    throw new Advised(error, `On this machine: custody events tail --follow --forward-to ${quoted(url)}`)
  }
}
