import { closeSync, openSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { runtime } from '../../runtime/runtime.ts'
import { StoreError } from '../database.ts'
import { networkFileSystem } from './network-file-system.ts'
import { sqliteFault } from './sqlite-fault.ts'

export type SqliteOptions = {
  /** How long a transaction waits for another process, in milliseconds (default 10,000). */
  busyMs?: number
  /** A missing file is an error instead of a new database. */
  mustExist?: boolean
  /** For looking only: the file and its log stay as they are, whatever log that is. */
  readOnly?: boolean
  /** Page cache in MiB (default 64). */
  cacheMiB?: number
  /**
   * For a process that serves: no commit may take long. The writer keeps fewer changed pages back for it, and the log is
   * copied into the file by a thread aside alone (store/sqlite/sqlite-checkpointer.ts).
   */
  serving?: boolean
}

/** Pages in the log from which a commit copies them into the file: 32 MB. */
export const checkpointPages = 8000
/** How long opening waits for others that open the same file. */
const openingMs = 5000
/** The schema's version from which tables are strict. */
const strictSince = 11
const minimumSqlite = [3, 51, 3] as const

/**
 * Opens the file with the settings that keep what was acknowledged: WAL and `synchronous=FULL`. The log is copied back
 * every 32 MB: at SQLite's 4 MB each chunk of an import would be, and its pages written several times over.
 */
export function openFile(file: string, options: SqliteOptions): DatabaseSync {
  if (file !== ':memory:') {
    checkPlace(file, options.mustExist ?? false)
    refuseNetwork(file, statfsSync(dirname(file)).type)
  }
  const sqlite: typeof import('node:sqlite') = process.getBuiltinModule('node:sqlite')
  refuseOldSqlite()
  // Making a file, and mending it after a crash, needs it alone for a moment: others that open it then wait here.
  const { readOnly = false } = options
  const db = new sqlite.DatabaseSync(file, { timeout: openingMs, readOnly })
  try {
    if (!readOnly) {
      turnToLog(db)
      allowSchemaEdit(db)
    }
    db.exec(`${connectionSetup(options)}; pragma busy_timeout = 20`)
  } catch (error) {
    db.close()
    throw error
  }
  return db
}

/** The pragmas of a connection that may write: those that keep what was acknowledged, and its page cache. */
function connectionSetup({ cacheMiB = 64, serving }: SqliteOptions): string {
  return `pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = ${-cacheMiB * 1024};
    pragma temp_store = memory; pragma wal_autocheckpoint = ${serving ? 0 : checkpointPages}`
}

/**
 * Where several turn a new file to WAL at once, all but one are told at once that it is locked, without the wait they
 * asked for: each holds what another waits for. So they try again.
 */
function turnToLog(db: DatabaseSync): void {
  let deadline: number | undefined
  for (;;) {
    try {
      db.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      deadline ??= runtime.uptime() + openingMs
      if (sqliteFault(error) !== 'busy' || runtime.uptime() > deadline) throw error
      runtime.stand(1 + 10 * runtime.chance())
    }
  }
}

/**
 * The migration that made the tables strict edits the schema itself, which Node.js lets nobody do who does not ask for it. A file
 * of that schema, and every later one, is opened without.
 */
function allowSchemaEdit(db: DatabaseSync): void {
  const { user_version } = db.prepare('pragma user_version').get() as { user_version: number }
  if (user_version < strictSince) db.enableDefensive?.(false)
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
  makePrivate(file)
}

/**
 * Makes the file of a new database, for its owner alone: secrets and addresses are in it. SQLite gives what it makes beside
 * it the same rights. `mustBeNew`: one that is there already may be another user's, who could read what is written into it.
 */
export function makePrivate(file: string, mustBeNew = false): void {
  refuseLeftovers(file)
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (mustBeNew && (error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new StoreError('refused', `${file} is there already and may be another user's: remove it.`)
    // Another process was first, or SQLite says what is wrong with the place.
  }
}

/**
 * Refuses a name beside which the log of another database lies: SQLite would read it into the new one. It may be all that is
 * left of somebody's last changes, so that it is not removed either.
 */
export function refuseLeftovers(file: string): void {
  for (const log of [`${file}-wal`, `${file}-journal`]) {
    const isLeft = (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0
    // One that was made this moment makes its log after itself.
    if (!isLeft || statSync(file, { throwIfNoEntry: false })) continue
    throw new StoreError(
      'refused',
      `${log} is left of another database of this name: put it back beside its database, or remove it.`,
    )
  }
}

/** Whether others on this machine may read or change a file. Windows keeps a user's folders to the user by other means. */
export function isShared(file: string): boolean {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
  return process.platform !== 'win32' && (mode & 0o077) !== 0
}

/** Locks and the shared memory of the log do not hold between machines: what was acknowledged could be lost. */
function refuseNetwork(file: string, type: number): void {
  const name = networkFileSystem(type)
  if (name === undefined) return
  throw new StoreError(
    'refused',
    `${file} is on a network file system (${name}); put the database on a local disk.`,
  )
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
