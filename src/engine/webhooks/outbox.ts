import type { Subscription } from '../../contract/resources/event.ts'
import { readLastSeq } from '../../store/tables/scopes.ts'
import {
  closeRange,
  deleteRange,
  insertRange,
  listRanges,
  openRange,
} from '../../store/tables/webhooks/delivery-ranges.ts'
import { countEvents } from '../../store/tables/webhooks/events.ts'
import type { UnitOfWork } from '../context.ts'

/**
 * The log is the outbox: a subscription is a cursor over its scope's events, and a write does not know how many there
 * are. When a subscription becomes active or changes its types, its current stretch of the log ends and another begins, so that
 * earlier events are delivered as it was set up at the time.
 */
export async function followLog(
  work: UnitOfWork,
  before: Subscription | undefined,
  after: Subscription,
): Promise<void> {
  const { tx, scope } = work
  if (wantedBy(before) === wantedBy(after)) return
  if (before?.active) await closeRange(tx, scope.id, before.id)
  if (after.active) await openRange(tx, scope.id, after.id, work.newId(), after.event_types)
}

function wantedBy(subscription: Subscription | undefined): string {
  return subscription?.active ? subscription.event_types.join() : ''
}

/**
 * Sends the events after `after` again, of the types subscribed to now. A replay of the same types that still runs is merged
 * into it, starting at the earlier of the two. Answers how many events that means.
 */
export async function replayLog(
  work: UnitOfWork,
  subscription: Subscription,
  after: number,
): Promise<number> {
  const { tx, scope } = work
  const types = subscription.event_types
  const end = await readLastSeq(tx, scope.id)
  const queued = await countEvents(tx, scope.id, { after, end, types })
  if (queued === 0) return 0
  let from = after
  for (const range of await listRanges(tx, scope.id, subscription.id)) {
    const { replay_id, is_leased } = range
    if (replay_id === null || is_leased || !range.types.every((type) => types.includes(type))) continue
    from = Math.min(from, range.after)
    await deleteRange(tx, scope.id, range)
  }
  const id = work.newId()
  const replay = { subscription_id: subscription.id, id, replay_id: id, after: from, end, types }
  await insertRange(tx, scope.id, replay)
  work.wake()
  return queued
}

/** The kept count that a delivery with a row belongs to. */
export function deliveryCountKey(subscriptionId: string, status: string): string {
  return `${subscriptionId}|${status}`
}
