import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { join, raw, sql, type Tx } from '../../src/store/database.ts'
import { openPostgres, type PgDatabase } from '../../src/store/postgres/pg.ts'
import { inStoreWords, isCertainlyUncommitted } from '../../src/store/postgres/pg-fault.ts'
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts'
import { freePort } from '../support/free-port.ts'
import { inSchema, makeSchema } from '../support/postgres-schema.ts'
import { untilWaitedFor } from '../support/row-waits.ts'

describe('a transaction that PostgreSQL sets back', () => {
  let schema: string
  let db: PgDatabase
  beforeAll(async () => {
    schema = await makeSchema()
    db = await openPostgres(inSchema(schema))
    await db.pool.query('create table sums (id bigint primary key, n bigint not null)')
  })
  beforeEach(async () => {
    await db.pool.query('truncate sums; insert into sums values (1, 0), (2, 0)')
  })
  afterAll(() => db.close())

  const bump = (tx: Tx, id: number) => tx.run(sql`update sums set n = n + 1 where id = ${id}`)
  const sums = async () => {
    const rows = await db.read((tx) =>
      tx.all<{ n: number }>(sql`select n from sums where id > ${0} order by id`),
    )
    return rows.map((row) => row.n)
  }

  test('is repeated if two wait for each other, and both are kept', async () => {
    const bothHold = barrier(2)
    const crossing = (first: number, second: number) =>
      db.write(async (tx) => {
        await bump(tx, first)
        await bothHold()
        await bump(tx, second)
      })
    await Promise.all([crossing(1, 2), crossing(2, 1)])
    expect(await sums()).toEqual([2, 2])
  })

  test('needs no repetition because another process changed its row, whatever the server’s isolation', async () => {
    const other = await openPostgres(inSchema(schema), { races: 0 })
    let waiting: Promise<unknown> | undefined
    await db.write(async (tx) => {
      await bump(tx, 1)
      waiting = other.write((others) => bump(others, 1))
      await untilWaitedFor(db, tx)
    })
    await waiting
    expect(await sums()).toEqual([2, 0])
    await other.close()
  })

  test('is repeated even if a statement sent behind the failed one hides the reason', async () => {
    const lose = raw(`do $$ begin raise exception 'lost' using errcode = '40001'; end $$`)
    let attempts = 0
    await db.write(async (tx) => {
      attempts += 1
      const first = attempts === 1 ? tx.run(sql`${lose}`) : bump(tx, 1)
      first.catch(() => {})
      // Gets the error of an aborted transaction before anybody has looked at the cause.
      await bump(tx, 2)
      await first
    })
    expect([attempts, await sums()]).toEqual([2, [1, 1]])
  })

  test("finds the other's row if two create the same one at once", async () => {
    const bothLooked = barrier(2)
    const ensure = () =>
      db.write(async (tx) => {
        const found = await tx.get(sql`select id from sums where id = ${3}`)
        await bothLooked()
        if (found) return 'found'
        await tx.run(sql`insert into sums (id, n) values (${3}, ${0})`)
        return 'made'
      })
    expect((await Promise.all([ensure(), ensure()])).sort()).toEqual(['found', 'made'])
  })

  test('stays rejected by a permanent row', async () => {
    const again = db.write((tx) => tx.run(sql`insert into sums (id, n) values (${1}, ${5})`))
    await expect(again).rejects.toMatchObject({ code: '23505' })
  })

  test('is repeated once after its connection ends halfway, and loses nothing', async () => {
    let attempts = 0
    await db.write(async (tx) => {
      attempts += 1
      await bump(tx, 1)
      if (attempts === 1) await tx.get(sql`select pg_terminate_backend(pg_backend_pid())`)
    })
    expect(attempts).toBe(2)
    expect(await sums()).toEqual([1, 0])
  })

  test('is not affected by connections that ended while idle', async () => {
    const own = await openPostgres(inSchema(schema))
    const allAsked = barrier(3)
    const askPid = () =>
      own.read(async (tx) => {
        const row = await tx.get<{ pid: number }>(sql`select pg_backend_pid() as pid where ${1} = ${1}`)
        await allAsked()
        return row?.pid ?? 0
      })
    const pids = await Promise.all([askPid(), askPid(), askPid()])
    expect(new Set(pids).size).toBe(3)
    for (const pid of pids) await db.pool.query('select pg_terminate_backend($1, 5000)', [pid])
    await own.write((tx) => bump(tx, 2))
    expect(await sums()).toEqual([0, 1])
    await own.close()
  })

  test('reads a table in its new form after it changed under a prepared statement', async () => {
    const look = () => db.read((tx) => tx.get(sql`select * from sums where id = ${1}`), { single: true })
    expect(await look()).toEqual({ id: 1, n: 0 })
    await db.pool.query('alter table sums add column word text')
    expect(await look()).toEqual({ id: 1, n: 0, word: null })
    await db.pool.query('alter table sums drop column word')
    expect(await look()).toEqual({ id: 1, n: 0 })
  })

  test('takes one connection for a busy scope, and leaves the others to readers', async () => {
    const small = await openPostgres(inSchema(schema), { poolSize: 2 })
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const writes = Array.from({ length: 30 }, () =>
      small.write(
        async (tx) => {
          await bump(tx, 1)
          await held
        },
        { lane: 1 },
      ),
    )
    expect(await small.read((tx) => tx.get(sql`select n from sums where id = ${1}`))).toEqual({ n: 0 })
    release()
    await Promise.all(writes)
    expect(await sums()).toEqual([30, 0])
    await small.close()
  })

  describe('a connection cut while committing', () => {
    let proxy: CuttingProxy
    let cutDb: PgDatabase
    beforeAll(async () => {
      proxy = await startCuttingProxy(inject('postgresUrl'))
      cutDb = await openPostgres(inSchema(schema, proxy.url))
    })
    afterAll(async () => {
      await cutDb.close()
      await proxy.close()
    })

    test.each(['before', 'after'] as const)(
      '%s the server receives it, leaves the outcome unknown, and the error says so',
      async (when) => {
        proxy.cutAt('commit\0', when)
        await expect(cutDb.write((tx) => bump(tx, 1))).rejects.toMatchObject({ fault: 'unknown' })
        expect((await sums())[0]).toBe(when === 'after' ? 1 : 0)
      },
    )

    test("counts as rejected only if the server's message is about the commit, not about its own end", () => {
      const isSureAs = (severity: string) => (code: string) =>
        isCertainlyUncommitted(Object.assign(new Error('reason'), { code, severity }))
      const isSure = isSureAs('ERROR')
      expect(['40001', '40P01', '23505', '53100'].filter((code) => !isSure(code))).toEqual([])
      // The disk is full, or does not answer, and the server goes down because of it.
      for (const severity of ['PANIC', 'FATAL', 'PANIK'])
        expect(['53100', '58030'].filter(isSureAs(severity))).toEqual([])
      expect(
        ['40003', 'XX000', '08006', '57P01', '57P02', '57P05', 'ECONNRESET', 'EPIPE'].filter(isSure),
      ).toEqual([])
    })

    test('is simply repeated if the commit was not requested yet', async () => {
      proxy.cutAt('update sums', 'after')
      await cutDb.write((tx) => bump(tx, 2))
      expect(await sums()).toEqual([0, 1])
    })

    test('does not matter to a read', async () => {
      proxy.cutAt('commit\0', 'before')
      expect(await cutDb.read((tx) => tx.get(sql`select n from sums where id = ${1}`))).toEqual({ n: 0 })
      await cutDb.write((tx) => bump(tx, 1))
      expect(await sums()).toEqual([1, 0])
    })
  })

  describe('errors for the operator of PostgreSQL', () => {
    const ask = async (url: string) => {
      const away = await openPostgres(url, { awayMs: 60 })
      return away.read((tx) => tx.get(sql`select ${1}::bigint`)).finally(() => away.close())
    }
    const changed = (change: (url: URL) => void): string => {
      const url = new URL(inject('postgresUrl'))
      change(url)
      return url.href
    }

    test('a missing server is unreachable, after a short wait', async () => {
      const port = String(await freePort())
      const asking = ask(changed((url) => Object.assign(url, { hostname: '127.0.0.1', port })))
      await expect(asking).rejects.toMatchObject({
        fault: 'unreachable',
        message: expect.stringContaining(`(connect ECONNREFUSED 127.0.0.1:${port})`),
      })
    })

    test.each<[string, (url: URL) => void, string]>([
      [
        'TLS to a server without it',
        (url) => url.searchParams.set('sslmode', 'require'),
        'Cannot set up TLS as the address requires (The server does not support SSL connections)',
      ],
      [
        'a missing certificate',
        (url) => (url.search = '?sslmode=verify-full&sslrootcert=/nowhere.crt'),
        "no such file or directory, open '/nowhere.crt'",
      ],
      [
        'a mode without its certificate',
        (url) => url.searchParams.set('sslmode', 'verify-ca'),
        'cannot be read: Using sslmode=verify-ca requires specifying a CA with sslrootcert.',
      ],
      ['a pool of size 0', (url) => url.searchParams.set('pool_size', 'big'), 'pool_size is a number'],
      [
        'a mode that promises nothing',
        (url) => url.searchParams.set('sslmode', 'prefer'),
        'sslmode is disable, require, verify-ca or verify-full',
      ],
      ['an unknown value', (url) => url.searchParams.set('prepared', 'no'), 'prepared is true or false'],
    ])('%s is reported', async (_, change, words) => {
      await expect(ask(changed(change))).rejects.toMatchObject({
        fault: 'refused',
        message: expect.stringContaining(words),
      })
    })

    test.each([
      ['53100', 'full', 'disk is full'],
      ['53200', 'busy', 'out of resources: reason.'],
      ['53300', 'unreachable', 'cannot be reached (reason)'],
      ['57P03', 'unreachable', 'cannot be reached (reason)'],
      ['57014', 'busy', 'cancelled the statement: reason; try again.'],
      ['XX001', 'corrupt', 'is damaged (reason)'],
      ['55P03', 'busy', 'held this partner’s data for too long'],
      ['25006', 'read_only', 'connect to the primary'],
      ['42501', 'refused', 'lacks a permission: reason.'],
      ['28000', 'refused', 'refused the connection (reason)'],
      ['SELF_SIGNED_CERT_IN_CHAIN', 'refused', 'Cannot set up TLS as the address requires (reason)'],
    ])('the server’s %s is %s', (code, fault, words) => {
      const error = Object.assign(new Error('reason'), { code })
      expect(inStoreWords(error)).toMatchObject({
        fault,
        message: expect.stringContaining(words),
        cause: error,
      })
    })

    test('an impossible statement is not a lost connection, and is not retried', async () => {
      const asked = vi.fn((tx: Tx) => tx.all(sql`select 1 where 1 in (${join(Array(70_000).fill(1))})`))
      await expect(db.read(asked)).rejects.toMatchObject({ code: '08P01' })
      expect(asked).toHaveBeenCalledTimes(1)
      const ofPooler = Object.assign(new Error('query_wait_timeout'), { code: '08P01', severity: 'FATAL' })
      expect(inStoreWords(ofPooler)).toMatchObject({ fault: 'unreachable' })
    })

    test('a connection that broke earlier is called lost, without the driver’s own term', () => {
      const error = new Error('Client has encountered a connection error and is not queryable')
      expect(inStoreWords(error)).toMatchObject({
        fault: 'unreachable',
        message:
          'The database server cannot be reached (the connection was lost): try again, or check its address.',
      })
    })

    test('an unreadable address is not shown, because it may hold a password', async () => {
      const asking = ask('postgres://me:se/cret@127.0.0.1/x')
      await expect(asking).rejects.toMatchObject({
        fault: 'refused',
        message: expect.not.stringContaining('cret'),
      })
    })

    test('a missing database is named', async () => {
      const asking = ask(changed((url) => Object.assign(url, { pathname: '/nowhere' })))
      await expect(asking).rejects.toMatchObject({
        fault: 'not_found',
        message: expect.stringContaining('database "nowhere" does not exist'),
      })
    })
  })
})

/** Blocks until this many have arrived; later ones pass at once. */
function barrier(parties: number): () => Promise<void> {
  let open = (): void => {}
  let come = 0
  const all = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    come += 1
    if (come >= parties) open()
    return all
  }
}
