import type { Database } from '../../store/database.ts'
import { touchKey } from '../../store/tables/keys.ts'

/** When each key was last used: noted in memory at every call and written now and then, so that no call pays for it. */
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
        // In a fixed order, so that two processes cannot deadlock.
        for (const [id, at] of [...writing].sort()) await touchKey(tx, id, new Date(at).toISOString())
      })
    },
  }
}
