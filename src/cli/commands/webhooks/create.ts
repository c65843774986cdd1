import { type Client, ServiceError } from '../../../client/client.ts'
import type { Subscription } from '../../../contract/resources/event.ts'
import { canAsk, confirm } from '../../ask/ask.ts'
import { Advised } from '../../base/advised.ts'
import { CliError } from '../../base/cli-error.ts'
import { quoted } from '../../base/shell-word.ts'
import type { CommandFile, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { offered } from '../../connection/operation-support.ts'
import { subscriptionWithSecret } from '../../views/webhooks.ts'
import { subscriptionsAt, typesFrom, typesOption } from '../../webhooks/subscription.ts'

type Options = IdempotentOptions & { type: string; inactive?: boolean; again?: boolean }

export const command: CommandFile<[string, Options]> = {
  summary: 'Subscribe an address to events',
  details:
    'The signing secret is shown once: save it where the receiver finds it. If a webhook already sends the same types to the address, custody asks, because the receiver would get each event twice. Without a terminal it exits 5; pass --again to create the webhook anyway.',
  examples: [
    'webhooks create https://hooks.example.com/custody',
    'webhooks create https://hooks.example.com/custody --type transfer.completed,transfer.declined',
    'webhooks create https://hooks.example.com/custody --json | jq -r .secret > webhook.secret',
  ],
  define: (create) =>
    idempotent(create)
      .argument('<url>', "Receiver's https address, reachable from the internet")
      .option(typesOption, 'Only these types, separated by commas', 'all')
      .option('--inactive', 'Send nothing yet')
      .option('--again', 'Create another webhook for the same address'),
  view: () => subscriptionWithSecret,
  run,
}

async function run(session: Session, url: string, options: Options): Promise<void> {
  const body = { url, event_types: typesFrom(options.type), active: !options.inactive }
  const { client } = await session.targetToWrite()
  // A key makes this a retry, which creates nothing twice.
  if (!options.again && options.idempotencyKey === undefined) await checkAddress(session, client, body)
  const { data } = await client
    .createSubscription({ body, idempotencyKey: options.idempotencyKey })
    .catch(adviseOnLocal(url))
  await (await session.printer()).one(data)
  session.notice('The secret is shown only now. Replace a lost one with: custody webhooks rotate-secret')
}

type Wanted = Pick<Subscription, 'url' | 'event_types'>

/** If a webhook at this address already receives some of these events, asks. Throws `conflict`, or `interrupted` on no. */
async function checkAddress(session: Session, client: Client, { url, event_types }: Wanted): Promise<void> {
  const known = (await offered(client, subscriptionsAt(client, url))) ?? []
  const same = known.find((each) => each.event_types.some((type) => event_types.includes(type)))
  if (same === undefined) return
  const words = `${url} already has a webhook for such events`
  if (canAsk(session)) return confirm(session, `${words}. Create another, which sends them a second time?`)
  throw new CliError('conflict', `${words}; nothing was created.`, {
    hint: `See: custody webhooks show ${quoted(url)}; --again creates another.`,
  })
}

/** A service cannot reach the operator's own machine; `events tail` on that machine can. */
function adviseOnLocal(url: string): (error: unknown) => never {
  return (error) => {
    const isLocal =
      /^https?:\/\/(?:localhost|127\.|0\.0\.0\.0|\[::1\]|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/i.test(
        url,
      )
    if (!isLocal || !(error instanceof ServiceError) || error.status !== 400) throw error
    throw new Advised(error, `On this machine: custody events tail --follow --forward-to ${quoted(url)}`)
  }
}
