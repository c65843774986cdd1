import { apart, type OnScopeFault, runTimedWork, type TimedWorkOptions } from '../../engine/timed-work.ts'
import { listScopes } from '../../store/tables/scopes.ts'
import { type ClockWatchOptions, createClockWatch } from './clock-watch.ts'
import type { KeyUse } from './key-use.ts'
import type { Leader } from './leader.ts'
import { forgetDeliveriesOf, forgetResultsOf } from './retention.ts'
import type { Chore } from './scheduler.ts'

type UpkeepOptions = TimedWorkOptions & {
  keyUse: KeyUse
  leader: Leader
  /** How long a stored result is replayed, in milliseconds. */
  idempotencyMs: number
  warn: ClockWatchOptions['warn']
  onFault: OnScopeFault
}

/** How long the work of a process that died stays undone before another takes over. */
const leaseMs = 30_000
const forgettingMs = 600_000

/** What a service does by itself: what falls due by the clocks of its scopes, last use of keys, and retention. */
export function upkeepChores(options: UpkeepOptions): Chore[] {
  const { leader, environment } = options
  return [
    {
      everyMs: 5_000,
      run: (mayGoOn) =>
        leader.only(`timed work ${environment}`, leaseMs, () => runTimedWork({ ...options, mayGoOn })),
    },
    { everyMs: 60_000, run: () => options.keyUse.flush() },
    { everyMs: 60_000, run: createClockWatch(options) },
    {
      everyMs: forgettingMs,
      run: (mayGoOn) =>
        leader.only(`forgetting ${environment}`, forgettingMs * 0.9, () => forgetOld(options, mayGoOn)),
    },
  ]
}

/** Results age by real time, deliveries by the scope's clock (decisions 11). */
async function forgetOld(options: UpkeepOptions, mayGoOn: () => boolean): Promise<void> {
  const { db, environment, idempotencyMs, onFault } = options
  for (const scope of await db.read(listScopes)) {
    if (scope.environment !== environment) continue
    await apart(scope, onFault, async () => {
      await forgetResultsOf(options, scope, idempotencyMs, mayGoOn)
      await forgetDeliveriesOf(options, scope, mayGoOn)
    })
  }
}
