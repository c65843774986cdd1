import type { ResultOf } from '../contract/operations.ts'
import type { World } from './world.ts'

/** A host name that never resolves, so deliveries go nowhere. */
export const webhookUrl = 'https://hooks.partner.example/custody'

type Subscription = ResultOf<'createSubscription'>

/** Deletes the subscription afterwards. */
export async function subscribed(
  world: World,
  task: (subscription: Subscription) => Promise<void>,
): Promise<void> {
  const body = { url: webhookUrl, event_types: ['transfer.declined' as const] }
  const { data } = await world.client.createSubscription({ body })
  try {
    await task(data)
  } finally {
    await world.ask('deleteSubscription', { params: { subscription_id: data.id } })
  }
}
