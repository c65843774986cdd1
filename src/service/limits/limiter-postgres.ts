import { bucketAnswer } from '../../domain/token-bucket.ts'
import type { Database } from '../../store/database.ts'
import { takeToken } from '../../store/postgres/pg-rate-limits.ts'
import type { Limiter, Rate } from '../context.ts'

/** A token bucket per key in the database: exact for any number of processes, for one statement a request. */
export function createPostgresLimiter(db: Database, rate: Rate): Limiter {
  return {
    async take(key, nowMs) {
      const { allowed, state } = await db.write((tx) => takeToken(tx, key, nowMs, rate), { single: true })
      const { remaining, reset_seconds, retry_after_seconds } = bucketAnswer(allowed, state, rate)
      return { allowed, remaining, reset_seconds, retry_after_seconds, rate }
    },
  }
}
