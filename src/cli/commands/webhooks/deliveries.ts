import type { CommandFile, Session } from '../../command.ts'
import { type ListOptions, listing, runList } from '../../list/list-command.ts'
import { deliveryList } from '../../views/webhooks.ts'
import { findSubscriptionId, webhookArgument } from '../../webhooks/subscription.ts'

const list = { id: 'listDeliveries' as const, view: deliveryList, keys: ['id'] }
const { define, view } = listing(list)

export const command: CommandFile<[string, ListOptions]> = {
  summary: 'List deliveries of a webhook, newest first',
  details:
    'Lists waiting and dead deliveries (custody webhooks redeliver queues dead ones again) and the last thousand delivered ones.',
  examples: [
    'webhooks deliveries https://hooks.example.com/custody --status dead',
    'webhooks deliveries 0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70 --all --output csv > deliveries.csv',
  ],
  define: (deliveries) => define(webhookArgument(deliveries)),
  view,
  run,
}

async function run(session: Session, given: string, options: ListOptions): Promise<void> {
  await runList(session, list, options, async (client) => ({
    subscription_id: await findSubscriptionId(client, given),
  }))
}
