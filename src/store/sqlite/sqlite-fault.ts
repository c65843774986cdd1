import { accessSync, constants, createReadStream, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StoreError, type StoreFault } from '../database.ts'
import { readOnce, withoutLog } from './read-only.ts'

type SqliteFault = Extract<
  StoreFault,
  'busy' | 'read_only' | 'corrupt' | 'full' | 'not_found' | 'not_a_database' | 'unreachable'
>

/** SQLite's primary result codes that concern the environment, not a statement. */
const faults: Record<number, SqliteFault> = {
  3: 'not_found',
  5: 'busy',
  6: 'busy',
  8: 'read_only',
  10: 'unreachable',
  11: 'corrupt',
  13: 'full',
  14: 'not_found',
  15: 'busy',
  23: 'read_only',
  26: 'not_a_database',
}

/** The fault that a SQLite error means for the operator; undefined for a bug of ours. */
export function sqliteFault(error: unknown): SqliteFault | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return faults[Number(error.errcode) & 0xff]
}

/** Throws SQLite errors about the environment as `StoreError`. `readOnly`: also checks whether only the log is wrong. */
export async function guarded<T>(file: string, task: () => Promise<T>, readOnly = false): Promise<T> {
  try {
    return await task()
  } catch (error) {
    if (sqliteFault(error) !== 'corrupt') throw toStoreError(file, error)
    return secondLook(file, task, readOnly)
  }
}

/** SQLite also says "damaged" if a page is unreadable. Believe it only the second time, if the whole file can be read. */
async function secondLook<T>(file: string, task: () => Promise<T>, readOnly: boolean): Promise<T> {
  try {
    return await task()
  } catch (error) {
    if (sqliteFault(error) !== 'corrupt') throw toStoreError(file, error)
    if (!(await isReadable(file))) throw new StoreError('unreachable', faultMessages.unreachable(file), error)
    const advice = readOnly ? logAdvice(file) : undefined
    throw advice === undefined ? toStoreError(file, error) : new StoreError('corrupt', advice, error)
  }
}

function toStoreError(file: string, error: unknown): unknown {
  const fault = sqliteFault(error)
  return fault === undefined ? error : new StoreError(fault, faultMessages[fault](file), error)
}

const faultMessages: Record<SqliteFault, (file: string) => string> = {
  busy: (file) => `${file} is locked by another process; try again when that has finished.`,
  read_only: (file) =>
    isOnReadOnlyDisk(file)
      ? readOnlyDisk(file)
      : `${file} cannot be written: check the permissions of the file and of its folder.`,
  // SQLite would apply a leftover log to any file that replaces its database.
  corrupt: (file) =>
    `${file} is damaged (nothing was changed): restore it from a backup, and remove ${file}-wal and ${file}-shm first.`,
  not_a_database: (file) => `${file} is not a custody database.`,
  full: (file) => `The disk that holds ${file} is full: free space and try again (this change was not made).`,
  unreachable: (file) =>
    isOnFullDisk(file)
      ? faultMessages.full(file)
      : `${file} could not be read or written (an input/output error): check the disk, and its quota if it has one.`,
  not_found: (file) =>
    isOnReadOnlyDisk(file)
      ? readOnlyDisk(file)
      : `${file} could not be opened: check that its folder exists and may be read and written.`,
}

/**
 * Advice if the file is sound without its log: move the log, because it may contain the only copy of recent changes. Undefined if
 * there is no log, or if the file itself is damaged.
 */
export function logAdvice(file: string): string | undefined {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })
  if (log === undefined || log.size === 0 || !isSoundAlone(file)) return undefined
  return `${file} is damaged with the log ${file}-wal, but intact without it. If that log belongs to another database, stop everything that uses ${file}, then move ${file}-wal and ${file}-shm to another folder; otherwise restore both from a backup.`
}

function isSoundAlone(file: string): boolean {
  try {
    return readOnce(
      withoutLog(file),
      (db) => db.prepare('pragma integrity_check(1)').get()?.integrity_check === 'ok',
    )
  } catch {
    return false
  }
}

/** SQLite needs to write even to read: its log and its locks are files next to the database. */
function readOnlyDisk(file: string): string {
  return `${file} is on a read-only file system: make it writable, or copy the database and its -wal, if any, to another one.`
}

function isOnReadOnlyDisk(file: string): boolean {
  try {
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS'
  }
}

const logIndexBytes = 32 * 1024

/** SQLite reports a log's index that does not fit on the disk as an input/output error, even to readers. */
function isOnFullDisk(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file))
    return bavail * bsize < logIndexBytes
  } catch {
    return false
  }
}

const pieceBytes = 1024 * 1024
/** Reads in progress, so that concurrent callers share one. */
const reading = new Map<string, Promise<boolean>>()

/** Whether every byte of a database and its log can be read. A missing log is fine. */
function isReadable(file: string): Promise<boolean> {
  const running = reading.get(file)
  if (running) return running
  const started = readAll(file).finally(() => reading.delete(file))
  reading.set(file, started)
  return started
}

async function readAll(file: string): Promise<boolean> {
  for (const name of [file, `${file}-wal`]) {
    try {
      for await (const _ of createReadStream(name, { highWaterMark: pieceBytes }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return false
    }
  }
  return true
}
