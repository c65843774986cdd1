import { deliveryStatuses } from '../../contract/enums.ts'
import { firstUuidAt } from '../../domain/uuid-time.ts'
import { deliveryKeptMs } from '../../domain/webhooks/webhook-schedule.ts'
import { dropCount, readCount } from '../../store/tables/counts.ts'
import {
  deleteDeliveries,
  deleteOldestDelivered,
  forgetDeliveryRows,
} from '../../store/tables/webhooks/deliveries.ts'
import { deleteRanges } from '../../store/tables/webhooks/delivery-ranges.ts'
import { listSubscriptionIds } from '../../store/tables/webhooks/subscriptions.ts'
import type { UnitOfWork } from '../context.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { deliveryCountKey } from './outbox.ts'

const rowsAtOnce = 1000

/** Rows that a subscription keeps of what was delivered, the newest; of the others the log and its place in it tell. */
const deliveredKept = 1000
/** Rows beyond these that are waited for, so that they are not deleted one by one. */
const deliveredBeyond = 250

/** Forgets the oldest rows of what was delivered where, with `added` ones, there are too many. */
export async function trimDelivered(work: UnitOfWork, subscriptionId: string, added: number): Promise<void> {
  const { tx, scope } = work
  const key = deliveryCountKey(subscriptionId, 'delivered')
  const beyond = (await readCount(tx, scope.id, 'deliveries', key)) + added - deliveredKept
  if (beyond < deliveredBeyond) return
  const gone = await deleteOldestDelivered(tx, scope.id, subscriptionId, Math.min(beyond, rowsAtOnce))
  work.count('deliveries', key, -gone)
}

/** Deletes every delivery of a subscription and its kept counts. */
export async function dropDeliveries(work: UnitOfWork, subscriptionId: string): Promise<void> {
  const { tx, scope } = work
  while ((await deleteDeliveries(tx, scope.id, subscriptionId, rowsAtOnce)) === rowsAtOnce)
    await yieldToEventLoop()
  await deleteRanges(tx, scope.id, subscriptionId)
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
