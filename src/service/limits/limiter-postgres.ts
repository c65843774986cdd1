import { bucketAnswer, type Rate } from '../../domain/token-bucket.ts'
import type { Database } from '../../store/database.ts'
import { takeToken } from '../../store/postgres/pg-rate-limits.ts'
import type { Limiter } from '../context.ts'

/** A token bucket per key in the database: exact for any number of processes, for one statement a request. */
export function createPostgresLimiter(db: Database, rate: Rate): Limiter {
  return {
    async take(key, nowMs) {
      const { allowed, state } = await db.write((tx) => takeToken(tx, key, nowMs, rate), { single: true })
      const { state: _, ...answer } = bucketAnswer(allowed, state, rate)
      return { ...answer, rate }
    },
  }
}
