import { confirm, confirmable } from '../../ask/ask.ts'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import { eachNamed, inAll, namesFrom } from '../../list/several.ts'
import { findSubscriptionId, webhookArguments } from '../../webhooks/subscription.ts'

export const command: CommandFile<[string[]]> = {
  summary: 'Delete webhooks and their deliveries',
  examples: ['webhooks rm https://hooks.example.com/custody --yes'],
  define: (rm) => webhookArguments(confirmable(rm)),
  isPlain: true,
  run,
}

async function run(session: Session, given: string[]): Promise<Outcome> {
  const named = await namesFrom(session, given)
  const { client } = await session.target()
  // Does not ask about a webhook that does not exist.
  if (!named.isMany) await findSubscriptionId(client, named.names[0] ?? '')
  await confirm(session, `Delete ${inAll(named, 'webhook')} with all deliveries?`, session.targetToWrite)
  return eachNamed(session, named, async (name) => {
    const subscription_id = await findSubscriptionId(client, name)
    await client.deleteSubscription({ params: { subscription_id } })
    session.notice(`Deleted the webhook ${name}.`)
  })
}
