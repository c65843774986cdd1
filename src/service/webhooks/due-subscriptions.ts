import type { Environment } from '../../contract/enums.ts'
import type { Subscription } from '../../contract/resources/event.ts'
import { type Sources, scopeTime } from '../../engine/work.ts'
import type { Database } from '../../store/database.ts'
import { listWaiting, type WaitingRow } from '../../store/delivery-leases.ts'

/** A subscription for which something is due now. */
export type DueSubscription = {
  scopeId: number
  subscriptionId: string
  /** Host and port: what bounds are kept for. */
  endpoint: string
  isFailing: boolean
}

/** What is due, and in how many milliseconds the next will be; null where nothing waits. */
export type Due = { subscriptions: DueSubscription[]; nextMs: number | null }

/** Looks at one scope, or at all of the environment. Each scope's schedule follows its own clock (decisions 11). */
export async function findDue(
  db: Database,
  sources: Sources,
  environment: Environment,
  scopeId?: number,
): Promise<Due> {
  const machineNow = new Date(sources.clock()).toISOString()
  const rows = await db.read((tx) => listWaiting(tx, environment, machineNow, scopeId))
  const due: Due = { subscriptions: [], nextMs: null }
  for (const row of rows) {
    const ms = millisecondsUntilDue(row, sources)
    if (ms === null) continue
    if (ms <= 0) due.subscriptions.push(dueSubscription(row))
    else due.nextMs = Math.min(due.nextMs ?? ms, ms)
  }
  return due
}

function millisecondsUntilDue(row: WaitingRow, sources: Sources): number | null {
  if (row.next_attempt_at === null) return null
  const { next_attempt_at: next, paused_until: paused } = row
  const at = paused !== null && paused > next ? paused : next
  return Date.parse(at) - Date.parse(scopeTime(sources, row.clock_offset_ms, row.last_at))
}

function dueSubscription(row: WaitingRow): DueSubscription {
  const { url }: Subscription = JSON.parse(row.doc)
  return {
    scopeId: row.scope_id,
    subscriptionId: row.subscription_id,
    endpoint: new URL(url).host,
    isFailing: row.failing_since !== null,
  }
}
