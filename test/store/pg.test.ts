import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sql, type Tx } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openPostgres, type PgDatabase } from '../../src/store/postgres/pg.ts'
import { lockNames } from '../../src/store/tables/row-locks.ts'
import { inSchema, makeSchema } from '../support/postgres-schema.ts'
import { untilWaitedFor } from '../support/row-waits.ts'

const awkward = [
  '',
  'NULL',
  'null',
  '{}',
  '"quoted"',
  'back\\slash',
  "it's",
  'a,b',
  'é漢🂡',
  'line\nbreak',
  '\\"',
  ' ',
]

describe('the PostgreSQL driver', () => {
  let schema: string
  let db: PgDatabase
  beforeAll(async () => {
    schema = await makeSchema()
    db = await openPostgres(inSchema(schema))
    await db.pool.query(
      'create table kinds (n bigint primary key, t text collate "C", d double precision, b bytea); create table notes (id bigint primary key, word text)',
    )
  })
  afterAll(() => db.close())

  test('returns numbers as numbers, bytes as bytes, text unchanged, and missing values as null', async () => {
    const bytes = new Uint8Array([0, 92, 34, 255])
    await db.write((tx) =>
      tx.run(
        sql`insert into kinds (n, t, d, b) values (${2 ** 52}, ${awkward.join('|')}, ${0.75}, ${bytes})`,
      ),
    )
    const row = await db.read((tx) =>
      tx.get(sql`select n, t, d, b, null as nothing from kinds where n = ${2 ** 52}`),
    )
    expect(row).toEqual({
      n: 2 ** 52,
      t: awkward.join('|'),
      d: 0.75,
      b: Buffer.from(bytes),
      nothing: null,
    })
    const sum = await db.read((tx) =>
      tx.get(sql`select sum(n) as n, count(*) as c from kinds where n > ${1000}`),
    )
    expect(sum).toEqual({ n: 2 ** 52, c: 1 })
  })

  test('leaves a scope that writes a connection to read on, in the smallest pool that has one for others', async () => {
    const small = await openPostgres(inSchema(schema), { poolSize: 4 })
    const one = (tx: Tx) => tx.get(sql`select 1 as one`)
    await small.write(
      async () => {
        const own = small.read(one, { scope: 1 })
        const others = async () => {
          for (let at = 0; at < 50; at++) await small.read(one)
        }
        expect(await Promise.race([own, others()])).toEqual({ one: 1 })
      },
      { lane: 1 },
    )
    await small.close()
  })

  test("serves other scopes while another process holds some scopes' writes, which succeed later", async () => {
    const small = await openPostgres(inSchema(schema), { poolSize: 4 })
    const ids = [7001, 7002]
    await db.write((tx) =>
      tx.insert(
        'notes',
        ['id', 'word'],
        ids.map((id) => [id, '']),
      ),
    )
    const lengthen = (tx: Tx, id: number) => tx.run(sql`update notes set word = word || 'x' where id = ${id}`)
    let waiting: Promise<unknown> = Promise.resolve()
    await db.write(async (tx) => {
      for (const id of ids) await lengthen(tx, id)
      waiting = Promise.all(ids.map((id) => small.write((own) => lengthen(own, id), { lane: id })))
      await small.read((own) => own.get(sql`select 1 as one`), { scope: 1 })
    })
    await waiting
    const kept = await db.read((tx) => tx.all(sql`select word from notes where id >= ${ids[0]}`))
    expect(kept).toEqual([{ word: 'xx' }, { word: 'xx' }])
    await db.pool.query('delete from notes')
    await small.close()
  })

  test('keeps every awkward text, null, and byte in a bulk insert over several statements', async () => {
    const rows = Array.from({ length: 2500 }, (_, i) => [
      i,
      i % 7 === 0 ? null : `${awkward[i % awkward.length]}${i}`,
      i % 2 === 0 ? null : i / 4,
      i % 3 === 0 ? null : new Uint8Array([i & 255, 92, 34]),
    ])
    expect(await db.write((tx) => tx.insert('kinds', ['n', 't', 'd', 'b'], rows))).toBe(2500)
    const kept = await db.read((tx) =>
      tx.all<{ n: number; t: string; d: number; b: Buffer }>(
        sql`select n, t, d, b from kinds where n < ${2500} order by n`,
      ),
    )
    expect(kept.map(({ n, t, d, b }) => [n, t, d, b && new Uint8Array(b)])).toEqual(rows)
  })

  test('inserts a column of nothing but nulls, whatever its type', async () => {
    expect(await db.write((tx) => tx.insert('kinds', ['n', 't', 'd', 'b'], [[9001, null, null, null]]))).toBe(
      1,
    )
  })

  test('skips conflicting rows and says how many it inserted', async () => {
    await db.write((tx) => tx.insert('notes', ['id', 'word'], [[1, 'first']]))
    const inserted = await db.write((tx) =>
      tx.insert(
        'notes',
        ['id', 'word'],
        [
          [1, 'second'],
          [2, 'new'],
        ],
        true,
      ),
    )
    expect(inserted).toBe(1)
    expect(await db.read((tx) => tx.all(sql`select id, word from notes order by id`))).toEqual([
      { id: 1, word: 'first' },
      { id: 2, word: 'new' },
    ])
  })

  test('treats an unknown column as a bug, and the transaction leaves nothing', async () => {
    const failing = db.write(async (tx) => {
      await tx.run(sql`insert into notes (id) values (${500})`)
      await tx.insert('notes', ['id', 'colour'], [[501, 'red']])
    })
    await expect(failing).rejects.toThrow('notes has no column colour')
    expect(await db.read((tx) => tx.get(sql`select id from notes where id = ${500}`))).toBeUndefined()
  })

  test('shows a read one moment, whatever is committed meanwhile', async () => {
    const counts = await db.read(async (tx) => {
      const before = await tx.get<{ n: number }>(sql`select count(*) as n from notes where id >= ${0}`)
      await db.write((other) => other.run(sql`insert into notes (id) values (${600})`))
      const after = await tx.get<{ n: number }>(sql`select count(*) as n from notes where id >= ${0}`)
      return [before?.n, after?.n]
    })
    expect(counts[1]).toBe(counts[0])
  })

  test('rejects writes of a read and keeps nothing of it', async () => {
    const writing = db.read((tx) => tx.run(sql`insert into notes (id) values (${700})`))
    await expect(writing).rejects.toMatchObject({ fault: 'read_only' })
  })

  test('allows a single read one query, and treats a second as a bug', async () => {
    const ask = () => db.read((tx) => tx.get(sql`select ${1}::bigint as one`), { single: true })
    expect(await ask()).toEqual({ one: 1 })
    const twice = db.read(
      async (tx) => {
        await tx.get(sql`select ${1}::bigint`)
        await tx.get(sql`select ${1}::bigint`)
      },
      { single: true },
    )
    await expect(twice).rejects.toThrow('a single read ran a second query')
    expect(await ask()).toEqual({ one: 1 })
  })

  test('fails a transaction with a failed statement, even if the error was caught', async () => {
    const catching = db.write(async (tx) => {
      await tx.run(sql`insert into notes (id) values (${800})`)
      await tx.run(sql`insert into notes (id) values (${'no number'})`).catch(() => {})
    })
    await expect(catching).rejects.toThrow('was rolled back')
    expect(await db.read((tx) => tx.get(sql`select id from notes where id = ${800}`))).toBeUndefined()
  })

  test('fails a transaction by the error of a change that nobody awaited, at the next answer', async () => {
    const failing = db.write(async (tx) => {
      await tx.run(sql`insert into notes (id) values (${900})`)
      await tx.change(sql`insert into notes (id) values (${null})`)
      return 'done'
    })
    await expect(failing).rejects.toMatchObject({ code: '23502' })
    const asking = db.write(async (tx) => {
      await tx.change(sql`insert into notes (id) values (${null})`)
      await tx.get(sql`select id from notes where id = ${1}`)
    })
    await expect(asking).rejects.toMatchObject({ code: '23502' })
    expect(await db.read((tx) => tx.get(sql`select id from notes where id = ${900}`))).toBeUndefined()
  })

  test('makes changes in the order sent, and an answer sees those before it', async () => {
    const seen = await db.write(async (tx) => {
      await tx.change(sql`insert into notes (id, word) values (${950}, ${'0'})`)
      for (let i = 1; i <= 50; i++)
        await tx.change(sql`update notes set word = ${String(i)} where id = ${950}`)
      return tx.get(sql`select word from notes where id = ${950}`)
    })
    expect(seen).toEqual({ word: '50' })
  })

  test('locks names in one order: who waits for one holds none after it', async () => {
    const migrated = await openPostgres(inSchema(await makeSchema()))
    await migrate(migrated)
    const lock = (...names: string[]) => migrated.write((tx) => lockNames(tx, names))
    const { waits } = await migrated.write(async (tx) => {
      await lockNames(tx, ['a'])
      // An answer shows that the server has locked it.
      await tx.number(sql`select 1`)
      const waits = lock('b', 'a')
      await untilWaitedFor(migrated, tx)
      await lock('b')
      return { waits }
    })
    await waits
    expect(await migrated.read((tx) => tx.number(sql`select count(*) from leases`))).toBe(0)
    await migrated.close()
  })

  test('gives one text one name on every connection, and another text another', async () => {
    const one = await openPostgres(inSchema(schema), { poolSize: 1 })
    const two = await openPostgres(inSchema(schema), { poolSize: 1 })
    const named = async (other: PgDatabase) => {
      await other.read((tx) => tx.get(sql`select ${7}::bigint as seven`))
      await other.read((tx) => tx.get(sql`select ${8}::bigint as eight`))
      const { rows } = await other.pool.query(
        'select name, statement from pg_prepared_statements order by name',
      )
      return rows
    }
    const names = await named(one)
    expect(names).toHaveLength(2)
    expect(await named(two)).toEqual(names)
    await Promise.all([one.close(), two.close()])
  })

  test('prepares nothing if a pooler cannot keep it', async () => {
    const url = new URL(inject('postgresUrl'))
    url.searchParams.set('prepared', 'false')
    url.searchParams.set('pool_size', '1')
    const plain = await openPostgres(inSchema(schema, url.href))
    expect(await plain.read((tx) => tx.get(sql`select ${7}::bigint as seven`))).toEqual({ seven: 7 })
    expect((await plain.pool.query('select name from pg_prepared_statements')).rows).toEqual([])
    await plain.close()
  })

  test('warns once about a pooler that loses prepared statements, and then prepares nothing', async () => {
    const words: string[] = []
    const onUnprepared = (word: string): void => void words.push(word)
    const pooled = await openPostgres(inSchema(schema), { poolSize: 2, onUnprepared })
    const look = () => pooled.read((tx) => tx.get(sql`select ${7}::bigint as seven`))
    const write = () => pooled.write((tx) => tx.change(sql`select ${8}::bigint as eight`))
    await Promise.all([look(), look(), write()])
    // As on another server connection, which lacks the driver's prepared statements.
    const clients = await Promise.all([pooled.pool.connect(), pooled.pool.connect()])
    for (const client of clients) await client.query('deallocate all')
    for (const client of clients) client.release()
    expect(await Promise.all([look(), look(), write()])).toEqual([{ seven: 7 }, { seven: 7 }, undefined])
    expect(await pooled.read((tx) => tx.get(sql`select ${9}::bigint as nine`))).toEqual({ nine: 9 })
    expect(words).toEqual([expect.stringMatching(/^A pooler .* prepared=false/)])
    expect((await pooled.pool.query('select name from pg_prepared_statements')).rows).toEqual([])
    await pooled.close()
  })

  test('gives no scope all connections: another, and unscoped work, still proceed', async () => {
    const { promise: end, resolve } = Promise.withResolvers<void>()
    const one = sql`select 1 as one`
    const hold = async (tx: Tx): Promise<void> => {
      await tx.get(one)
      await end
    }
    const hostile = Array.from({ length: 30 }, (_, at) =>
      at % 2 ? db.read(hold, { scope: 1 }) : db.write(hold, { lane: 100 + at }),
    )
    const busy = [2, 3].flatMap((scope) => Array.from({ length: 9 }, () => db.read(hold, { scope })))
    expect(await db.read((tx) => tx.get(one), { single: true })).toEqual({ one: 1 })
    expect(await db.write((tx) => tx.get(one), { single: true })).toEqual({ one: 1 })
    resolve()
    await Promise.all([...hostile, ...busy])
  })

  test('lets scopes take turns for the connections', async () => {
    const { promise: end, resolve } = Promise.withResolvers<void>()
    const order: number[] = []
    const read = (scope: number) =>
      db.read(
        async (tx) => {
          await tx.get(sql`select 1 as one`)
          order.push(scope)
          if (scope === 1) await end
        },
        { scope },
      )
    const hostile = Array.from({ length: 30 }, () => read(1))
    await read(2)
    expect(order.filter((scope) => scope === 1).length).toBeLessThan(10)
    resolve()
    await Promise.all(hostile)
    expect(order).toHaveLength(31)
  })
})
