import type { CommandFile, Session } from '../../command.ts'
import { subscriptionRecord } from '../../views/webhooks.ts'
import { findSubscriptionId, webhookArgument } from '../../webhooks/subscription.ts'

export const command: CommandFile<[string]> = {
  summary: 'Show a webhook',
  examples: ['webhooks show https://hooks.example.com/custody'],
  define: webhookArgument,
  view: () => subscriptionRecord,
  run,
}

async function run(session: Session, given: string): Promise<void> {
  const { client } = await session.target()
  const subscription_id = await findSubscriptionId(client, given)
  const { data } = await client.getSubscription({ params: { subscription_id } })
  await (await session.printer()).one(data)
}
