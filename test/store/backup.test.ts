import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../src/store/database.ts'
import { backUp } from '../../src/store/maintenance/backup.ts'
import { checkFile } from '../../src/store/maintenance/check.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'

/** More pages than a backup copies in one turn. */
const pages = 2000

describe('a backup of a SQLite file in use', () => {
  let folder: string
  let source: string
  let target: string
  let draft: string
  let db: DatabaseSync
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'custody-backup-'))
    source = join(folder, 'custody.db')
    target = join(folder, 'copy.db')
    draft = `${target}.part`
    db = new DatabaseSync(source)
    db.exec(`
      pragma journal_mode = wal;
      create table partners (id integer primary key, name text);
      create table keys (id integer primary key, partner integer references partners (id), note text);
      create index keys_note on keys (note);
      create table filler (bytes blob);
      insert into partners values (1, 'Northgate'), (2, 'Harbor');
      insert into keys values (1, 1, 'one'), (2, 1, 'one');
      insert into filler values (zeroblob(${pages * 4096}))`)
  })
  afterEach(() => {
    if (db.isOpen) db.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test("is not written into somebody else's draft, which they could read", async () => {
    writeFileSync(draft, '')
    await expect(backUp(source, target, { draft })).rejects.toMatchObject({ fault: 'refused' })
    expect([existsSync(target), readFileSync(draft, 'utf8')]).toEqual([false, ''])
  })

  test('of a file that is no database names that file, not the copy', async () => {
    const text = join(folder, 'notes.txt')
    writeFileSync(text, 'not a database'.repeat(500))
    await expect(backUp(text, target, { draft })).rejects.toMatchObject({
      message: `${text} is not a custody database.`,
    })
  })

  test('has the state at its start, whatever is written meanwhile', async () => {
    let isOver = false
    const going = backUp(source, target, { draft }).finally(() => {
      isOver = true
    })
    let writes = 0
    while (!isOver) {
      db.exec(
        `update keys set note = '${++writes}' where id = 1; update keys set note = '${writes}' where id = 2`,
      )
      await setImmediate()
    }
    const { bytes, pages: copied } = await going
    expect(writes).toBeGreaterThan(1)
    expect([copied > pages, bytes]).toEqual([true, statSync(target).size])
    const copy = new DatabaseSync(target, { readOnly: true })
    const note = copy.prepare('select note from keys').all() as Array<{ note: string }>
    copy.close()
    expect(new Set(note.map((row) => row.note)).size).toBe(1)
    expect(['one', '1']).toContain(note[0]?.note)
    expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.db'])
  })

  test('reports its progress, and then that the copy is being checked', async () => {
    const told: Array<[number, number] | 'check'> = []
    const { bytes } = await backUp(source, target, {
      draft,
      onBytes: (...stand) => void told.push(stand),
      onCheck: () => void told.push('check'),
    })
    expect(told).toEqual([[1000 * 4096, bytes], [2000 * 4096, bytes], 'check'])
  })

  test('never replaces a file', async () => {
    writeFileSync(target, 'precious')
    await expect(backUp(source, target, { draft })).rejects.toMatchObject({
      fault: 'refused',
      message: `${target} already exists; it is not overwritten.`,
    })
    expect(readFileSync(target, 'utf8')).toBe('precious')
  })

  test('of two that end under one name, only the first has it', async () => {
    const both = await Promise.allSettled([
      backUp(source, target, { draft }),
      backUp(source, target, { draft: `${target}.other` }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { fault: 'refused', message: `${target} already exists; it is not overwritten.` },
    })
    expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.db'])
  })

  test('is deleted with a message if the copy is not sound', async () => {
    emptyIndex(db, source, 'keys_note')
    await expect(backUp(source, target, { draft })).rejects.toMatchObject({
      fault: 'corrupt',
      message: expect.stringContaining('The copy is damaged, so the original may be too: '),
    })
    expect(existsSync(target)).toBe(false)
    expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual([])
    const opened = openSqlite(source)
    expect((await checkFile(opened)).map(({ problem }) => problem)).toContain(
      'row 1 missing from index keys_note',
    )
    await opened.close()
  })

  test('is deleted if a row refers to a missing one', async () => {
    db.exec('pragma foreign_keys = off; delete from partners where id = 1')
    await expect(backUp(source, target, { draft })).rejects.toThrow('a row of keys refers to a missing row')
  })

  test("is readable by its owner only, whatever the original's permissions", async () => {
    chmodSync(source, 0o644)
    await backUp(source, target, { draft })
    expect(statSync(target).mode & 0o777).toBe(0o600)
  })

  test.each(['-wal', '-journal'])(
    "is not written next to another file's %s, which SQLite would apply to it",
    async (end) => {
      writeFileSync(target + end, 'old')
      await expect(backUp(source, target, { draft })).rejects.toMatchObject({
        fault: 'refused',
        message: `${target}${end} is left over from another database of this name: move it back next to its database, or delete it.`,
      })
      const opened = openSqlite(target)
      await expect(opened.read((tx) => tx.get(sql`select 1`))).rejects.toMatchObject({ fault: 'refused' })
      await opened.close()
      expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual([`copy.db${end}`])
    },
  )

  test("is, like a new database and SQLite's files, readable by its owner only", async () => {
    const opened = openSqlite(target)
    await opened.write((tx) => tx.run(sql`create table a (b)`))
    const modes = ['', '-wal', '-shm'].map((end) => statSync(target + end).mode & 0o777)
    await opened.close()
    expect(modes).toEqual([0o600, 0o600, 0o600])
  })

  test('is rejected if there is nothing to back up', async () => {
    await expect(backUp(join(folder, 'none.db'), target, { draft })).rejects.toMatchObject({
      fault: 'not_found',
    })
  })
})

/** Replaces an index's page with an empty one, like a disk that loses a write. Closes `db`. */
function emptyIndex(db: DatabaseSync, file: string, index: string): void {
  const { rootpage } = db.prepare('select rootpage from sqlite_master where name = ?').get(index) as {
    rootpage: number
  }
  db.exec('pragma wal_checkpoint(truncate)')
  db.close()
  const page = Buffer.alloc(4096)
  // A leaf of an index without cells, whose content would begin at the page's end.
  page.set([0x0a, 0, 0, 0, 0, 0x10, 0, 0])
  const handle = openSync(file, 'r+')
  writeSync(handle, page, 0, page.length, (rootpage - 1) * 4096)
  closeSync(handle)
}
