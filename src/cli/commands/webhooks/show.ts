import type { CommandFile, Outcome, Session } from '../../command.ts'
import { forEachNamed, namesFrom, oneOrMany } from '../../list/several.ts'
import { subscriptionList, subscriptionRecord } from '../../views/webhooks.ts'
import { findSubscriptionId, webhookArguments } from '../../webhooks/subscription.ts'

export const command: CommandFile<[string[]]> = {
  summary: 'Show webhooks',
  examples: ['webhooks show https://hooks.example.com/custody'],
  define: webhookArguments,
  view: (_format, given) => oneOrMany(given, subscriptionRecord, subscriptionList),
  run,
}

async function run(session: Session, given: string[]): Promise<Outcome> {
  const named = await namesFrom(session, given)
  const { client } = await session.target()
  return forEachNamed(session, named, async (name) => {
    const subscription_id = await findSubscriptionId(client, name)
    return (await client.getSubscription({ params: { subscription_id } })).data
  })
}
