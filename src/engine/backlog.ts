import type { Environment } from '../contract/enums.ts'
import { countPending, listOldestPending } from '../store/backlog.ts'
import type { Database } from '../store/database.ts'
import { type Sources, scopeTime } from './work.ts'

/** Webhook deliveries that wait, and for how long the oldest of them has: each by its scope's clock. */
export async function measureBacklog(
  db: Database,
  sources: Sources,
  environment: Environment,
): Promise<{ pending: number; lagSeconds: number }> {
  return db.read(async (tx) => {
    let lagMs = 0
    for (const { oldest, clock_offset_ms, last_at } of await listOldestPending(tx, environment)) {
      if (oldest === null) continue
      lagMs = Math.max(lagMs, Date.parse(scopeTime(sources, clock_offset_ms, last_at)) - Date.parse(oldest))
    }
    return { pending: await countPending(tx, environment), lagSeconds: lagMs / 1000 }
  })
}
