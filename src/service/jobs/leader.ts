import { newUuid } from '../../runtime/identifiers.ts'
import type { Database } from '../../store/database.ts'
import { dropLeases, takeLease } from '../../store/tables/leases.ts'

/** Lets one process of all that share a database do what need be done once. */
export type Leader = {
  /** Runs `task` unless another process holds the lease of this name; keeps it for `leaseMs` from now. */
  only(name: string, leaseMs: number, task: () => Promise<void>): Promise<void>
  /** Lets go of every lease, so that another process takes over at once. */
  resign(): Promise<void>
}

/** Leases are by the machine's clock: a process that dies is followed by another when they have run out. */
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
