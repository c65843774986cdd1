import type { Environment } from '../../contract/enums.ts'
import { type BucketState, type Rate, take } from '../../domain/token-bucket.ts'
import type { RateDecision } from '../context.ts'

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
