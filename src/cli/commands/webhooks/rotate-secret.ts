import { spanSeconds } from '../../base/times.ts'
import type { CommandFile, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { subscriptionWithSecret } from '../../views/webhooks.ts'
import { findSubscriptionId } from '../../webhooks/find-subscription.ts'
import { webhookArgument } from '../../webhooks/subscription-body.ts'

type Options = IdempotentOptions & { grace: string }

export const command: CommandFile<[string, Options]> = {
  summary: 'make a new secret; both sign while the grace runs',
  details: 'Give the receiver the new secret within the grace; 0 ends the old one at once.',
  examples: ['webhooks rotate-secret https://hooks.example.com/custody --grace 2h'],
  define: (rotate) =>
    webhookArgument(idempotent(rotate)).option(
      '--grace <span>',
      'how long the old one signs too, up to 7d',
      '24h',
    ),
  view: () => subscriptionWithSecret,
  run,
}

async function run(session: Session, given: string, options: Options): Promise<void> {
  const body = { grace_seconds: spanSeconds(options.grace, '--grace') }
  const { client } = await session.target()
  const params = { subscription_id: await findSubscriptionId(client, given) }
  await session.targetToWrite()
  const { idempotencyKey } = options
  const { data } = await client.rotateSubscriptionSecret({ params, body, idempotencyKey })
  await (await session.printer()).one(data)
  session.notice('The secret is shown only now.')
}
