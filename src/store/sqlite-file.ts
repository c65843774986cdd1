import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from './database.ts'

export type SqliteOptions = {
  /** How long a transaction waits for another process, in milliseconds (default 10,000). */
  busyMs?: number
  /** A missing file is an error instead of a new database. */
  mustExist?: boolean
  /** Page cache in MiB (default 64). */
  cacheMiB?: number
}

const minimumSqlite = [3, 51, 3] as const

/** Opens the file with the settings that keep what was acknowledged: WAL and `synchronous=FULL`. */
export function openFile(file: string, options: SqliteOptions): DatabaseSync {
  if (file !== ':memory:') checkPlace(file, options.mustExist ?? false)
  const sqlite: typeof import('node:sqlite') = process.getBuiltinModule('node:sqlite')
  refuseOldSqlite()
  const db = new sqlite.DatabaseSync(file, { timeout: 20 })
  db.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;
    pragma cache_size = ${-(options.cacheMiB ?? 64) * 1024}; pragma temp_store = memory;
    pragma wal_autocheckpoint = 8000`)
  return db
}

function checkPlace(file: string, mustExist: boolean): void {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat?.isDirectory())
    throw new StoreError('not_a_file', `${file} is a directory; give the path of a database file.`)
  if (stat) return
  if (mustExist) throw new StoreError('not_found', `${file} does not exist.`)
  if (!statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory()) {
    throw new StoreError('not_found', `The folder of ${file} does not exist; make it first.`)
  }
}

/** Before 3.51.3 a checkpoint racing a WAL reset could corrupt the file. */
function refuseOldSqlite(): void {
  const version = (process.versions.sqlite ?? '0.0.0').split('.').map(Number)
  for (const [i, least] of minimumSqlite.entries()) {
    if ((version[i] ?? 0) > least) return
    if ((version[i] ?? 0) < least) {
      throw new StoreError(
        'refused',
        `This Node.js carries SQLite ${process.versions.sqlite}; ${minimumSqlite.join('.')} or newer is needed.`,
      )
    }
  }
}
