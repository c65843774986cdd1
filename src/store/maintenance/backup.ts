import { closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StoreError, sql } from '../database.ts'
import { guarded } from '../sqlite/sqlite-fault.ts'
import { makePrivate, moveToNewName, rejectForeignLog, rejectLeftovers } from '../sqlite/sqlite-file.ts'
import { readingThreads } from '../sqlite/sqlite-reading.ts'

export type Backup = { bytes: number; pages: number }

type BackupOptions = {
  /** The temporary file to copy into, in the target's folder; removed at the end. */
  draft: string
  onBytes?: (done: number, total: number) => void
  onCheck?: () => void
}

/** Pages copied in one turn of the event loop: 4 MB. */
const pagesAtOnce = 1000

/**
 * Copies a SQLite database in use with the online backup API. The target appears only after `integrity_check`; a failure leaves
 * no file. Throws `StoreError` if the target exists or cannot be written, another database's log is next to it, or the copy is
 * damaged.
 */
export async function backUp(source: string, target: string, options: BackupOptions): Promise<Backup> {
  const { draft, onCheck } = options
  const taken = new StoreError('refused', `${target} already exists; it is not overwritten.`)
  if (statSync(target, { throwIfNoEntry: false })) throw taken
  if (!statSync(source, { throwIfNoEntry: false }))
    throw new StoreError('not_found', `${source} does not exist.`)
  rejectForeignLog(source)
  rejectLeftovers(target)
  makePrivate(draft, true)
  try {
    const pages = await copy(source, target, options)
    onCheck?.()
    await guarded(target, () => checkCopy(draft))
    sync(draft)
    if (!moveToNewName(draft, target)) throw taken
    sync(dirname(target))
    return { bytes: statSync(target).size, pages }
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${draft}${end}`, { force: true })
  }
}

async function copy(source: string, target: string, { draft, onBytes }: BackupOptions): Promise<number> {
  const sqlite: typeof import('node:sqlite') = process.getBuiltinModule('node:sqlite')
  const db = await guarded(source, async () => new sqlite.DatabaseSync(source, { timeout: 10_000 }))
  try {
    const page_size = await guarded(source, async () => {
      // One snapshot for the whole copy; otherwise every write of another process would restart it.
      db.exec('begin')
      db.prepare('select count(*) from sqlite_master').get()
      return (db.prepare('pragma page_size').get() as { page_size: number }).page_size
    })
    const pages = await guarded(target, () =>
      sqlite.backup(db, draft, {
        rate: pagesAtOnce,
        progress: ({ totalPages, remainingPages }) =>
          onBytes?.((totalPages - remainingPages) * page_size, totalPages * page_size),
      }),
    )
    db.exec('rollback')
    return pages
  } finally {
    db.close()
  }
}

async function checkCopy(draft: string): Promise<void> {
  leaveLog(draft)
  const [fault] = await faultsOf(draft)
  if (fault === undefined) return
  throw new StoreError('corrupt', `The copy is damaged, so the original may be too: ${fault}`)
}

function leaveLog(draft: string): void {
  const sqlite: typeof import('node:sqlite') = process.getBuiltinModule('node:sqlite')
  const db = new sqlite.DatabaseSync(draft)
  try {
    db.exec('pragma journal_mode = delete')
  } finally {
    db.close()
  }
}

/** Runs in another thread: a large file takes minutes, and this thread serves a terminal. */
async function faultsOf(file: string): Promise<string[]> {
  const aside = readingThreads(file, 1000)
  try {
    return await aside.read(async (tx) => {
      const texts = await tx.values<string>(sql`pragma integrity_check(20)`)
      const orphans = await tx.values<string>(sql`pragma foreign_key_check`)
      return [
        ...texts.filter((text) => text !== 'ok'),
        ...orphans.map((table) => `a row of ${table} refers to a missing row`),
      ]
    }, {})
  } finally {
    await aside.stop()
  }
}

function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
