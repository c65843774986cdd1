import { confirm, confirmable } from '../../ask/confirm.ts'
import type { CommandFile, Session } from '../../command.ts'
import { findSubscriptionId, webhookArgument } from '../../webhooks/subscription.ts'

export const command: CommandFile<[string]> = {
  summary: 'Delete a webhook and its deliveries',
  examples: ['webhooks rm https://hooks.example.com/custody --yes'],
  define: (rm) => webhookArgument(confirmable(rm)),
  isPlain: true,
  run,
}

async function run(session: Session, given: string): Promise<void> {
  const { client } = await session.target()
  const subscription_id = await findSubscriptionId(client, given)
  await confirm(session, `Remove the webhook ${given} with all its deliveries?`, session.targetToWrite)
  await client.deleteSubscription({ params: { subscription_id } })
  session.notice(`Removed the webhook ${given}.`)
}
