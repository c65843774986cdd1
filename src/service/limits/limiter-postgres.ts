import { bucketAnswer, type Rate } from '../../domain/token-bucket.ts'
import type { Database, Tx } from '../../store/database.ts'
import { takeToken } from '../../store/postgres/pg-rate-limits.ts'
import type { Limiter } from '../context.ts'

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
