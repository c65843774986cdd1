import { deliveryRangesMax } from '../../contract/limits.ts'
import type { Subscription } from '../../contract/resources/event.ts'
import { assert, Rejection } from '../../domain/rejection.ts'
import {
  closeRange,
  type DeliveryRange,
  deleteRange,
  insertRange,
  listRanges,
  openRange,
} from '../../store/tables/webhooks/delivery-ranges.ts'
import { countEvents } from '../../store/tables/webhooks/events.ts'
import type { UnitOfWork } from '../context.ts'

/** By then, a receiver that answers has been sent most of its backlog. */
const waitingRetrySeconds = 60

/**
 * A subscription is a cursor over the log; writes ignore it. When it becomes active or changes its types, its current range ends
 * and a new one begins, so that earlier events follow the earlier settings. Throws `rate_limited` if too many ranges wait.
 */
export async function followLog(
  work: UnitOfWork,
  before: Subscription | undefined,
  after: Subscription,
): Promise<void> {
  const { tx } = work
  if (wantedBy(before) === wantedBy(after)) return
  // A change that stops sending is never rejected.
  if (before && after.active) rejectMore(await listFree(work, after))
  if (before?.active) await closeRange(tx, before.id)
  if (after.active) await openRange(tx, after.id, work.newId(), after.event_types)
}

function wantedBy(subscription: Subscription | undefined): string {
  return subscription?.active ? subscription.event_types.toSorted().join() : ''
}

/** Ranges not being sent: leased batches are few, and split off from these. */
async function listFree({ tx }: UnitOfWork, { id }: Subscription): Promise<DeliveryRange[]> {
  return (await listRanges(tx, id)).filter(({ is_leased }) => !is_leased)
}

/** Each range, however short, costs time at every check for due deliveries. */
function rejectMore(waiting: readonly unknown[]): void {
  if (waiting.length < deliveryRangesMax) return
  throw new Rejection(
    'rate_limited',
    `This subscription has waiting deliveries from before ${waiting.length} changes and replays: try again when they have been sent, ` +
      'or delete it and subscribe again; GET /events has every event.',
    { limit: 'waiting_stretches', retry_after_seconds: waitingRetrySeconds },
  )
}

/**
 * Sends events after `after` again, of the types subscribed to now; an unfinished replay of the same types is merged, from the
 * earlier start. Returns the number of events. Throws `rate_limited` as `followLog` does.
 */
export async function replayLog(
  work: UnitOfWork,
  subscription: Subscription,
  after: number,
): Promise<number> {
  const { tx } = work
  const types = subscription.event_types
  const end = work.claim.last_seq
  const [queued, free] = await Promise.all([
    countEvents(tx, { after, end, types }),
    listFree(work, subscription),
  ])
  if (queued === 0) return 0
  const isMerged = (range: DeliveryRange): boolean =>
    range.replay_id !== null && range.types.every((type) => types.includes(type))
  const { merged = [], others = [] } = Object.groupBy(free, (range) =>
    isMerged(range) ? 'merged' : 'others',
  )
  rejectMore(others)
  for (const range of merged) await deleteRange(tx, range)
  const from = Math.min(after, ...merged.map((range) => range.after))
  assert(from <= after && after <= end, 'a replay is within the log', subscription.id, from, after, end)
  const id = work.newId()
  const replay = { subscription_id: subscription.id, id, replay_id: id, after: from, end, types }
  await insertRange(tx, replay)
  work.wake()
  return queued
}
