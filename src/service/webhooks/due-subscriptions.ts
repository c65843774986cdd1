import type { Environment, WebhookEventType } from '../../contract/enums.ts'
import type { ClockAndRandom } from '../../engine/context.ts'
import { scopeTime } from '../../engine/scope-time.ts'
import type { Database, Tx } from '../../store/database.ts'
import {
  listWaiting,
  listWaitingRanges,
  type WaitingRange,
  type WaitingRow,
} from '../../store/tables/webhooks/delivery-leases.ts'
import { lastSeqs } from '../../store/tables/webhooks/events.ts'
import type { Subscriber } from './concurrency-limiter.ts'

/** The subscriptions for which something is due now, and in how many milliseconds the next will be; null where nothing waits. */
type Due = { subscriptions: Subscriber[]; nextMs: number | null }

/** Looks at one scope, or at all of the environment. Each scope's schedule follows its own clock (decisions 11). */
export async function findDue(
  db: Database,
  sources: ClockAndRandom,
  environment: Environment,
  scopeId?: number,
): Promise<Due> {
  const machineNow = new Date(sources.clock()).toISOString()
  const { rows, waiting } = await db.read(
    async (tx) => ({
      rows: await listWaiting(tx, environment, machineNow, scopeId),
      waiting: await findWithEvents(tx, await listWaitingRanges(tx, environment, machineNow, scopeId)),
    }),
    scopeId === undefined ? {} : { scope: scopeId },
  )
  const due: Due = { subscriptions: [], nextMs: null }
  for (const row of rows) {
    const ms = millisecondsUntilDue(row, waiting.has(row.subscription_id), sources)
    if (ms === null) continue
    const { scope_id: scopeId, subscription_id: subscriptionId, failing_since } = row
    if (ms <= 0) due.subscriptions.push({ scopeId, subscriptionId, isFailing: failing_since !== null })
    else due.nextMs = Math.min(due.nextMs ?? ms, ms)
  }
  return due
}

/** Who has an event in the log that it wants. What it does not want leaves its range behind the log's end. */
async function findWithEvents(tx: Tx, ranges: readonly WaitingRange[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const [scopeId, ofScope] of Map.groupBy(ranges, (range) => range.scope_id)) {
    const last = await lastSeqs(tx, scopeId)
    for (const { subscription_id, after_seq, end_seq, event_types } of ofScope) {
      const types: WebhookEventType[] = JSON.parse(event_types)
      if (end_seq !== null || types.some((type) => (last.get(type) ?? 0) > after_seq))
        found.add(subscription_id)
    }
  }
  return found
}

function millisecondsUntilDue(row: WaitingRow, hasEvents: boolean, sources: ClockAndRandom): number | null {
  const { next_attempt_at: next, paused_until: paused } = row
  if (next === null && !hasEvents) return null
  const now = scopeTime(sources, row)
  const at = hasEvents || next === null ? now : next
  return Date.parse(paused !== null && paused > at ? paused : at) - Date.parse(now)
}
