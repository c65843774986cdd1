import { newUuid, type Timers } from '../../runtime/runtime.ts'
import type { Database } from '../../store/database.ts'
import { touchKey } from '../../store/tables/keys.ts'
import { dropLeases, takeLease } from '../../store/tables/leases.ts'

/** A repeated task; one run ends before the next begins. It asks between its transactions whether it may continue. */
export type Chore = { everyMs: number; run: (mayContinue: () => boolean) => Promise<void> }

type Scheduler = {
  start(): void
  stop(): Promise<void>
}

export function createScheduler(
  chores: readonly Chore[],
  timers: Timers,
  onError: (error: unknown) => void,
): Scheduler {
  const alarms = new Map<Chore, () => void>()
  const running = new Set<Promise<void>>()
  let isStopped = false
  const begin = (chore: Chore): void => {
    const run = chore
      .run(() => !isStopped)
      .catch(onError)
      .finally(() => {
        running.delete(run)
        if (!isStopped)
          alarms.set(
            chore,
            timers.after(chore.everyMs, () => begin(chore)),
          )
      })
    running.add(run)
  }
  return {
    start: () => chores.forEach(begin),
    async stop() {
      isStopped = true
      for (const callOff of alarms.values()) callOff()
      await Promise.all(running)
    },
  }
}

export type Leader = {
  /** Runs `task` unless another process holds the lease of this name; keeps the lease for `leaseMs` from now. */
  only(name: string, leaseMs: number, task: () => Promise<void>): Promise<void>
  /** Releases every lease, so that another process takes over at once. */
  resign(): Promise<void>
}

/** Leases use the machine's clock; when those of a dead process expire, another takes over. */
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

/** When each key was last used: noted in memory at every call and written periodically, so that no call pays for it. */
export type KeyUse = {
  note(keyId: string): void
  flush(): Promise<void>
}

export function createKeyUse(db: Database, clock: () => number): KeyUse {
  let noted = new Map<string, number>()
  return {
    note: (keyId) => void noted.set(keyId, clock()),
    async flush() {
      if (noted.size === 0) return
      const writing = noted
      noted = new Map()
      await db.write(async (tx) => {
        // In a fixed order, so that two processes cannot deadlock.
        for (const [id, at] of [...writing].sort()) await touchKey(tx, id, new Date(at).toISOString())
      })
    },
  }
}
