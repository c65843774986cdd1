import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Database, raw, StoreError, sql, type Tx } from '../../src/store/database.ts'
import { createGroupCommit } from '../../src/store/sqlite/group-commit.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'

describe('simultaneous writes share a commit', () => {
  let folder: string
  let file: string
  let db: Database
  let watch: DatabaseSync
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'custody-group-'))
    file = join(folder, 'a.db')
    db = openSqlite(file)
    await db.write((tx) => tx.run(sql`create table t (n integer primary key, text text)`))
    watch = new DatabaseSync(file)
  })
  afterEach(async () => {
    watch.close()
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const insert = (n: number) => (tx: Tx) => tx.run(sql`insert into t (n, text) values (${n}, 'x')`)
  const brief = { brief: true }
  const rows = () => watch.prepare('select n from t order by n').all()
  const kept = () => rows().map(({ n }) => n)
  const commits = () => commitsIn(readFileSync(`${file}-wal`))
  const range = (count: number) => Array.from({ length: count }, (_, n) => n)

  test('twenty brief ones are one commit, and each is answered', async () => {
    const before = commits()
    const answers = await Promise.all(range(20).map((n) => db.write(insert(n), brief)))
    expect(answers).toEqual(range(20).map(() => 1))
    expect(commits()).toBe(before + 1)
    expect(kept()).toEqual(range(20))
  })

  test('long ones have a commit each', async () => {
    const before = commits()
    await Promise.all(range(5).map((n) => db.write(insert(n))))
    expect(commits()).toBe(before + 5)
  })

  test('they run in order, each seeing the earlier ones', async () => {
    const seen = await Promise.all(
      range(10).map((n) =>
        db.write(async (tx) => {
          const row = await tx.get<{ c: number }>(sql`select count(*) as c from t`)
          await insert(n)(tx)
          return row?.c
        }, brief),
      ),
    )
    expect(seen).toEqual(range(10))
  })

  test('one that throws is rolled back alone as a whole', async () => {
    const results = await Promise.allSettled(
      range(6).map((n) =>
        db.write(async (tx) => {
          await insert(n)(tx)
          await insert(n + 100)(tx)
          if (n % 2 === 1) throw new Error(`no ${n}`)
          return n
        }, brief),
      ),
    )
    expect(results.map(({ status }) => status)).toEqual(
      range(6).map((n) => (n % 2 === 1 ? 'rejected' : 'fulfilled')),
    )
    expect(results[3]).toMatchObject({ reason: { message: 'no 3' } })
    expect(kept()).toEqual([0, 2, 4, 100, 102, 104])
  })

  test('a failed rollback leaves nobody waiting', async () => {
    const exec = (text: string): void => {
      if (text === 'rollback') throw new Error('disk I/O error')
    }
    const write = createGroupCommit({
      db: { isOpen: true, isTransaction: true, exec } as unknown as DatabaseSync,
      tx: {} as Tx,
      begin: async () => {},
      beforeLongCommit: async () => {},
      exclusive: (task) => task(),
    })
    const how = { brief: false, scope: 1 }
    const failing = write(() => Promise.reject(new Error('no')), how)
    const next = write(async () => 'done', how)
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('done')
  })

  test('a rejected statement harms only its own write', async () => {
    const results = await Promise.allSettled([1, 1, 2].map((n) => db.write(insert(n), brief)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(kept()).toEqual([1, 2])
  })

  test('none is answered before the commit', async () => {
    const first = db.write(insert(1), brief).then(() => kept())
    const second = db.write(insert(2), brief).then(() => kept())
    expect(await first).toEqual([1, 2])
    expect(await second).toEqual([1, 2])
  })

  test('a long one among them waits for its turn and has its own commit', async () => {
    const before = commits()
    const order: number[] = []
    const noting = (n: number) => async (tx: Tx) => {
      order.push(n)
      return insert(n)(tx)
    }
    await Promise.all([
      db.write(noting(1), brief),
      db.write(noting(2), brief),
      db.write(noting(3)),
      db.write(noting(4), brief),
    ])
    expect(order).toEqual([1, 2, 3, 4])
    expect(commits()).toBe(before + 3)
  })

  test('scopes take turns: a busy one lets each other in after one of its own', async () => {
    const order: string[] = []
    const write = (lane: number, name: string, how = {}) =>
      db.write(async () => order.push(name), { lane, ...how })
    const busy = ['a', 'b', 'c', 'd'].map((name) => write(1, name))
    await busy[0]
    await Promise.all([...busy, write(2, 'other', brief), write(3, 'third')])
    expect(order).toEqual(['a', 'other', 'third', 'b', 'c', 'd'])
  })

  test('a full disk fails only those whose work it undid', async () => {
    const { page_count: pages } = watch.prepare('pragma page_count').get() as { page_count: number }
    await db.write((tx) => tx.all(sql`${raw(`pragma max_page_count = ${pages + 2}`)}`))
    const large = (n: number) => (tx: Tx) =>
      tx.run(sql`insert into t (n, text) values (${n}, ${'x'.repeat(100_000)})`)
    const results = await Promise.allSettled([
      db.write(insert(1), brief),
      db.write(large(2), brief),
      db.write(insert(3), brief),
    ])
    expect(results[1]).toMatchObject({ status: 'rejected', reason: { fault: 'full' } })
    const answered = [1, 2, 3].filter((_, at) => results[at]?.status === 'fulfilled')
    expect(kept()).toEqual(answered)
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(StoreError)
    }
  })

  test('a database locked too long fails the whole group, and the next continues', async () => {
    const impatient = openSqlite(file, { busyMs: 50 })
    watch.exec('begin immediate')
    const results = await Promise.allSettled(range(3).map((n) => impatient.write(insert(n), brief)))
    watch.exec('rollback')
    for (const result of results) expect(result).toMatchObject({ reason: { fault: 'busy' } })
    await impatient.write(insert(7), brief)
    expect(kept()).toEqual([7])
    await impatient.close()
  })
})

/** The frames of a write-ahead log that end a transaction: they state the database's size. */
function commitsIn(log: Buffer): number {
  const pageSize = log.readUInt32BE(8)
  let commits = 0
  for (let at = 32; at + 24 + pageSize <= log.length; at += 24 + pageSize) {
    if (log.readUInt32BE(at + 4) > 0) commits += 1
  }
  return commits
}
