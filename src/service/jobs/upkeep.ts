import type { Environment } from '../../contract/enums.ts'
import type { ClockAndRandom } from '../../engine/context.ts'
import { millisecondsAhead, seeTime } from '../../engine/scope-time.ts'
import { apart, type OnScopeFault, runTimedWork, type TimedWorkOptions } from '../../engine/timed-work.ts'
import type { Database } from '../../store/database.ts'
import { listScopeClocks, listScopes } from '../../store/tables/scopes.ts'
import { forgetDeliveriesOf, forgetResultsOf } from './retention.ts'
import type { Chore, KeyUse, Leader } from './scheduler.ts'

type UpkeepOptions = TimedWorkOptions & {
  keyUse: KeyUse
  leader: Leader
  idempotencyMs: number
  warn: ClockWatchOptions['warn']
  onFault: OnScopeFault
}

/** Another process takes over the work of one that died after this long. */
const leaseMs = 30_000
const forgettingMs = 600_000

export function upkeepChores(options: UpkeepOptions): Chore[] {
  const { leader, environment } = options
  return [
    {
      everyMs: 5_000,
      run: (mayContinue) =>
        leader.only(`timed work ${environment}`, leaseMs, () => runTimedWork({ ...options, mayContinue })),
    },
    { everyMs: 60_000, run: () => options.keyUse.flush() },
    { everyMs: 60_000, run: createClockWatch(options) },
    {
      everyMs: forgettingMs,
      run: (mayContinue) =>
        leader.only(`forgetting ${environment}`, forgettingMs * 0.9, () => forgetOld(options, mayContinue)),
    },
  ]
}

/** Results age by real time, deliveries by the scope's clock (decisions 11). */
async function forgetOld(options: UpkeepOptions, mayContinue: () => boolean): Promise<void> {
  const { db, environment, idempotencyMs, onFault } = options
  for (const scope of await db.read(listScopes)) {
    if (scope.environment !== environment) continue
    await apart(scope, onFault, async () => {
      await forgetResultsOf(options, scope, idempotencyMs, mayContinue)
      await forgetDeliveriesOf(options, scope, mayContinue)
    })
  }
}

type ClockWatchOptions = {
  db: Database
  sources: ClockAndRandom
  environment: Environment
  warn: (message: string, details: Readonly<Record<string, unknown>>) => void
}

/** Clocks of several machines agree to within a second or so. */
const aheadMaxMs = 60_000
const message =
  "data of this partner is newer than this machine's clock: the clock was set back, or another machine's is ahead; " +
  'set them, preferably with NTP. Until this clock has caught up, times that are written are ahead too'

const jumpMessage =
  "this machine's clock was changed by more than a minute: until it has run steadily for an hour, no manifest closes automatically"

/** Warns once about each scope whose clock is ahead of the machine's, and whenever the machine's clock was set. */
export function createClockWatch({ db, sources, environment, warn }: ClockWatchOptions): () => Promise<void> {
  const warned = new Set<string>()
  let jumpsReported = 0
  return async () => {
    const { jumps } = seeTime(sources)
    if (jumps > jumpsReported) warn(jumpMessage, {})
    jumpsReported = jumps
    for (const clock of await db.read((tx) => listScopeClocks(tx, environment))) {
      const aheadMs = millisecondsAhead(sources, clock)
      if (aheadMs <= aheadMaxMs) warned.delete(clock.partner_id)
      else if (!warned.has(clock.partner_id)) {
        warned.add(clock.partner_id)
        warn(message, { partner: clock.partner_name, ahead_seconds: Math.round(aheadMs / 1000) })
      }
    }
  }
}
