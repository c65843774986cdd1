import type { Environment } from '../../contract/enums.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { BucketState, Rate } from '../../domain/token-bucket.ts'
import { bucketAnswer, take } from '../../domain/token-bucket.ts'
import { runtime } from '../../runtime/runtime.ts'
import type { Database, Tx } from '../../store/database.ts'
import { takeToken } from '../../store/postgres/pg-rate-limits.ts'
import type { Limiter, RateDecision } from '../context.ts'

/** The IETF `RateLimit` fields, on every answer. */
export function limitHeaders(verdict: RateDecision): Record<string, string> {
  const { burst, rate_per_s } = verdict.rate
  return {
    ratelimit: `"key";r=${verdict.remaining};t=${Math.ceil(verdict.reset_seconds)}`,
    'ratelimit-policy': `"key";q=${burst};w=${Math.max(1, Math.round(burst / rate_per_s))}`,
  }
}

export function rateLimited(verdict: RateDecision): Refusal {
  const seconds = Math.max(1, verdict.retry_after_seconds)
  return new Refusal('rate_limited', `Too many requests with this API key; try again in ${seconds} s.`, {
    retry_after_seconds: seconds,
  })
}

/** What a key may do unless set otherwise (decisions 3). */
export const defaultRates: Record<Environment, Rate> = {
  sandbox: { rate_per_s: 25, burst: 50 },
  production: { rate_per_s: 100, burst: 200 },
}

/** How many buckets are kept; beyond that, the least recently used is dropped. */
const bucketsMax = 10_000

/** A token bucket per key in the memory of this process: correct as long as one process alone serves a database. */
export function createMemoryLimiter(rate: Rate, most = bucketsMax) {
  const buckets = new Map<string, BucketState>()
  return {
    take(key: string, nowMs: number): RateDecision {
      const { state, ...answer } = take(buckets.get(key) ?? null, nowMs, rate)
      // Deleted and set again, so that the map's order is that of last use.
      buckets.delete(key)
      buckets.set(key, state)
      if (buckets.size > most) {
        const [oldest = key] = buckets.keys()
        buckets.delete(oldest)
      }
      return { ...answer, rate }
    },
  }
}

/**
 * A token bucket per key in the database: exact for any number of processes, for one statement a request. It goes by the
 * database's clock, whatever the processes' own say; tests give another.
 */
export function createPostgresLimiter(
  db: Database,
  rate: Rate,
  clock: (processMs: number) => number | null = () => null,
): Limiter {
  return {
    async take(key, processMs) {
      const taking = (tx: Tx) => takeToken(tx, key, clock(processMs), rate)
      const { allowed, state } = await db.write(taking, { single: true })
      const { state: _, ...answer } = bucketAnswer(allowed, state, rate)
      return { ...answer, rate }
    },
  }
}

/** Refusals for lack of a key that one address gets (decisions 13). */
const defaultRate: Rate = { rate_per_s: 10, burst: 50 }

/** Limits per address what is refused for lack of a key, so that nobody without one can occupy the service. */
export type Strangers = {
  /** Counts one refusal. Answers the one that ends the connection, if the address had too many. */
  refuse(address: string): Refusal | undefined
}

export function createStrangers(rate = defaultRate): Strangers {
  const limiter = createMemoryLimiter(rate)
  return {
    refuse(address) {
      const { allowed, retry_after_seconds: seconds } = limiter.take(network(address), runtime.uptime())
      if (allowed) return undefined
      const message = `Too many requests without a valid API key from this address; try again in ${seconds} s.`
      return new Refusal('rate_limited', message, { retry_after_seconds: seconds })
    },
  }
}

/** Who has one IPv6 address has its 64 bits of others. */
function network(address: string): string {
  return address.includes('.') ? address : address.split(':', 4).join(':')
}
