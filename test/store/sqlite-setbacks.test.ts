import fs, { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Database, inScope, raw, sql, type Tx } from '../../src/store/database.ts'
import { backUp } from '../../src/store/maintenance/backup.ts'
import { migrate } from '../../src/store/migrate.ts'
import { readVersion } from '../../src/store/schema-version.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { bumpCounts, readCount } from '../../src/store/tables/counts.ts'
import { insertStock } from '../../src/store/tables/stock.ts'

const add = (tx: Tx): Promise<void> => bumpCounts(inScope(tx, 1), [{ kind: 'products', key: 'added', by: 1 }])
const added = (tx: Tx): Promise<number> => readCount(inScope(tx, 1), 'products', 'added')

describe('an unusable SQLite file', () => {
  let folder: string
  let file: string
  let db: Database
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'custody-sqlite-'))
    file = join(folder, 'custody.db')
    db = openSqlite(file, { busyMs: 60 })
    await migrate(db)
    await db.write(add)
  })
  afterEach(async () => {
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each([true, false])(
    'next to a log of another database is rejected and kept (read only: %s)',
    async (readOnly) => {
      await db.close()
      const other = new DatabaseSync(join(folder, 'other.db'))
      other.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table any (text)')
      other.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
      insert into any select hex(zeroblob(500)) from n`)
      copyFileSync(join(folder, 'other.db-wal'), `${file}-wal`)
      other.close()
      const before = readFileSync(file)
      const foreign = openSqlite(file, { readOnly })
      await expect(foreign.read(added)).rejects.toThrow(
        `${file}-wal is not the log of ${file}, which nothing has changed: it belongs to another database, or to an older copy.`,
      )
      await foreign.close()
      const backup = backUp(file, join(folder, 'copy.db'), { draft: join(folder, 'draft.db') })
      await expect(backup).rejects.toMatchObject({ fault: 'refused' })
      expect(readFileSync(file).equals(before)).toBe(true)
      rmSync(`${file}-wal`)
      rmSync(`${file}-shm`, { force: true })
      db = openSqlite(file)
      expect(await db.read(added)).toBe(1)
    },
  )

  test.each(['replaced by a backup', 'deleted'])(
    '%s while it is open takes no write, which would be lost, and answers no read',
    async (how) => {
      const copy = join(folder, 'copy.db')
      await backUp(file, copy, { draft: join(folder, 'draft.db') })
      rmSync(file)
      if (how !== 'deleted') copyFileSync(copy, file)
      const rejection = {
        fault: 'refused',
        message: `${file} was replaced or deleted while it was in use: stop everything that uses it, and delete ${file}-wal and ${file}-shm before you start again.`,
      }
      await expect(db.write(add)).rejects.toMatchObject(rejection)
      await expect(db.read(added)).rejects.toMatchObject(rejection)
    },
  )

  test('in a folder that cannot be searched any more is used as before: nothing tells that it was replaced', async () => {
    const stat = vi.spyOn(fs, 'statSync').mockImplementation(() => {
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
    })
    syncBuiltinESMExports()
    try {
      await db.write(add)
      expect(await db.read(added)).toBe(2)
    } finally {
      stat.mockRestore()
      syncBuiltinESMExports()
    }
  })

  test('held by another process too long is busy, unchanged, and readable', async () => {
    const other = new DatabaseSync(file)
    other.exec('begin immediate')
    await expect(db.write(add)).rejects.toMatchObject({
      name: 'StoreError',
      fault: 'busy',
      message: `${file} is locked by another process; try again when that has finished.`,
    })
    expect(await db.read(added)).toBe(1)
    other.exec('rollback')
    await db.write(add)
    expect(await db.read(added)).toBe(2)
    other.close()
  })

  test('held for a while delays the write while this process continues', async () => {
    const patient = openSqlite(file)
    const other = new DatabaseSync(file)
    other.exec('begin immediate')
    const writing = patient.write(add)
    expect(await db.read(added)).toBe(1)
    other.exec('commit')
    await writing
    expect(await db.read(added)).toBe(2)
    other.close()
    await patient.close()
  })

  test('is reported as read-only and unchanged without write permission', async () => {
    const writing = db.write(async (tx) => {
      await add(tx)
      await tx.run(sql`pragma query_only = 1`)
      await add(tx)
    })
    await expect(writing).rejects.toMatchObject({
      fault: 'read_only',
      message: `${file} cannot be written: check the permissions of the file and of its folder.`,
    })
    expect(await db.read(added)).toBe(1)
  })

  test('is reported as such on a read-only file system', async () => {
    const access = vi.spyOn(fs, 'accessSync').mockImplementation(() => {
      throw Object.assign(new Error('EROFS'), { code: 'EROFS' })
    })
    syncBuiltinESMExports()
    try {
      const writing = db.write(async (tx) => {
        await tx.run(sql`pragma query_only = 1`)
        await add(tx)
      })
      await expect(writing).rejects.toMatchObject({
        message: `${file} is on a read-only file system: make it writable, or copy the database and its -wal, if any, to another one.`,
      })
    } finally {
      access.mockRestore()
      syncBuiltinESMExports()
    }
  })

  test('is on a full disk if SQLite has no room for the files next to it', async () => {
    const statfs = vi.spyOn(fs, 'statfsSync').mockReturnValue({ bavail: 3, bsize: 4096 } as fs.StatsFs)
    syncBuiltinESMExports()
    try {
      const noRoomForIndex = Object.assign(new Error('disk I/O error'), { errcode: 4874 })
      await expect(db.write(() => Promise.reject(noRoomForIndex))).rejects.toMatchObject({
        message: `The disk that holds ${file} is full: free space and try again (this change was not made).`,
      })
    } finally {
      statfs.mockRestore()
      syncBuiltinESMExports()
    }
  })

  test('rolls a write back as a whole on a full disk, and accepts it once there is room', async () => {
    const skus = Array.from({ length: 2000 }, (_, n) => `SKU-${n}`)
    const fill = (pages: number) =>
      db.write(async (tx) => {
        await tx.get(sql`pragma max_page_count = ${raw(String(pages))}`)
        await add(tx)
        await insertStock(inScope(tx, 1), skus)
      })
    const used = await db.read((tx) => tx.get<{ page_count: number }>(sql`pragma page_count`))
    await expect(fill((used?.page_count ?? 0) + 3)).rejects.toMatchObject({
      fault: 'full',
      message: `The disk that holds ${file} is full: free space and try again (this change was not made).`,
    })
    expect(await db.read(added)).toBe(1)
    expect(await db.read((tx) => tx.get(sql`select count(*) as n from stock`))).toEqual({ n: 0 })
    await fill(1_000_000)
    expect(await db.read(added)).toBe(2)
  })

  test('is reported as damaged and left unchanged', async () => {
    await db.write((tx) =>
      insertStock(
        inScope(tx, 1),
        Array.from({ length: 2000 }, (_, n) => `SKU-${n}`),
      ),
    )
    await db.close()
    const damaged = join(folder, 'damaged.db')
    copyFileSync(file, damaged)
    const bytes = readFileSync(damaged)
    bytes.fill(0xff, 4096 * 2)
    writeFileSync(damaged, bytes)
    const opened = openSqlite(damaged)
    const reading = opened.read((tx) => tx.all(sql`select * from stock`))
    await expect(reading).rejects.toMatchObject({
      fault: 'corrupt',
      message: `${damaged} is damaged (nothing was changed): restore it from a backup, and remove ${damaged}-wal and ${damaged}-shm first.`,
    })
    await opened.close()
    expect(readFileSync(damaged).equals(bytes)).toBe(true)
  })

  test('is reported as not a database and left unchanged', async () => {
    const text = join(folder, 'notes.db')
    writeFileSync(text, 'Slabs to ask for on Monday.\n'.repeat(100))
    await expect(openSqlite(text).read(added)).rejects.toMatchObject({
      fault: 'not_a_database',
      message: `${text} is not a custody database.`,
    })
    expect(readFileSync(text, 'utf8')).toBe('Slabs to ask for on Monday.\n'.repeat(100))
  })

  test('is rejected before anything changes if a newer version wrote it', async () => {
    await db.write((tx) => tx.run(sql`insert into schema_version (version, applied_at) values (999, '')`))
    await expect(migrate(db)).rejects.toMatchObject({
      fault: 'newer_schema',
      message: expect.stringMatching(/^The database has schema version 999, .* Install the newer version\.$/),
    })
    expect(await readVersion(db)).toBe(999)
    expect(await db.read(added)).toBe(1)
  })
})
