import type { Client } from '../../../client/client.ts'
import type { ResultOf } from '../../../contract/operations.ts'
import { usage } from '../../base/cli-error.ts'
import { pointInTime } from '../../base/times.ts'
import type { CommandFile, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { byId, type PageQuery, walkPages } from '../../connection/paging.ts'
import { timeOfAges } from '../../connection/scope-time.ts'
import { eventId } from '../../find/filters.ts'
import { type ListOptions, listing, runList } from '../../list/list-command.ts'
import { columnsOf } from '../../output/columns.ts'
import { deliveryList } from '../../views/webhooks.ts'
import { findSubscriptionId, noticeSender, webhookArgument } from '../../webhooks/subscription.ts'

const list = { id: 'listDeliveries' as const, view: deliveryList, keys: ['id'] }
const { define, view } = listing(list)

export const deliveries: CommandFile<[string, ListOptions]> = {
  summary: 'List deliveries of a webhook, newest first',
  details:
    'Lists waiting and dead deliveries (custody webhooks redeliver queues dead ones again) and the last thousand delivered ones.',
  examples: [
    'webhooks deliveries https://hooks.example.com/custody --status dead',
    'webhooks deliveries 0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70 --all --output csv > deliveries.csv',
  ],
  define: (deliveries) => define(webhookArgument(deliveries)),
  view,
  async run(session, given, options) {
    await runList(session, list, options, async (client) => ({
      subscription_id: await findSubscriptionId(client, given),
    }))
  },
}

type RedeliverOptions = { dead?: boolean }

export const redeliver: CommandFile<[string, string[], RedeliverOptions]> = {
  summary: 'Queue deliveries again',
  examples: [
    'webhooks redeliver https://hooks.example.com/custody 0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70',
    'webhooks redeliver https://hooks.example.com/custody --dead',
  ],
  define: (redeliver) =>
    webhookArgument(redeliver)
      .argument('[delivery...]', 'Delivery ids (see: custody webhooks deliveries)')
      .option('--dead', 'Every dead delivery'),
  view: () => deliveryList,
  async run(session, given, ids, { dead }) {
    if (ids.length > 0 === (dead === true)) throw usage('Name deliveries, or give --dead for every dead one.')
    const { client } = await session.target()
    const subscription_id = await findSubscriptionId(client, given)
    const wanted = dead ? await deadDeliveries(client, subscription_id) : ids
    const target = await session.targetToWrite()
    const writer = (await session.printer()).list()
    for (const delivery_id of wanted) {
      const params = { subscription_id, delivery_id }
      await writer.push([(await client.redeliver({ params })).data])
    }
    await writer.end()
    if (wanted.length === 0) session.notice('none found')
    else noticeSender(session, target)
  },
}

/** Collected first, because queueing them moves the pages. */
async function deadDeliveries(client: Client, subscription_id: string): Promise<string[]> {
  const ids: string[] = []
  const params = { subscription_id }
  const fetch = (query: PageQuery) => client.listDeliveries({ params, query: { status: 'dead', ...query } })
  for await (const { results } of walkPages({ fetch, keyOf: byId })) ids.push(...results.map(byId))
  return ids
}

type ReplayOptions = IdempotentOptions & { since?: string; startingAfter?: string }

export const replay: CommandFile<[string, ReplayOptions]> = {
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
  async run(session, given, options) {
    const body = await startOf(session, options)
    const { client } = await session.target()
    const params = { subscription_id: await findSubscriptionId(client, given) }
    const target = await session.targetToWrite()
    const { idempotencyKey } = options
    const { data } = await client.replaySubscription({ params, body, idempotencyKey })
    await (await session.printer()).one(data)
    noticeSender(session, target)
  },
}

async function startOf(session: Session, { since, startingAfter }: ReplayOptions) {
  if ((since === undefined) === (startingAfter === undefined)) {
    throw usage('Give either --since or --starting-after.')
  }
  if (since !== undefined) return { since: pointInTime(since, '--since', await timeOfAges(session, [since])) }
  return { starting_after: eventId(startingAfter ?? '', '--starting-after') }
}
