import { deliveryStatuses } from '../../contract/enums.ts'
import { firstUuidAt } from '../../domain/uuid.ts'
import { deliveryKeptMs } from '../../domain/webhooks/webhook-schedule.ts'
import { dropCount, readCount } from '../../store/tables/counts.ts'
import {
  deleteDeliveries,
  deliveryCountKey,
  nextWithDeliveries,
} from '../../store/tables/webhooks/deliveries.ts'
import { deleteRanges } from '../../store/tables/webhooks/delivery-ranges.ts'
import { listSubscriptionIds } from '../../store/tables/webhooks/subscriptions.ts'
import type { UnitOfWork } from '../context.ts'

const rowsAtOnce = 1000

/** Rows of delivered events kept per subscription. The log and the cursor cover older ones. */
const deliveredKept = 1000
/** Additional rows that accumulate before they are deleted together. */
const deliveredBeyond = 250

export async function trimDelivered(work: UnitOfWork, subscriptionId: string, added: number): Promise<void> {
  const { tx } = work
  const key = deliveryCountKey(subscriptionId, 'delivered')
  const beyond = (await readCount(tx, 'deliveries', key)) + added - deliveredKept
  if (beyond < deliveredBeyond) return
  const limit = Math.min(beyond, rowsAtOnce)
  const gone = await deleteDeliveries(tx, subscriptionId, limit, { status: 'delivered' })
  work.count('deliveries', key, -gone)
}

/** Deletes ranges, counters, and a thousand deliveries; there may be many, so timed work deletes the rest. */
export async function dropDeliveries(work: UnitOfWork, subscriptionId: string): Promise<void> {
  const { tx } = work
  await deleteDeliveries(tx, subscriptionId, rowsAtOnce)
  await deleteRanges(tx, subscriptionId)
  for (const status of deliveryStatuses) {
    await dropCount(tx, 'deliveries', deliveryCountKey(subscriptionId, status))
  }
}

/** Timed work: deletes deliveries of deleted subscriptions, and those that ended over a month ago by the scope's clock. */
export async function forgetDeliveries(work: UnitOfWork, limit = rowsAtOnce): Promise<number> {
  const { tx } = work
  const before = new Date(Date.parse(work.now) - deliveryKeptMs).toISOString()
  const since = { before, beforeId: firstUuidAt(before) }
  const ids = await listSubscriptionIds(tx)
  let forgotten = await forgetGone(work, new Set(ids), limit)
  for (const id of ids) {
    for (const status of ['delivered', 'dead'] as const) {
      const gone = await deleteDeliveries(tx, id, limit - forgotten, { status, ...since })
      work.count('deliveries', deliveryCountKey(id, status), -gone)
      forgotten += gone
    }
  }
  return forgotten
}

/** Steps from one subscription with deliveries to the next, so that those of existing subscriptions are not read. */
async function forgetGone({ tx }: UnitOfWork, there: ReadonlySet<string>, limit: number): Promise<number> {
  let forgotten = 0
  let id = await nextWithDeliveries(tx, '')
  while (id !== undefined && forgotten < limit) {
    if (!there.has(id)) forgotten += await deleteDeliveries(tx, id, limit - forgotten)
    id = await nextWithDeliveries(tx, id)
  }
  return forgotten
}
