import type { SubscriptionUpdate } from '../../../contract/resources/event.ts'
import { usage } from '../../base/cli-error.ts'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import { forEachNamed, isMany, namesFrom, oneOrMany } from '../../list/several.ts'
import { subscriptionList, subscriptionRecord } from '../../views/webhooks.ts'
import { findSubscriptionId, typesFrom, typesOption, webhookArguments } from '../../webhooks/subscription.ts'

type Options = { url?: string; type?: string; activate?: boolean; deactivate?: boolean }

export const command: CommandFile<[string[], Options]> = {
  summary: 'Change webhooks; the rest stays as it is',
  details: '--activate reactivates a webhook that was deactivated after days without success.',
  examples: [
    'webhooks update https://hooks.example.com/custody --activate',
    'webhooks update 0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70 --url https://hooks.example.com/v2 --type all',
  ],
  define: (update) =>
    webhookArguments(update)
      .option('--url <url>', 'New receiver address')
      .option(typesOption, 'Replace the types, separated by commas; all for every type')
      .option('--activate', 'Send events again')
      .option('--deactivate', 'Send nothing until it is activated'),
  view: (_format, given) => oneOrMany(given, subscriptionRecord, subscriptionList),
  run,
}

async function run(session: Session, given: string[], options: Options): Promise<Outcome> {
  const body = bodyOf(options)
  if (options.url !== undefined && isMany(given)) throw usage('--url is for one webhook.', 'Name one.')
  const named = await namesFrom(session, given)
  const { client } = await session.target()
  return forEachNamed(session, named, async (name) => {
    const subscription_id = await findSubscriptionId(client, name)
    await session.targetToWrite()
    return (await client.updateSubscription({ params: { subscription_id }, body })).data
  })
}

function bodyOf({ url, type, activate, deactivate }: Options): SubscriptionUpdate {
  if (activate && deactivate) throw usage('--activate and --deactivate cannot be used together.')
  const isChange = url !== undefined || type !== undefined || activate || deactivate
  if (!isChange) throw usage('Nothing to change: give --url, --type, --activate, or --deactivate.')
  return {
    ...(url !== undefined && { url }),
    ...(type !== undefined && { event_types: typesFrom(type) }),
    ...((activate || deactivate) && { active: activate === true }),
  }
}
