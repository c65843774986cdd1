import type { DatabaseSync as Sqlite, StatementSync } from 'node:sqlite'

const sqlite = process.getBuiltinModule('node:sqlite')

/** No other process on the machine opens the file: its locks are kept in memory, which saves a third of the system calls. */
const alone = '?vfs=unix-excl'

/** A separate connection, lent for a transaction or a statement, with its prepared statements by the number of their text. */
type Lent = { db: Sqlite; prepared: StatementSync[] }

/**
 * Connections to one file, all alike, for all processes. A connection that has just committed has the database's pages in
 * memory, and any other reads them again, so the one returned last is lent first. Concurrent users have one each.
 */
export type Pool = {
  lend(): Lent
  giveBack(lent: Lent): void
  /** Makes a setting on every connection, once. */
  set(pragma: string): void
  close(): void
}

export function createPool(file: string): Pool {
  const all: Lent[] = []
  const idle: Lent[] = []
  const settings: string[] = []
  const open = (): Lent => {
    const db = new sqlite.DatabaseSync(`file:${file}${alone}`, { timeout: 0, defensive: false })
    for (const setting of settings) setUp(db, setting)
    const lent = { db, prepared: [] }
    all.push(lent)
    return lent
  }
  return {
    lend: () => idle.pop() ?? open(),
    giveBack(lent) {
      if (lent.db.isTransaction) lent.db.exec('rollback')
      idle.push(lent)
    },
    set(pragma) {
      if (settings.includes(pragma)) return
      settings.push(pragma)
      for (const { db } of all) setUp(db, pragma)
    },
    close() {
      for (const { db } of all) db.close()
    },
  }
}

/** No wait inside SQLite, and none for a disk, whatever else is set. */
function setUp(db: Sqlite, setting: string): void {
  db.exec(`${setting}; pragma busy_timeout = 0; pragma synchronous = off`)
}

const numbers = new Map<string, number>()

/** A text that is prepared on whichever connection it runs on. */
export function preparedOn(text: string, returnsArrays: boolean): (lent: Lent) => StatementSync {
  const name = `${returnsArrays} ${text}`
  const number = numbers.get(name) ?? numbers.size
  numbers.set(name, number)
  return ({ db, prepared }) => {
    const found = prepared[number]
    if (found) return found
    const made = db.prepare(text)
    made.setReturnArrays(returnsArrays)
    prepared[number] = made
    return made
  }
}
