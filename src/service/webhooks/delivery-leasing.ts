import { atScopeTime, readContext } from '../../engine/unit-of-work.ts'
import { type Attempt, leaseAttempts } from '../../engine/webhooks/delivery-attempts.ts'
import { findScopeById } from '../../store/tables/scopes.ts'
import type { Lease } from '../../store/tables/webhooks/delivery-leases.ts'
import type { ConcurrencyLimiter, Place, Subscriber } from './concurrency-limiter.ts'
import { type Batch, newBatch } from './delivery-batches.ts'
import type { DeliveryWorkerOptions } from './delivery-options.ts'

/** Longer than an attempt and its recording ever take: an older lease belongs to a process that died. */
export const leaseMs = 60_000
/** Events per batch; a failing or slow receiver gets one. */
const batchMax = 100

export type Leasing = Pick<DeliveryWorkerOptions, 'db' | 'sources' | 'settings'> & {
  owner: string
  pollMs: number
  limiter: ConcurrencyLimiter
  /** Subscriptions that another worker leases too, by the uptime until which this one skips them. */
  left: Map<string, number>
  /** Attempts not recorded yet, by `nameOf`. */
  underWay: Set<string>
}

/** Deliveries with a row, each with its place, and batches of the log. `hasMore`: a free place was taken meanwhile. */
type Leased = { attempts: Array<{ attempt: Attempt; place: Place }>; batches: Batch[]; hasMore: boolean }

export const nameOf = ({ subscriptionId, id }: Attempt): string => `${subscriptionId} ${id}`

/** Two workers whose clocks see each other's leases as expired would take turns and deliver the same events again and again. */
export function pauseLeasing({ left, sources, pollMs }: Leasing, subscriptionId: string): void {
  left.set(subscriptionId, sources.uptime() + pollMs)
}

export function pausedSubscriptions({ left, sources }: Leasing): string[] {
  const now = sources.uptime()
  for (const [id, until] of left) if (until <= now) left.delete(id)
  return [...left.keys()]
}

/** Another worker, whose clock differs, has just leased the same. */
const takenBetween = new Error('taken between')

/** Leases attempts if a place is free. Undefined, with nothing leased, if another worker has leased one of the attempts. */
export async function leaseFor(
  leasing: Leasing,
  scopeId: number,
  subscribers: readonly Subscriber[],
): Promise<Leased | undefined> {
  const { db, sources } = leasing
  let leased: Leased = { attempts: [], batches: [], hasMore: false }
  const giveBack = (): void => {
    for (const { place } of leased.attempts) place.giveBack()
    leased = { attempts: [], batches: [], hasMore: false }
  }
  try {
    await db.write(
      async (tx) => {
        // A transaction that loses a race is run again.
        giveBack()
        const scope = await findScopeById(tx, scopeId)
        if (!scope) return
        const view = await atScopeTime(readContext(tx, scope, leasing))
        for (const one of subscribers) {
          const limit = leasing.limiter.free(one)
          if (limit === 0) {
            leased.hasMore = true
            continue
          }
          const events = leasing.limiter.isSlow(one) ? 1 : batchMax
          const { attempts, batch } = await leaseAttempts(view, one.subscriptionId, newLease(leasing), {
            limit,
            events,
          })
          rejectTaken(leasing, one, [...attempts, ...(batch?.attempts ?? [])])
          for (const attempt of attempts) leased.attempts.push({ attempt, place: leasing.limiter.take(one) })
          if (batch) leased.batches.push(newBatch(one, batch, sources.uptime()))
        }
      },
      { scope: scopeId },
    )
    return leased
  } catch (error) {
    giveBack()
    if (error !== takenBetween) throw error
    return undefined
  }
}

/** Call it once the rows are locked. Another worker has an attempt if it is in progress here, or has just ended as lost. */
function rejectTaken(leasing: Leasing, { subscriptionId }: Subscriber, attempts: readonly Attempt[]): void {
  if (pausedSubscriptions(leasing).includes(subscriptionId)) throw takenBetween
  if (!attempts.some((attempt) => leasing.underWay.has(nameOf(attempt)))) return
  pauseLeasing(leasing, subscriptionId)
  throw takenBetween
}

function newLease({ owner, sources }: Leasing): Lease {
  const now = sources.clock()
  return { owner, now: new Date(now).toISOString(), until: new Date(now + leaseMs).toISOString() }
}
