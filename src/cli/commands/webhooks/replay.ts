import type { ResultOf } from '../../../contract/operations.ts'
import { usage } from '../../base/cli-error.ts'
import { pointInTime } from '../../base/times.ts'
import type { CommandFile, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { eventId } from '../../find/filters.ts'
import { columnsOf } from '../../output/columns.ts'
import { findSubscriptionId, noticeSender, webhookArgument } from '../../webhooks/subscription.ts'

type Options = IdempotentOptions & { since?: string; startingAfter?: string }

export const command: CommandFile<[string, Options]> = {
  summary: 'Queue past events again, from a time or an event',
  details: 'Sends only the types that the webhook receives. The receiver sees the same ids as before.',
  examples: [
    'webhooks replay https://hooks.example.com/custody --since 24h',
    'webhooks replay https://hooks.example.com/custody --starting-after 0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70',
  ],
  define: (replay) =>
    webhookArgument(idempotent(replay))
      .option('--since <time>', 'From a date, a time, or a while ago (24h)')
      .option('--starting-after <id>', 'Start after the event with this id'),
  view: () => ({ columns: columnsOf<ResultOf<'replaySubscription'>>({ name: 'queued', kind: 'number' }) }),
  run,
}

async function run(session: Session, given: string, options: Options): Promise<void> {
  const body = startOf(session, options)
  const { client } = await session.target()
  const params = { subscription_id: await findSubscriptionId(client, given) }
  const target = await session.targetToWrite()
  const { idempotencyKey } = options
  const { data } = await client.replaySubscription({ params, body, idempotencyKey })
  await (await session.printer()).one(data)
  noticeSender(session, target)
}

function startOf({ io }: Session, { since, startingAfter }: Options) {
  if ((since === undefined) === (startingAfter === undefined)) {
    throw usage('Give either --since or --starting-after.')
  }
  if (since !== undefined) return { since: pointInTime(since, '--since', io.now()) }
  return { starting_after: eventId(startingAfter ?? '', '--starting-after') }
}
