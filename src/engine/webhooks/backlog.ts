import type { Environment } from '../../contract/enums.ts'
import { timeOfUuid } from '../../domain/uuid.ts'
import { type Database, inScope, type ScopedTx } from '../../store/database.ts'
import { type BacklogRow, countPending, listBacklogs } from '../../store/tables/webhooks/deliveries.ts'
import { listRangeEvents, listRanges } from '../../store/tables/webhooks/delivery-ranges.ts'
import { countEvents } from '../../store/tables/webhooks/events.ts'
import type { ClockAndRandom } from '../context.ts'
import { scopeTime } from '../scope-time.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

export type Backlog = {
  pending: number
  /** Age of the oldest event without an attempt, at receivers that answer, by its scope's clock; 0 if there are none. */
  lagSeconds: number
}

export async function measureBacklog(
  db: Database,
  sources: ClockAndRandom,
  environment: Environment,
): Promise<Backlog> {
  return db.read(async (tx) => {
    const backlog = { pending: await countPending(tx, environment), lagSeconds: 0 }
    const rows = await listBacklogs(tx, environment)
    for (const [scopeId, ofScope] of Map.groupBy(rows, (row) => row.scope_id)) {
      await addScope(inScope(tx, scopeId), ofScope, sources, backlog)
    }
    return backlog
  })
}

async function addScope(
  tx: ScopedTx,
  rows: readonly BacklogRow[],
  sources: ClockAndRandom,
  backlog: Backlog,
): Promise<void> {
  const healthy = new Map(rows.filter((row) => row.is_healthy === 1).map((row) => [row.subscription_id, row]))
  const queuedAt = [...healthy.values()].map(({ oldest }) => oldest)
  for (const range of await listRanges(tx)) {
    await yieldToEventLoop()
    backlog.pending += await countEvents(tx, range)
    if (!healthy.has(range.subscription_id)) continue
    const [first] = await listRangeEvents(tx, range, 1)
    if (first) queuedAt.push(timeOfUuid(first.delivery_id))
  }
  const [row] = rows
  const oldest = queuedAt.filter((time) => time !== null).sort()[0]
  if (!row || oldest === undefined) return
  const lagMs = Date.parse(scopeTime(sources, row)) - Date.parse(oldest)
  backlog.lagSeconds = Math.max(backlog.lagSeconds, lagMs / 1000)
}
