import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database, Tx } from '../../src/store/database.ts'
import { raw, sql } from '../../src/store/sql.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'

describe('a long write of a process that serves', () => {
  let folder: string
  let file: string
  let db: Database
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'custody-long-'))
    file = join(folder, 'custody.db')
    db = openSqlite(file, { serving: true, busyMs: 60 })
    await db.write((tx) => tx.run(sql`create table t (n integer primary key, value)`))
  })
  afterEach(async () => {
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const inLong = <T>(fn: (tx: Tx) => Promise<T>): Promise<T> => db.write(fn, { long: true })
  const insert = (n: number, value: unknown = null) => sql`insert into t (n, value) values (${n}, ${value})`
  const kept = (tx: Tx) => tx.all<{ n: number }>(sql`select n from t order by n`)
  const count = async () => (await db.read(kept)).length
  const countTo = (n: number) => sql`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${n})
    select count(*) as n from numbers`

  test('is committed whole, each statement seeing those before it, however many are on their way', async () => {
    const answers = await inLong(async (tx) => {
      for (let n = 0; n < 2000; n++) await tx.change(insert(n))
      const rows = Array.from({ length: 3000 }, (_, n) => [2000 + n, 'x'])
      const inserted = await tx.insert('t', ['n', 'value'], rows)
      const skipped = await tx.insert(
        't',
        ['n', 'value'],
        [
          [4999, 'y'],
          [5000, 'y'],
        ],
        true,
      )
      const [all, run, one] = await Promise.all([
        kept(tx),
        tx.run(sql`update t set value = 'z' where n < 10`),
        tx.get(sql`select count(*) as n from t where value = 'z'`),
      ])
      return [inserted, skipped, all.length, run, one]
    })
    expect(answers).toEqual([3000, 1, 5001, 10, { n: 10 }])
    expect(await count()).toBe(5001)
  })

  test('may insert nothing', async () => {
    const none = await inLong(async (tx) => {
      const inserted = [await tx.insert('t', ['n'], []), await tx.insert('t', ['n'], [], true)]
      await tx.change(insert(1))
      return inserted
    })
    expect([none, await count()]).toEqual([[0, 0], 1])
  })

  test('takes every kind of value and brings it back', async () => {
    const values = [Number.MAX_SAFE_INTEGER, 0.5, 'é\u0000🂡', null, new Uint8Array([0, 255])]
    const found = await inLong(async (tx) => {
      for (const [n, value] of values.entries()) await tx.change(insert(n, value))
      return tx.all<{ value: unknown }>(sql`select value from t order by n`)
    })
    expect(found.map(({ value }) => value)).toEqual(values)
  })

  test('lets others read meanwhile, who see none of it, and whoever writes waits for it', async () => {
    const order: string[] = []
    const began = Promise.withResolvers<void>()
    const long = inLong(async (tx) => {
      await tx.run(insert(1))
      began.resolve()
      await tx.get(countTo(1_000_000))
      order.push('long')
    })
    await began.promise
    const next = db.write(async (tx) => order.push(`next sees ${(await kept(tx)).length}`), { brief: true })
    order.push(`others see ${await count()}`)
    await Promise.all([long, next])
    expect(order).toEqual(['others see 0', 'long', 'next sees 1'])
  })

  test('what it throws comes back as it is, and leaves nothing', async () => {
    const fault = new Error('no')
    const failing = inLong(async (tx) => {
      for (let n = 0; n < 1000; n++) await tx.change(insert(n))
      throw fault
    })
    await expect(failing).rejects.toBe(fault)
    expect(await count()).toBe(0)
    await inLong((tx) => tx.change(insert(1)))
    expect(await count()).toBe(1)
  })

  test.each([0, 1, 5000])(
    'a statement that fails without being waited for takes it all back, also with %i behind it',
    async (behind) => {
      const failing = inLong(async (tx) => {
        await tx.change(insert(1))
        await tx.change(insert(1))
        for (let n = 0; n < behind; n++) await tx.change(insert(10 + n))
      })
      await expect(failing).rejects.toThrow('UNIQUE constraint failed: t.n')
      expect(await count()).toBe(0)
    },
  )

  test('a full disk: nothing of it is kept, also not what was on its way when SQLite gave up', async () => {
    const { page_count: pages } = (await db.read((tx) => tx.get(sql`pragma page_count`))) as {
      page_count: number
    }
    const failing = inLong(async (tx) => {
      await tx.get(sql`pragma max_page_count = ${raw(String(pages + 3))}`)
      for (let n = 0; n < 5000; n++) await tx.change(insert(n, 'x'.repeat(100)))
    })
    await expect(failing).rejects.toMatchObject({ fault: 'full' })
    expect(await count()).toBe(0)
  })

  test('held by another process too long: busy, and the next goes through', async () => {
    const other = new DatabaseSync(file)
    other.exec('begin immediate')
    await expect(inLong((tx) => tx.change(insert(1)))).rejects.toMatchObject({ fault: 'busy' })
    other.exec('rollback')
    other.close()
    await inLong((tx) => tx.change(insert(2)))
    expect(await db.read(kept)).toEqual([{ n: 2 }])
  })

  test('a value that cannot cross over fails it, and nobody waits for ever', async () => {
    const failing = inLong((tx) => tx.change(insert(1, () => 1)))
    await expect(failing).rejects.toThrow('could not be cloned')
    await inLong((tx) => tx.change(insert(2)))
    expect(await db.read(kept)).toEqual([{ n: 2 }])
  })

  test('a database that is closed before its thread has started keeps nothing of it', async () => {
    const over = expect(inLong((tx) => tx.run(insert(1)))).rejects.toThrow('has ended')
    await db.close()
    await over
    expect(await count()).toBe(0)
  })

  test('a database that is closed meanwhile keeps nothing of it, nor of those that wait for it', async () => {
    const began = Promise.withResolvers<void>()
    const long = inLong(async (tx) => {
      await tx.run(insert(1))
      began.resolve()
      for (;;) {
        await kept(tx)
        await setImmediate()
      }
    })
    const waiting = [inLong((tx) => tx.run(insert(2))), db.write((tx) => tx.run(insert(3)))]
    waiting.push(db.write((tx) => tx.run(insert(4)), { brief: true }))
    const over = expect(long).rejects.toThrow('The thread that writes the database has ended.')
    const ends = Promise.allSettled(waiting)
    await began.promise
    await db.close()
    await over
    const [aside, ...others] = await ends
    expect(aside?.status).toBe('rejected')
    expect(await count()).toBe(others.filter(({ status }) => status === 'fulfilled').length)
  })
})
