import { listCommand } from '../../list/list-command.ts'
import { showCommand } from '../../list/several.ts'
import { subscriptionList, subscriptionRecord } from '../../views/webhooks.ts'
import { findSubscriptionId, webhookArguments } from '../../webhooks/subscription.ts'

export const ls = listCommand(
  { id: 'listSubscriptions', view: subscriptionList, keys: ['id'] },
  { summary: 'List webhooks, newest first', examples: ['webhooks ls', 'webhooks ls --json'] },
)

export const show = showCommand(
  {
    record: subscriptionRecord,
    list: subscriptionList,
    define: webhookArguments,
    async read(client, name) {
      const subscription_id = await findSubscriptionId(client, name)
      return (await client.getSubscription({ params: { subscription_id } })).data
    },
  },
  { summary: 'Show webhooks', examples: ['webhooks show https://hooks.example.com/custody'] },
)
