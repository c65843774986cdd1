import type { Environment } from '../../contract/enums.ts'
import type { ClockAndRandom } from '../../engine/context.ts'
import { scopeTime } from '../../engine/scope-time.ts'
import type { Database } from '../../store/database.ts'
import { listWaiting, type WaitingRow } from '../../store/tables/delivery-leases.ts'
import type { Subscriber } from './concurrency-limiter.ts'

/** The subscriptions for which something is due now, and in how many milliseconds the next will be; null where nothing waits. */
export type Due = { subscriptions: Subscriber[]; nextMs: number | null }

/** Looks at one scope, or at all of the environment. Each scope's schedule follows its own clock (decisions 11). */
export async function findDue(
  db: Database,
  sources: ClockAndRandom,
  environment: Environment,
  scopeId?: number,
): Promise<Due> {
  const machineNow = new Date(sources.clock()).toISOString()
  const rows = await db.read((tx) => listWaiting(tx, environment, machineNow, scopeId))
  const due: Due = { subscriptions: [], nextMs: null }
  for (const row of rows) {
    const ms = millisecondsUntilDue(row, sources)
    if (ms === null) continue
    const { scope_id: scopeId, subscription_id: subscriptionId, failing_since } = row
    if (ms <= 0) due.subscriptions.push({ scopeId, subscriptionId, isFailing: failing_since !== null })
    else due.nextMs = Math.min(due.nextMs ?? ms, ms)
  }
  return due
}

function millisecondsUntilDue(row: WaitingRow, sources: ClockAndRandom): number | null {
  if (row.next_attempt_at === null) return null
  const { next_attempt_at: next, paused_until: paused } = row
  const at = paused !== null && paused > next ? paused : next
  return Date.parse(at) - Date.parse(scopeTime(sources, row))
}
