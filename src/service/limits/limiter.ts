import type { Environment } from '../../contract/enums.ts'
import { Rejection } from '../../domain/rejection.ts'
import { type BucketState, bucketAnswer, type Rate, take } from '../../domain/token-bucket.ts'
import { runtime } from '../../runtime/runtime.ts'
import type { Database, Tx } from '../../store/database.ts'
import { takeToken } from '../../store/postgres/pg-rate-limits.ts'
import type { Limiter, RateDecision } from '../context.ts'

export function limitHeaders(verdict: RateDecision): Record<string, string> {
  const { burst, rate_per_s } = verdict.rate
  return {
    ratelimit: `"key";r=${verdict.remaining};t=${Math.ceil(verdict.reset_seconds)}`,
    'ratelimit-policy': `"key";q=${burst};w=${Math.ceil(burst / rate_per_s)}`,
  }
}

export function rateLimited(verdict: RateDecision): Rejection {
  const seconds = Math.max(1, verdict.retry_after_seconds)
  return new Rejection('rate_limited', `Too many requests with this API key; try again in ${seconds} s.`, {
    retry_after_seconds: seconds,
  })
}

export const defaultRates: Record<Environment, Rate> = {
  sandbox: { rate_per_s: 25, burst: 50 },
  production: { rate_per_s: 100, burst: 200 },
}

const bucketsMax = 10_000

/** Token buckets in memory: correct only if one process alone serves the database. */
export function createMemoryLimiter(rate: Rate, most = bucketsMax) {
  const buckets = new Map<string, BucketState>()
  return {
    take(key: string, nowMs: number): RateDecision {
      const { state, ...answer } = take(buckets.get(key) ?? null, nowMs, rate)
      // Deleted and set again, so that the map is in order of last use.
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

/** Exact for any number of processes, at one statement per request. Uses the database's clock: machines' clocks may differ. */
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

/** Counts one rejection without a valid key (decisions 13). Returns the one that closes the connection, if the address had too many. */
export type Strangers = (address: string) => Rejection | undefined

export function createStrangers(rate: Rate = { rate_per_s: 10, burst: 50 }): Strangers {
  const limiter = createMemoryLimiter(rate)
  return (address) => {
    const { allowed, retry_after_seconds: seconds } = limiter.take(network(address), runtime.uptime())
    if (allowed) return undefined
    const message = `Too many requests without a valid API key from this address; try again in ${seconds} s.`
    return new Rejection('rate_limited', message, { retry_after_seconds: seconds })
  }
}

/** A client with one IPv6 address usually has the whole /64 network. */
function network(address: string): string {
  if (address.includes('.')) return address
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':'))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}
