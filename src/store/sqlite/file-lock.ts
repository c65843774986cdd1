import { closeSync, openSync, rmSync, statSync } from 'node:fs'

const busy = 5

/**
 * Holds a file, in a folder that is there, for this process alone; answers what lets it go, or undefined where another has
 * it after `waitMs`. The system lets go of it when the process ends, however it ends and in whatever container: SQLite's
 * own lock, of a file that holds nothing.
 */
export function lockFile(path: string, waitMs = 0): (() => void) | undefined {
  const sqlite: typeof import('node:sqlite') = process.getBuiltinModule('node:sqlite')
  for (;;) {
    makeEmpty(path)
    const before = numberOf(path)
    const db = new sqlite.DatabaseSync(path, { timeout: waitMs })
    try {
      // Nothing is written, so there is no journal beside it either.
      db.exec('pragma journal_mode = memory; begin exclusive')
    } catch (error) {
      db.close()
      if (Number((error as { errcode?: number }).errcode) === busy) return undefined
      throw error
    }
    // Its last holder has deleted it: another process may hold a new file of this name.
    if (before !== undefined && before === numberOf(path)) return () => letGo(path, db)
    db.close()
  }
}

function letGo(path: string, db: { close(): void }): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // A leftover file blocks nobody.
  }
  db.close()
}

function makeEmpty(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function numberOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}
