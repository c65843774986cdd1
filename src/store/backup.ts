import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from './database.ts'

export type Backup = { file: string; bytes: number; pages: number }

/** Pages copied before other work of this process gets its turn: 4 MB. */
const pagesAtOnce = 1000

/**
 * Copies a SQLite database while it is in use, through SQLite's own online backup, as it stands at this moment. The copy is
 * checked whole (`integrity_check`) before it takes its name; nothing is left behind where it fails.
 * Throws `StoreError` where the target exists, cannot be written, or the copy is not sound.
 */
export async function backUp(source: string, target: string): Promise<Backup> {
  if (statSync(target, { throwIfNoEntry: false })) {
    throw new StoreError('refused', `${target} exists already; it is not overwritten.`)
  }
  if (!statSync(source, { throwIfNoEntry: false }))
    throw new StoreError('not_found', `${source} does not exist.`)
  const draft = `${target}.${process.pid}.part`
  try {
    const pages = await copy(source, draft)
    checkCopy(draft)
    sync(draft)
    renameSync(draft, target)
    sync(dirname(target))
    return { file: target, bytes: statSync(target).size, pages }
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${draft}${end}`, { force: true })
  }
}

async function copy(source: string, draft: string): Promise<number> {
  const sqlite: typeof import('node:sqlite') = process.getBuiltinModule('node:sqlite')
  const db = new sqlite.DatabaseSync(source, { timeout: 10_000 })
  try {
    // One snapshot for the whole copy: without it every write of another process would start it anew.
    db.exec('begin')
    db.prepare('select count(*) from sqlite_master').get()
    const pages = await sqlite.backup(db, draft, { rate: pagesAtOnce })
    db.exec('rollback')
    return pages
  } finally {
    db.close()
  }
}

/** A copy is a file by itself: no write-ahead log beside it. */
function checkCopy(draft: string): void {
  const sqlite: typeof import('node:sqlite') = process.getBuiltinModule('node:sqlite')
  const db = new sqlite.DatabaseSync(draft)
  try {
    db.exec('pragma journal_mode = delete')
    const faults = faultsOf(db)
    if (faults.length > 0) {
      throw new StoreError(
        'corrupt',
        `The copy is not sound, so the original may not be either: ${faults[0]}`,
      )
    }
  } finally {
    db.close()
  }
}

/** What SQLite itself finds wrong with a database's file. */
function faultsOf(db: DatabaseSync): string[] {
  const rows = db.prepare('pragma integrity_check(20)').all() as Array<{ integrity_check: string }>
  const found = rows.map((row) => row.integrity_check).filter((text) => text !== 'ok')
  const orphans = db.prepare('pragma foreign_key_check').all() as Array<{ table: string }>
  return [...found, ...orphans.map(({ table }) => `a row of ${table} refers to one that is not there`)]
}

function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
