import { graceSecondsMax } from '../../../contract/limits.ts'
import { confirm, confirmable } from '../../ask/ask.ts'
import { durationSeconds, noticedTime } from '../../base/times.ts'
import type { CommandFile, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { subscriptionWithSecret } from '../../views/webhooks.ts'
import {
  findSubscriptionId,
  type Rotation,
  rotationNote,
  webhookArgument,
} from '../../webhooks/subscription.ts'

type Options = IdempotentOptions & { grace: string }

export const command: CommandFile<[string, Options]> = {
  summary: 'Create a new secret; both sign for a while',
  details:
    'Give the receiver the new secret within --grace; 0 ends the old one immediately. Only two secrets can sign: if you rotate again from this machine during the grace, custody asks, because the oldest secret then ends immediately.',
  examples: ['webhooks rotate-secret https://hooks.example.com/custody --grace 2h'],
  define: (rotate) =>
    webhookArgument(idempotent(confirmable(rotate))).option(
      '--grace <duration>',
      `How long the old secret also signs, up to ${graceSecondsMax / 86_400}d`,
      '24h',
    ),
  view: () => subscriptionWithSecret,
  run,
}

async function run(session: Session, given: string, options: Options): Promise<void> {
  const body = { grace_seconds: durationSeconds(options.grace, '--grace') }
  const { client } = await session.target()
  const params = { subscription_id: await findSubscriptionId(client, given) }
  const { running, note } = await rotationNote(session, params.subscription_id)
  const { idempotencyKey } = options
  // A key makes this a retry.
  const earlier = idempotencyKey === undefined ? running() : undefined
  if (earlier) await confirm(session, question(session, earlier), session.targetToWrite)
  await session.targetToWrite()
  const { data } = await client.rotateSubscriptionSecret({ params, body, idempotencyKey })
  note(body.grace_seconds)
  await (await session.printer()).one(data)
  session.notice('The secret is shown only now.')
}

function question({ io }: Session, { at, until }: Rotation): string {
  const [then, end] = [at, until].map((time) => noticedTime(io, time))
  return `The secret replaced on ${then} still signs until ${end}. Rotating again ends it now, and a receiver with only that secret rejects every event. Rotate again?`
}
