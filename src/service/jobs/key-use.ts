import type { Database } from '../../store/database.ts'
import { touchKey } from '../../store/tables/keys.ts'

/** When each key was used last: noted in memory at every call, written now and then, so that no call pays for it. */
export type KeyUse = {
  note(keyId: string): void
  /** Writes what was noted since the last time. */
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
        // In one order, so that no two processes wait for each other.
        for (const [id, at] of [...writing].sort()) await touchKey(tx, id, new Date(at).toISOString())
      })
    },
  }
}
