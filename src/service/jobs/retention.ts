import { dayMs } from '../../contract/limits.ts'
import type { Workplace } from '../../engine/context.ts'
import { certainTime, type TimePlace } from '../../engine/scope-time.ts'
import { inUnitOfWork } from '../../engine/unit-of-work.ts'
import { forgetDeliveries } from '../../engine/webhooks/delivery-upkeep.ts'
import { inScope } from '../../store/database.ts'
import { forgetOldUnfinished, forgetResults, hasOldResults } from '../../store/tables/idempotency.ts'
import { holdScope, type Scope } from '../../store/tables/scopes.ts'
import { nextWithDeliveries } from '../../store/tables/webhooks/deliveries.ts'

/** Maximum rows and bytes deleted in one transaction: a few milliseconds, so that no writer waits long. */
const rowsAtOnce = 1000
const bytesAtOnce = 4 * 1024 * 1024

/** Results that are certainly older than this are deleted, however few writes their scope has had since (decisions 12). */
const longMs = 60 * dayMs

/** The scope must also have had later writes, so a clock set ahead makes no result old. Asks `mayContinue` in between. */
export async function forgetResultsOf(
  place: TimePlace,
  scope: Scope,
  keptMs: number,
  mayContinue = (): boolean => true,
): Promise<void> {
  const { db, sources } = place
  const before = new Date(sources.clock() - keptMs).toISOString()
  const sure = await certainTime(place)
  const longBefore = sure === null ? '' : new Date(sure - Math.max(keptMs, longMs)).toISOString()
  const times = { before, longBefore }
  while (mayContinue()) {
    if (!(await db.read((tx) => hasOldResults(inScope(tx, scope.id), times), { single: true }))) return
    await db.write(async (whole) => {
      const tx = inScope(whole, scope.id)
      // Claims the scope first: a concurrent write may store a new result under an old key, and must be seen.
      await holdScope(tx)
      await forgetResults(tx, times, rowsAtOnce, bytesAtOnce)
      await forgetOldUnfinished(tx, times)
    })
  }
}

/** Deletes deliveries that ended over a month ago by the scope's clock, and those of deleted subscriptions. */
export async function forgetDeliveriesOf(
  place: Workplace,
  scope: Scope,
  mayContinue: () => boolean,
): Promise<void> {
  const first = await place.db.read((tx) => nextWithDeliveries(inScope(tx, scope.id), ''), { single: true })
  if (first === undefined) return
  let gone = rowsAtOnce
  while (gone === rowsAtOnce && mayContinue())
    gone = await inUnitOfWork(place, scope, (work) => forgetDeliveries(work, rowsAtOnce))
}
