import { closeSync, openSync, rmSync, statSync } from 'node:fs'

const busy = 5

/**
 * Locks a file for this process with SQLite's own lock on an empty database; the folder must exist. Returns its release, or
 * undefined if another process has it after `waitMs`. The system releases it however the process or its container ends.
 */
export function lockFile(path: string, waitMs = 0): (() => void) | undefined {
  const sqlite: typeof import('node:sqlite') = process.getBuiltinModule('node:sqlite')
  for (;;) {
    makeEmpty(path)
    const before = numberOf(path)
    const db = new sqlite.DatabaseSync(path, { timeout: waitMs })
    try {
      // Nothing is written, so no journal appears next to it.
      db.exec('pragma journal_mode = memory; begin exclusive')
    } catch (error) {
      db.close()
      if (Number((error as { errcode?: number }).errcode) === busy) return undefined
      throw error
    }
    // The last holder deleted the file: another process may hold a new one of this name.
    if (before !== undefined && before === numberOf(path)) return () => letGo(path, db)
    db.close()
  }
}

function letGo(path: string, db: { close(): void }): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // A leftover file does no harm.
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
