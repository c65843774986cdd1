import { forgetDeliveries } from '../engine/delivery-upkeep.ts'
import { runTimedWork, type TimedWorkOptions } from '../engine/timed-work.ts'
import { openWork } from '../engine/work.ts'
import { forgetResults } from '../store/idempotency.ts'
import { listScopes, type Scope } from '../store/scopes.ts'
import { listSubscriptionIds } from '../store/subscriptions.ts'
import type { EventSignal } from './event-signal.ts'
import type { KeyUse } from './key-use.ts'
import type { Leader } from './leader.ts'
import type { Chore } from './scheduler.ts'

export type UpkeepOptions = TimedWorkOptions & {
  signal: EventSignal
  keyUse: KeyUse
  leader: Leader
  /** How long a stored result is replayed, in milliseconds. */
  idempotencyMs: number
}

/** How long a process that died is waited for before another does its work. */
const leaseMs = 30_000
const forgettingMs = 600_000
/** Rows forgotten in one transaction, so that the writers of a scope never wait long. */
const rowsAtOnce = 1000

/** What a service does by itself: what falls due by the clocks of its scopes, notes on keys, and forgetting. */
export function upkeepChores(options: UpkeepOptions): Chore[] {
  const { leader, environment } = options
  return [
    {
      everyMs: 5_000,
      run: () => leader.only(`timed work ${environment}`, leaseMs, () => doTimedWork(options)),
    },
    { everyMs: 60_000, run: () => options.keyUse.flush() },
    {
      everyMs: forgettingMs,
      run: () => leader.only(`forgetting ${environment}`, forgettingMs * 0.9, () => forgetOld(options)),
    },
  ]
}

async function doTimedWork(options: UpkeepOptions): Promise<void> {
  for (const scopeId of await runTimedWork(options)) options.signal.notify(scopeId)
}

/** Results by real time, deliveries by the scope's own (decisions 11). */
async function forgetOld(options: UpkeepOptions): Promise<void> {
  const { db, sources, environment, idempotencyMs } = options
  const before = new Date(sources.clock() - idempotencyMs).toISOString()
  for (const scope of await db.read(listScopes)) {
    if (scope.environment !== environment) continue
    await untilFewer(() => db.write((tx) => forgetResults(tx, scope.id, before, rowsAtOnce)))
    const subscriptions = await db.read((tx) => listSubscriptionIds(tx, scope.id))
    if (subscriptions.length > 0) await untilFewer(() => forgetDeliveriesOf(options, scope))
  }
}

async function forgetDeliveriesOf({ db, sources, settings }: UpkeepOptions, scope: Scope): Promise<number> {
  return db.write(async (tx) => {
    const work = await openWork(tx, scope, sources, settings)
    const forgotten = await forgetDeliveries(work, rowsAtOnce)
    await work.finish()
    return forgotten
  })
}

async function untilFewer(forgetSome: () => Promise<number>): Promise<void> {
  while ((await forgetSome()) >= rowsAtOnce);
}
