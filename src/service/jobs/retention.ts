import type { Workplace } from '../../engine/context.ts'
import { inWork } from '../../engine/in-work.ts'
import { forgetDeliveries } from '../../engine/webhooks/delivery-upkeep.ts'
import { forgetOldUnfinished, forgetResults, hasOldResults } from '../../store/tables/idempotency.ts'
import type { Scope } from '../../store/tables/scopes.ts'
import { listSubscriptionIds } from '../../store/tables/subscriptions.ts'

/** Rows forgotten in one transaction, and bytes of results: a few milliseconds, so that no writer waits long. */
const rowsAtOnce = 1000
const bytesAtOnce = 4 * 1024 * 1024

/** Forgets a scope's stored results, and writes that nobody has finished, made before `before`, in at most `batches` transactions. */
export async function forgetResultsOf(
  { db }: Pick<Workplace, 'db'>,
  scope: Scope,
  before: string,
  batches = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let n = 0; n < batches; n++) {
    if (!(await db.read((tx) => hasOldResults(tx, scope.id, before), { single: true }))) return
    await db.write(async (tx) => {
      await forgetResults(tx, scope.id, before, rowsAtOnce, bytesAtOnce)
      await forgetOldUnfinished(tx, scope.id, before)
    })
  }
}

/** Forgets a scope's deliveries that were over a month ago, by its own clock. */
export async function forgetDeliveriesOf(place: Workplace, scope: Scope): Promise<void> {
  const subscriptions = await place.db.read((tx) => listSubscriptionIds(tx, scope.id), { single: true })
  if (subscriptions.length === 0) return
  while ((await inWork(place, scope, (work) => forgetDeliveries(work, rowsAtOnce))) === rowsAtOnce);
}
