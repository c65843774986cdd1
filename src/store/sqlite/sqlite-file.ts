import { closeSync, linkSync, openSync, renameSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { runtime } from '../../runtime/runtime.ts'
import { StoreError } from '../database.ts'
import { openingMs, readOnce, withoutLog } from './read-only.ts'
import { sqliteFault } from './sqlite-fault.ts'

export type SqliteOptions = {
  /** How long a transaction waits for another process, in milliseconds (default 10,000). */
  busyMs?: number
  mustExist?: boolean
  /** Changes neither the file nor its log, even if the log belongs to another database. */
  readOnly?: boolean
  /** Page cache in MiB (default 32; 64 for a serving process). */
  cacheMiB?: number
  /** For a serving process: no commit may be slow, so a separate thread copies the log (store/sqlite/sqlite-checkpointer.ts). */
  serving?: boolean
}

/** Log size at which a commit copies the log into the file: 32 MB. */
export const checkpointPages = 8000
const strictSince = 11
const minimumSqlite = [3, 51, 3] as const

/** WAL and `synchronous=FULL` keep acknowledged writes. A 4 MB checkpoint would write an import's pages several times over. */
export function openFile(file: string, options: SqliteOptions): DatabaseSync {
  const sqlite: typeof import('node:sqlite') = process.getBuiltinModule('node:sqlite')
  rejectOldSqlite()
  if (file !== ':memory:') {
    checkPlace(file, options.mustExist ?? false)
    rejectNetwork(file, statfsSync(dirname(file)).type)
    rejectForeignLog(file)
  }
  const { readOnly = false } = options
  // Creating a file, or recovering it after a crash, locks it briefly: other processes that open it then wait here.
  const db = new sqlite.DatabaseSync(file, { timeout: openingMs, readOnly })
  try {
    if (!readOnly) {
      enableWal(db)
      allowSchemaEdit(db)
    }
    db.exec(`${connectionSetup(options)}; pragma busy_timeout = 20`)
  } catch (error) {
    db.close()
    throw error
  }
  return db
}

function connectionSetup({ serving, cacheMiB = serving ? 64 : 32 }: SqliteOptions): string {
  return `pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = ${-cacheMiB * 1024};
    pragma temp_store = memory; pragma wal_autocheckpoint = ${serving ? 0 : checkpointPages}`
}

/** If several processes switch a new file to WAL at once, SQLite fails all but one without the timeout (deadlock), so retry. */
function enableWal(db: DatabaseSync): void {
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

/** Allows the schema edit of the migration to strict tables, which Node.js forbids by default. Newer files do not need it. */
function allowSchemaEdit(db: DatabaseSync): void {
  if (versionOf(db) < strictSince) db.enableDefensive?.(false)
}

function versionOf(db: DatabaseSync): number {
  return (db.prepare('pragma user_version').get() as { user_version: number }).user_version
}

function checkPlace(file: string, mustExist: boolean): void {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat?.isDirectory())
    throw new StoreError('not_a_file', `${file} is a directory; give the path of a database file.`)
  if (stat) return
  if (mustExist) throw new StoreError('not_found', `${file} does not exist.`)
  if (!statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory()) {
    throw new StoreError('not_found', `The folder of ${file} does not exist; create it first.`)
  }
  makePrivate(file)
}

/**
 * Creates a file that only its owner can read, because it holds secrets and addresses; SQLite's files next to it get the same
 * mode. `mustBeNew`: an existing file may belong to another user, who could read it.
 */
export function makePrivate(file: string, mustBeNew = false): void {
  rejectLeftovers(file)
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (mustBeNew && (error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new StoreError('refused', `${file} already exists and may belong to another user: remove it.`)
    // Another process was first, or SQLite reports the problem with the path.
  }
}

/** SQLite would apply a leftover log to the new database. It may be the only copy of recent changes, so it is not removed. */
export function rejectLeftovers(file: string): void {
  for (const log of [`${file}-wal`, `${file}-journal`]) {
    const isLeft = (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0
    // A database creates its log after itself, so this one was created just now.
    if (!isLeft || statSync(file, { throwIfNoEntry: false })) continue
    throw new StoreError(
      'refused',
      `${log} is left over from another database of this name: move it back next to its database, or delete it.`,
    )
  }
}

/** False if another process has created a file of this name. May leave the draft. */
export function moveToNewName(draft: string, file: string): boolean {
  rejectLeftovers(file)
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // Some file systems have no hard links.
    renameSync(draft, file)
  }
  return true
}

export function rejectForeignLog(file: string): void {
  if (!statSync(`${file}-wal`, { throwIfNoEntry: false })?.size || !isLogForeign(file)) return
  const whose = 'it belongs to another database, or to an older copy'
  throw new StoreError(
    'refused',
    `${file}-wal is not the log of ${file}, which nothing has changed: ${whose}. Stop everything that uses ${file}, then move ${file}-wal and ${file}-shm to another folder.`,
  )
}

/** A schema's version only grows, so a log that lowers it is another file's, which closing would write into this one. */
function isLogForeign(file: string): boolean {
  try {
    const alone = readOnce(withoutLog(file), versionOf)
    return readOnce(file, versionOf) < alone
  } catch {
    return false
  }
}

/** Whether other users may read or change a file. Windows protects a user's folders by other means. */
export function isShared(file: string): boolean {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
  return process.platform !== 'win32' && (mode & 0o077) !== 0
}

/** Locks and the log's shared memory do not work between machines: acknowledged writes could be lost. */
function rejectNetwork(file: string, type: number): void {
  const name = networkFileSystem(type)
  if (name === undefined) return
  throw new StoreError(
    'refused',
    `${file} is on a network file system (${name}); put the database on a local disk.`,
  )
}

/** Before 3.51.3 a checkpoint racing a WAL reset could corrupt the file. */
function rejectOldSqlite(): void {
  const version = (process.versions.sqlite ?? '0.0.0').split('.').map(Number)
  for (const [i, least] of minimumSqlite.entries()) {
    if ((version[i] ?? 0) > least) return
    if ((version[i] ?? 0) < least) {
      throw new StoreError(
        'refused',
        `This Node.js contains SQLite ${process.versions.sqlite}; ${minimumSqlite.join('.')} or newer is needed.`,
      )
    }
  }
}

/** Linux's network file systems, by the number that statfs returns. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
])

export function networkFileSystem(type: number): string | undefined {
  // The kernel's 32-bit number may arrive signed.
  return networkFileSystems.get(type >>> 0)
}
