import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runtime } from '../../src/runtime/runtime.ts'
import { inScope, sql, type Tx } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { schemaVersion } from '../../src/store/schema-version.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { bumpCounts, readCount } from '../../src/store/tables/counts.ts'

const add = (tx: Tx): Promise<void> => bumpCounts(inScope(tx, 1), [{ kind: 'products', key: 'added', by: 1 }])
const added = (tx: Tx): Promise<number> => readCount(inScope(tx, 1), 'products', 'added')

describe('the SQLite driver', () => {
  let folder: string
  let db: ReturnType<typeof openSqlite>
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'custody-sqlite-'))
    db = openSqlite(join(folder, 'custody.db'))
    await migrate(db)
  })
  afterEach(async () => {
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('rejects queries after the end, and does not open the file again', async () => {
    await db.close()
    for (const kind of ['read', 'write'] as const)
      await expect(db[kind](added)).rejects.toMatchObject({ fault: 'unreachable' })
  })

  test.each(['read', 'write'] as const)(
    'keeps what was committed through a power cut on a connection that serves to %s',
    async (kind) => {
      const settings = await db[kind](async (tx) => [
        await tx.get(sql`pragma journal_mode`),
        await tx.get(sql`pragma synchronous`),
        await tx.get(sql`pragma foreign_keys`),
      ])
      expect(settings).toEqual([{ journal_mode: 'wal' }, { synchronous: 2 }, { foreign_keys: 1 }])
    },
  )

  test('commits a write as a whole', async () => {
    expect(await db.write(async (tx) => [await add(tx), await added(tx)])).toEqual([undefined, 1])
    expect(await db.read(added)).toBe(1)
  })

  test('passes on what a write throws, and keeps the old state', async () => {
    await db.write(add)
    const fault = new Error('no')
    const failing = db.write(async (tx) => {
      await add(tx)
      throw fault
    })
    await expect(failing).rejects.toBe(fault)
    expect(await db.read(added)).toBe(1)
    await db.write(add)
    expect(await db.read(added)).toBe(2)
  })

  test('rolls a write back for a violated constraint, without blaming the environment', async () => {
    const failing = db.write(async (tx) => {
      await add(tx)
      await tx.run(sql`insert into partners (id, name, created_at) values ('p', null, '')`)
    })
    await expect(failing).rejects.toThrow('NOT NULL constraint failed: partners.name')
    await expect(failing).rejects.not.toHaveProperty('fault')
    expect(await db.read(added)).toBe(0)
  })

  test('shows a reader no open write, and none of a write that ends after the read began', async () => {
    const seen: Record<string, number> = {}
    await db.write(async (tx) => {
      await add(tx)
      seen.inside = await added(tx)
      seen.outside = await db.read(added)
    })
    await db.read(async (tx) => {
      seen.before = await added(tx)
      await db.write(add)
      seen.same = await added(tx)
    })
    seen.after = await db.read(added)
    expect(seen).toEqual({ inside: 1, outside: 0, before: 1, same: 1, after: 2 })
  })

  test('runs writes of one process one after the other, however they are awaited', async () => {
    const order: string[] = []
    const write = (name: string) =>
      db.write(async (tx) => {
        order.push(`${name} begins`)
        await add(tx)
        await new Promise((resolve) => setImmediate(resolve))
        order.push(`${name} ends with ${await added(tx)}`)
      })
    await Promise.all([write('a'), write('b'), write('c')])
    const one = (name: string, n: number): string[] => [`${name} begins`, `${name} ends with ${n}`]
    expect(order).toEqual([...one('a', 1), ...one('b', 2), ...one('c', 3)])
  })

  test('inserts rows in bulk, without those that a unique index rejects, on request', async () => {
    const columns = ['scope_id', 'sku', 'on_hand', 'available', 'allocated']
    const rows = (...skus: string[]) => skus.map((sku) => [1, sku, 0, 0, 0])
    expect(await db.write((tx) => tx.insert('stock', columns, rows('a', 'b')))).toBe(2)
    expect(await db.write((tx) => tx.insert('stock', columns, rows('b', 'c', 'c'), true))).toBe(1)
    expect(await db.write((tx) => tx.insert('stock', columns, []))).toBe(0)
    await expect(db.write((tx) => tx.insert('stock', columns, rows('d', 'a')))).rejects.toThrow('UNIQUE')
    const stored = await db.read((tx) => tx.all<{ sku: string }>(sql`select sku from stock order by sku`))
    expect(stored.map(({ sku }) => sku)).toEqual(['a', 'b', 'c'])
  })

  test('returns numbers, texts, nulls, and bytes unchanged', async () => {
    const values = [Number.MAX_SAFE_INTEGER, 0.1, 'é\u0000🂡', null, new Uint8Array([0, 255])] as const
    const [a, b, c, d, e] = values
    const row = await db.read((tx) =>
      tx.get(sql`select ${a} as a, ${b} as b, ${c} as c, ${d} as d, ${e} as e`),
    )
    expect(row).toEqual({ a, b, c, d, e })
  })

  test('reads what it has written to a database in memory', async () => {
    const memory = openSqlite(':memory:')
    await migrate(memory)
    await memory.write(add)
    expect(await memory.read(added)).toBe(1)
    await memory.close()
  })

  test('copies the log into the file in a thread while it serves, not in a commit', async () => {
    const file = join(folder, 'served.db')
    const at = '2026-05-01T09:00:00.000Z'
    const serving = openSqlite(file, { serving: true })
    await migrate(serving)
    await serving.write((tx) =>
      tx.change(
        sql`insert into partners (id, name, created_at) values ('p', ${'x'.repeat(4_000_000)}, ${at})`,
      ),
    )
    expect(await serving.write((tx) => tx.get(sql`pragma wal_autocheckpoint`))).toEqual({
      wal_autocheckpoint: 0,
    })
    await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(4_000_000), { timeout: 10_000 })
    await serving.close()
  })

  describe('a long read of a serving process', () => {
    let serving: ReturnType<typeof openSqlite>
    beforeEach(async () => {
      serving = openSqlite(join(folder, 'custody.db'), { serving: true })
    })
    afterEach(() => serving.close())
    const inLong = <T>(fn: (tx: Tx) => Promise<T>): Promise<T> => serving.read(fn, { long: true })
    const countTo = (n: number) => sql`
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${n})
      select count(*) as n from numbers`

    test('lets others read and write meanwhile, and sees none of their writes', async () => {
      const order: string[] = []
      const began = Promise.withResolvers<void>()
      const long = inLong(async (tx) => {
        const seen = [await added(tx)]
        began.resolve()
        await tx.get(countTo(1_000_000))
        order.push('long')
        return [...seen, await added(tx)]
      })
      await began.promise
      await serving.write(add)
      order.push(`others see ${await serving.read(added)}`)
      expect(await long).toEqual([0, 0])
      expect(order).toEqual(['others see 1', 'long'])
      expect(await inLong(added)).toBe(1)
    })

    test('returns every kind of value, and what a statement or its reader throws', async () => {
      const values = [Number.MAX_SAFE_INTEGER, 'é🂡', null, new Uint8Array([0, 255])] as const
      const [a, b, c, d] = values
      const found = inLong((tx) => tx.all(sql`select ${a} as a, ${b} as b, ${c} as c, ${d} as d`))
      expect(await found).toEqual([{ a, b, c, d }])
      await expect(inLong((tx) => tx.all(sql`select * from nowhere`))).rejects.toThrow(
        'no such table: nowhere',
      )
      const fault = new Error('no')
      await expect(inLong(() => Promise.reject(fault))).rejects.toBe(fault)
      await expect(inLong(add)).rejects.toThrow('a reading thread writes nothing')
      expect(await inLong(added)).toBe(0)
    })
  })

  test('does not follow another of the same scope at once', async () => {
    const serving = openSqlite(join(folder, 'custody.db'), { serving: true })
    const order: string[] = []
    const reads = ['first', 'second'].map((name) =>
      serving.read(async () => {
        order.push(name)
        if (name === 'first') setImmediate(() => order.push('others'))
        runtime.stand(5)
      }),
    )
    await Promise.all(reads)
    expect(order).toEqual(['first', 'others', 'second'])
    await serving.close()
  })

  test('never takes all reading threads for one scope, and a lookup waits for no read', async () => {
    const serving = openSqlite(join(folder, 'custody.db'), { serving: true })
    const { promise: end, resolve } = Promise.withResolvers<void>()
    const order: string[] = []
    const held = (name: string, scope: number) =>
      serving.read(
        async (tx) => {
          await added(tx)
          order.push(name)
          await end
        },
        { long: true, scope },
      )
    const hostile = Array.from({ length: availableParallelism() + 9 }, (_, at) => held(`1.${at}`, 1))
    const brief = serving.read(() => end, { scope: 1 })
    await serving.read(async () => order.push('other'), { long: true, scope: 2 })
    await serving.read(async () => order.push('lookup'), { single: true })
    expect(order.filter((name) => !name.startsWith('1.'))).toEqual(['other', 'lookup'])
    expect(order.length).toBeLessThan(hostile.length)
    resolve()
    await Promise.all([...hostile, brief])
    await serving.close()
  })

  test('creates a missing file, and rejects it if it must exist or its folder is missing', async () => {
    const fresh = openSqlite(join(folder, 'fresh.db'))
    expect(await migrate(fresh)).toHaveLength(schemaVersion)
    expect(await migrate(fresh)).toEqual([])
    await fresh.close()
    const missing = openSqlite(join(folder, 'missing.db'), { mustExist: true })
    await expect(missing.read(added)).rejects.toMatchObject({
      fault: 'not_found',
      message: expect.stringMatching(/missing\.db does not exist\.$/),
    })
    const nowhere = openSqlite(join(folder, 'nowhere', 'custody.db'))
    await expect(nowhere.write(add)).rejects.toMatchObject({
      fault: 'not_found',
      message: expect.stringMatching(/^The folder of .* does not exist; create it first\.$/),
    })
  })

  test('rejects a directory', async () => {
    const path = join(folder, 'directory.db')
    mkdirSync(path)
    await expect(openSqlite(path).read(added)).rejects.toMatchObject({
      fault: 'not_a_file',
      message: expect.stringMatching(/directory\.db is a directory; give the path of a database file\.$/),
    })
  })
})
