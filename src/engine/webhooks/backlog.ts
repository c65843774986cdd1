import type { Environment } from '../../contract/enums.ts'
import type { Database } from '../../store/database.ts'
import { countPending, listOldestUnattempted } from '../../store/tables/backlog.ts'
import type { ClockAndRandom } from '../context.ts'
import { scopeTime } from '../scope-time.ts'

/** Webhook deliveries that wait, and for how long the oldest event without a first attempt has: each by its scope's clock. */
export async function measureBacklog(
  db: Database,
  sources: ClockAndRandom,
  environment: Environment,
): Promise<{ pending: number; lagSeconds: number }> {
  return db.read(async (tx) => {
    let lagMs = 0
    for (const { oldest, ...clock } of await listOldestUnattempted(tx, environment)) {
      if (oldest === null) continue
      lagMs = Math.max(lagMs, Date.parse(scopeTime(sources, clock)) - Date.parse(oldest))
    }
    return { pending: await countPending(tx, environment), lagSeconds: lagMs / 1000 }
  })
}
