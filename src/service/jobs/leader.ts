import { newUuid } from '../../runtime/identifiers.ts'
import type { Database } from '../../store/database.ts'
import { dropLeases, takeLease } from '../../store/tables/leases.ts'

/** Elects one of the processes that share a database for work that only one of them is to do. */
export type Leader = {
  /** Runs `task` unless another process holds the lease of this name; keeps it for `leaseMs` from now. */
  only(name: string, leaseMs: number, task: () => Promise<void>): Promise<void>
  /** Releases every lease, so that another process takes over at once. */
  resign(): Promise<void>
}

/** Leases go by the machine's clock: when those of a dead process run out, another takes over. */
export function createLeader(db: Database, clock: () => number): Leader {
  const owner = newUuid()
  return {
    async only(name, leaseMs, task) {
      const now = clock()
      const [from, until] = [now, now + leaseMs].map((ms) => new Date(ms).toISOString()) as [string, string]
      if (await db.write((tx) => takeLease(tx, name, owner, from, until))) await task()
    },
    resign: () => db.write((tx) => dropLeases(tx, owner)),
  }
}
