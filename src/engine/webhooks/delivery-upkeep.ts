import { deliveryStatuses } from '../../contract/resources/event.ts'
import { firstUuidAt } from '../../domain/uuid-time.ts'
import { deliveryKeptMs } from '../../domain/webhooks/webhook-schedule.ts'
import { dropCount } from '../../store/tables/counts.ts'
import { deleteDeliveries, forgetDeliveryRows } from '../../store/tables/deliveries.ts'
import { listSubscriptionIds } from '../../store/tables/subscriptions.ts'
import type { UnitOfWork } from '../context.ts'
import { deliveryCountKey } from '../outbox.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

const rowsAtOnce = 1000

/** Deletes every delivery of a subscription and its kept counts. */
export async function dropDeliveries(work: UnitOfWork, subscriptionId: string): Promise<void> {
  const { tx, scope } = work
  while ((await deleteDeliveries(tx, scope.id, subscriptionId, rowsAtOnce)) === rowsAtOnce)
    await yieldToEventLoop()
  for (const status of deliveryStatuses) {
    await dropCount(tx, scope.id, 'deliveries', deliveryCountKey(subscriptionId, status))
  }
}

/** Timed work: forgets deliveries that were over a month ago by the scope's clock, at most `limit`. Answers how many. */
export async function forgetDeliveries(work: UnitOfWork, limit = rowsAtOnce): Promise<number> {
  const { tx, scope } = work
  const before = new Date(Date.parse(work.now) - deliveryKeptMs).toISOString()
  const since = { before, beforeId: firstUuidAt(before) }
  let forgotten = 0
  for (const id of await listSubscriptionIds(tx, scope.id)) {
    for (const status of ['delivered', 'dead'] as const) {
      const gone = await forgetDeliveryRows(tx, scope.id, id, status, since, limit - forgotten)
      work.count('deliveries', deliveryCountKey(id, status), -gone)
      forgotten += gone
    }
  }
  return forgotten
}
