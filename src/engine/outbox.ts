import type { WebhookEventType } from '../contract/enums.ts'
import { type DeliveryCreate, insertDeliveries } from '../store/tables/deliveries.ts'
import { listActiveSubscriptions } from '../store/tables/subscriptions.ts'
import type { UnitOfWork } from './context.ts'

/** An event by what its delivery must know of it. */
type QueuedEvent = { id: string; type: WebhookEventType; seq: number }

/** Queues the events for every active subscription that wants them (decisions 9). Answers how many deliveries that makes. */
export async function queueDeliveries(work: UnitOfWork, events: readonly QueuedEvent[]): Promise<number> {
  let queued = 0
  for (const { subscription } of await listActiveSubscriptions(work.tx, work.scope.id)) {
    const wanted = new Set(subscription.event_types)
    const some = events.filter((event) => wanted.has(event.type))
    await queueFor(work, subscription.id, some)
    queued += some.length
  }
  return queued
}

/** Queues the events for one subscription, whatever it wants. Answers the new deliveries. */
export async function queueFor(
  work: UnitOfWork,
  subscriptionId: string,
  events: ReadonlyArray<Omit<QueuedEvent, 'seq'> & { seq: number | null; payload?: string }>,
): Promise<DeliveryCreate[]> {
  const deliveries = events.map((event) => ({
    subscription_id: subscriptionId,
    id: work.newId(),
    event_id: event.id,
    seq: event.seq,
    payload: event.payload ?? null,
    event_type: event.type,
    created_at: work.now,
  }))
  if (deliveries.length === 0) return []
  await insertDeliveries(work.tx, work.scope.id, deliveries)
  work.count('deliveries', deliveryCountKey(subscriptionId, 'pending'), deliveries.length)
  work.wake()
  return deliveries
}

/** The kept count that a delivery belongs to. */
export function deliveryCountKey(subscriptionId: string, status: string): string {
  return `${subscriptionId}|${status}`
}
