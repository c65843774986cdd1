import type { Client } from '../../../client/client.ts'
import { usage } from '../../base/cli-error.ts'
import type { CommandFile, Session } from '../../command.ts'
import { byId, patiently, walkPages } from '../../connection/paging.ts'
import { deliveryList } from '../../views/webhooks.ts'
import { findSubscriptionId, noticeSender, webhookArgument } from '../../webhooks/subscription.ts'

type Options = { dead?: boolean }

export const command: CommandFile<[string, string[], Options]> = {
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
  run,
}

async function run(session: Session, given: string, ids: string[], { dead }: Options): Promise<void> {
  if (ids.length > 0 === (dead === true)) throw usage('Name deliveries, or give --dead for every dead one.')
  const { client } = await session.target()
  const subscription_id = await findSubscriptionId(client, given)
  const wanted = dead ? await deadDeliveries(client, subscription_id) : ids
  const target = await session.targetToWrite()
  const writer = (await session.printer()).list()
  for (const delivery_id of wanted) {
    const params = { subscription_id, delivery_id }
    await writer.push([(await patiently(() => client.redeliver({ params }))).data])
  }
  await writer.end()
  if (wanted.length === 0) session.notice('none found')
  else noticeSender(session, target)
}

/** Collected first, because queueing them moves the pages. */
async function deadDeliveries(client: Client, subscription_id: string): Promise<string[]> {
  const ids: string[] = []
  const params = { subscription_id }
  const fetch = (page: number, page_size: number) =>
    client.listDeliveries({ params, query: { page, page_size, status: 'dead' } })
  for await (const { results } of walkPages({ fetch, keyOf: byId })) ids.push(...results.map(byId))
  return ids
}
