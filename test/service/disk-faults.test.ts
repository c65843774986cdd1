import { mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Reply } from '../../src/contract/call.ts'
import { defaultSettings } from '../../src/engine/context.ts'
import { startServer } from '../../src/service/http/server.ts'
import { createLog } from '../../src/service/observe/log.ts'
import { raw, StoreError, sql } from '../../src/store/database.ts'
import { isWell, noteWriteFaults } from '../../src/store/maintenance/health.ts'
import { box } from '../support/box.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'
import { manualTimers } from '../support/manual-timers.ts'

const [sqlite] = databases

describe('a disk that fails under a SQLite file', () => {
  let harness: Harness
  const logged: unknown[] = []
  beforeEach(async () => {
    logged.length = 0
    harness = await startHarness(sqlite!, { service: { log: ({ error }) => error && logged.push(error) } })
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await harness.close()
  })

  /** Statements about products fail with this result code of SQLite: always, or this many times. */
  const failing = (errcode: number, times = Number.POSITIVE_INFINITY): void => {
    let left = times
    for (const method of ['all', 'get', 'run'] as const) {
      const real = StatementSync.prototype[method] as (...args: unknown[]) => unknown
      vi.spyOn(StatementSync.prototype, method).mockImplementation(function (this: StatementSync, ...args) {
        if (/\bproducts\b/.test(this.sourceSQL) && left-- > 0)
          throw Object.assign(new Error('injected'), { errcode })
        return real.apply(this, args) as never
      })
    }
  }
  const read = (): Promise<Reply> => harness.call({ operation: 'listProducts' })
  const write = (): Promise<Reply> =>
    harness.call({
      operation: 'createProduct',
      headers: { 'idempotency-key': 'k' },
      body: async () => ({ kind: 'json', text: JSON.stringify(box('A')) }),
    })
  const expectPassing = async (): Promise<void> => {
    for (const reply of [await read(), await write()]) {
      expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1'])
      expect(JSON.parse(reply.body)).toMatchObject({ code: 'internal_error' })
    }
    expect(logged.map((error) => error instanceof StoreError)).toEqual([true, true])
    expect(logged.map(String).join()).not.toContain('damaged')
  }

  test.each([
    ['EIO', 10],
    ['EIO on read', 266],
    ['EIO on write', 778],
    ['EIO on sync', 1034],
    ['ENOSPC', 13],
    ['EROFS', 8],
    ['a locked file', 5],
    ['a file that custody may not open', 14],
    ['a file that custody may not use', 3],
    ['locks that do not work', 15],
  ])('is a 503 with Retry-After for %s, for reads and writes, and changes nothing', async (_, errcode) => {
    failing(errcode)
    await expectPassing()
    vi.restoreAllMocks()
    expect(JSON.parse((await read()).body)).toMatchObject({ total: 0 })
    expect((await write()).status).toBe(201)
  })

  test.each([10, 13, 1034])('rolls a commit back as a whole that fails with %i', async (errcode) => {
    const real = DatabaseSync.prototype.exec
    const exec = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
      this: DatabaseSync,
      text,
    ) {
      if (text === 'commit') throw Object.assign(new Error('injected'), { errcode })
      return real.call(this, text)
    })
    const reply = await write()
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1'])
    exec.mockRestore()
    expect(JSON.parse((await read()).body)).toMatchObject({ total: 0 })
    expect((await write()).status).toBe(201)
  })

  test('is not damage if SQLite calls the file damaged and the disk cannot read it', async () => {
    const { file } = harness.db as unknown as { file: string }
    renameSync(file, `${file}.away`)
    // Reading a folder fails as on a bad sector.
    mkdirSync(file)
    failing(11)
    await expectPassing()
    rmdirSync(file)
    renameSync(`${file}.away`, file)
  })

  test('is not damage if SQLite says so once', async () => {
    failing(11, 1)
    expect((await read()).status).toBe(200)
    vi.restoreAllMocks()
    failing(11, 1)
    expect((await write()).status).toBe(201)
  })

  test('is damage if SQLite says so twice of a readable file', async () => {
    failing(11)
    expect((await read()).status).toBe(500)
    expect(String(logged[0])).toContain('is damaged')
  })
})

describe.each(databases)('/healthz while writes fail, over $name', (database) => {
  let harness: Harness
  beforeEach(async () => {
    harness = await startHarness(database)
  })
  afterEach(() => harness.close())

  test('is a 503 until a write succeeds', async () => {
    let fault: StoreError | undefined = new StoreError('full', 'The disk is full.')
    const { db, sources } = harness
    const server = await startServer({
      db: { ...db, write: (fn, how) => (fault ? Promise.reject(fault) : db.write(fn, how)) },
      environment: 'sandbox',
      sources,
      settings: defaultSettings,
      log: createLog({ write: () => {} }),
      host: '127.0.0.1',
      port: 0,
      idempotencyMs: 86_400_000,
      timers: manualTimers(),
    })
    const health = async (): Promise<number> => (await fetch(`${server.address}/healthz`)).status
    expect([await health(), await health()]).toEqual([503, 503])
    fault = undefined
    expect([await health(), await health()]).toEqual([200, 200])
    await server.stop()
  })

  test('is not affected by a write rejected for another reason', async () => {
    const db = noteWriteFaults(harness.db)
    await expect(db.write(() => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug')
    expect(db.hasFailedWrite).toBe(false)
  })
})

test('a SQLite file without room is unhealthy until it has room again, also while small writes succeed', async () => {
  const harness = await startHarness(sqlite!)
  const db = noteWriteFaults(harness.db)
  const limit = (pages: number) =>
    db.write((tx) => tx.get(sql`pragma max_page_count = ${raw(String(pages))}`))
  const fill = () =>
    db.write((tx) =>
      tx.run(sql`insert into leases (name, owner, until) values ('x', ${'.'.repeat(1e6)}, '')`),
    )
  await limit(1)
  expect(await isWell(db)).toBe(true)
  await expect(fill()).rejects.toMatchObject({ fault: 'full' })
  await db.write((tx) => tx.run(sql`delete from leases`))
  expect(await isWell(db)).toBe(false)
  await limit(1_000_000)
  await fill()
  expect(await isWell(db)).toBe(true)
  await harness.close()
})
