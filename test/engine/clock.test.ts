import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defaultSettings, type UnitOfWork } from '../../src/engine/context.ts'
import { addLines } from '../../src/engine/manifests/manifest-submission.ts'
import { ensureScope } from '../../src/engine/partners.ts'
import { runTimedWork } from '../../src/engine/timed-work.ts'
import { type Database, inScope, sql } from '../../src/store/database.ts'
import { findManifest } from '../../src/store/tables/manifests.ts'
import { type Harness, startHarness, usualDatabases } from '../support/harness.ts'
import { arrive, manifestOf, slab, slabLine, submit } from '../support/manifests.ts'
import { withWork } from '../support/with-work.ts'

const day = 86_400

describe.each(usualDatabases)('the clock of a sandbox over $name (decisions 10, 11)', (database) => {
  let harness: Harness
  beforeEach(async () => {
    harness = await startHarness(database)
  })
  afterEach(() => harness.close())

  const advance = async (body: { seconds?: number; to?: string }) =>
    (await harness.client.advanceClock({ body })).data

  test('gives ascending identifiers even if 4,096 writes share a millisecond', async () => {
    const { db, scope } = harness
    const claims = sql`update scopes set claims = 4094 where id = ${scope.id}`
    const emitTwo = () =>
      withWork(harness, async (work) => {
        for (let n = 0; n < 2; n++) work.emit('transfer.requested', '{}')
      })
    await db.write((tx) => tx.run(claims))
    for (let n = 0; n < 3; n++) await emitTwo()
    // If time has passed, nothing is added.
    await db.write((tx) => tx.run(claims))
    await emitTwo()
    harness.pass(10)
    await emitTwo()
    const events = await harness.events()
    const ids = events.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted())
    expect(events.at(-1)?.created_at).toBe('2026-05-01T09:00:00.010Z')
  })

  test('stands still at the end of all timestamps, and everything else works', async () => {
    const { client, db, scope, sources } = harness
    const end = '9999-12-31T23:59:59.999Z'
    const offset = Date.parse(end) - sources.clock()
    await db.write((tx) =>
      tx.run(sql`update scopes set clock_offset_ms = ${offset}, claims = 4090 where id = ${scope.id}`),
    )
    harness.pass(1000)
    expect((await client.getClock({})).data.now).toBe(end)
    await submit(client, 'PO-7', [slabLine('1')], { expected_arrival_end: '2026-05-10' })
    for (const cert of ['1', '2', '3', '4', '5', '6']) await arrive(client, [slab(cert)])
    expect((await client.listManifests({ query: {} })).data.results[0]?.created_at).toBe(end)
    expect(await harness.events()).toHaveLength(6)
    for (const body of [{ seconds: 1 }, { to: end }])
      await expect(advance(body)).rejects.toMatchObject({ status: 400, code: 'validation_error' })
    harness.pass(30 * day * 1000)
    expect(await timedWork()).toEqual([scope.id])
    expect((await harness.events()).at(-1)?.created_at).toBe(end)
  })

  test('does not move another partner’s clock', async () => {
    await advance({ seconds: day })
    expect((await harness.stranger.getClock({})).data.offset_seconds).toBe(0)
  })

  test('closes a manifest once its end and seven days have passed, not a moment earlier (3.1)', async () => {
    const { client } = harness
    const { id } = await submit(client, 'PO-7', [slabLine('1'), 'X'], { expected_arrival_end: '2026-05-10' })
    const open = await submit(client, 'PO-8', ['X'])
    await arrive(client, [slab('1')])
    await advance({ to: '2026-05-17T23:59:59.999Z' })
    expect((await manifestOf(client, id)).status).toBe('receiving')
    const events = (await harness.events()).length
    await advance({ to: '2026-05-18T00:00:00.000Z' })
    expect(await manifestOf(client, id)).toMatchObject({
      status: 'reconciled',
      lines: [{ status: 'matched' }, { status: 'missing' }],
    })
    expect((await harness.events()).slice(events)).toEqual([
      {
        id: expect.any(String),
        created_at: '2026-05-18T00:00:00.000Z',
        type: 'manifest.reconciliation.completed',
        data: {
          manifest_id: id,
          generated_at: '2026-05-18T00:00:00.000Z',
          totals: { expected: 2, matched: 1, missing: 1, unexpected: 0, condition_mismatch: 0 },
        },
      },
    ])
    await expect(client.closeManifest({ params: { manifest_id: id } })).rejects.toMatchObject({ status: 409 })
    expect((await manifestOf(client, open.id)).status).toBe('submitted')
  })

  test('gives events of due work later ids than earlier ones, so no cursor misses them', async () => {
    await submit(harness.client, 'PO-7', ['X'], { expected_arrival_end: '2026-05-02' })
    await arrive(harness.client, [slab('1')])
    await advance({ seconds: 30 * day })
    await arrive(harness.client, [slab('2')])
    const ids = (await harness.events()).map((event) => event.id)
    expect(ids).toHaveLength(3)
    expect(ids).toEqual([...ids].sort())
  })

  let writes = 0
  /** Runs the task and returns the scopes that are woken. */
  const timedWork = async (
    environment = harness.scope.environment,
    mayContinue = () => true,
  ): Promise<number[]> => {
    const woken = new Set<number>()
    const write: Database['write'] = (fn, how) => {
      writes += 1
      return harness.db.write(fn, how)
    }
    await runTimedWork({
      db: { ...harness.db, write },
      sources: harness.sources,
      settings: defaultSettings,
      environment,
      mayContinue,
      wake: (scopeId) => woken.add(scopeId),
    })
    return [...woken].sort()
  }

  test('closes by timed work what time alone made due, in each scope by its own clock, and once', async () => {
    const { client, stranger } = harness
    const window = { expected_arrival_end: '2026-05-02' }
    const mine = await submit(client, 'PO-7', ['X'], window)
    const theirs = await submit(stranger, 'PO-7', ['X'], window)
    for (let n = 0; n < 25; n++) await submit(client, `PO-${n}`, ['X'], window)
    expect(await timedWork()).toEqual([])
    harness.pass(30 * day * 1000)
    // The service is told to stop.
    expect(await timedWork('sandbox', () => false)).toEqual([])
    writes = 0
    expect(await timedWork()).toEqual([harness.scope.id, harness.strangerScope.id].sort())
    // Many manifests at once, and the certain time.
    expect(writes).toBeLessThanOrEqual(3)
    expect((await manifestOf(client, mine.id)).status).toBe('reconciled')
    expect((await manifestOf(stranger, theirs.id)).status).toBe('reconciled')
    expect((await client.listManifests({ query: { status: 'reconciled' } })).data.total).toBe(26)
    expect(await harness.events()).toHaveLength(26)
    expect(await timedWork()).toEqual([])
  })

  test('keeps its advance in timed work', async () => {
    await advance({ seconds: 60 * day })
    await submit(harness.client, 'PO-7', ['X'], { expected_arrival_end: '2026-07-02' })
    await submit(harness.stranger, 'PO-7', ['X'], { expected_arrival_end: '2026-07-02' })
    harness.pass(day * 1000)
    expect(await timedWork()).toEqual([])
    harness.pass(29 * day * 1000)
    expect(await timedWork()).toEqual([harness.scope.id])
  })

  test('limits timed work to scopes of its environment', async () => {
    const { db, sources, scope } = harness
    const production = await db.write((tx) => ensureScope(tx, sources, scope.partner_name, 'production'))
    const window = { reference: 'PO-7', expected_arrival_end: '2026-05-02' }
    const line = { description: 'X', quantity: 1 }
    const submitted = async (work: UnitOfWork) => {
      const part = { created: [], errors: [] }
      const { manifest } = await addLines(work, part, [line], window)
      return JSON.parse(manifest ?? '').id as string
    }
    const id = await withWork(harness, submitted, production)
    const status = () =>
      db.read(async (tx) => (await findManifest(inScope(tx, production.id), id))?.manifest.status)
    harness.pass(30 * day * 1000)
    expect(await timedWork()).toEqual([])
    expect(await status()).toBe('submitted')
    expect(await timedWork('production')).toEqual([production.id])
    expect(await status()).toBe('reconciled')
  })
})

test.each(usualDatabases)('the days of grace are a setting, over $name (decisions 6)', async (database) => {
  const harness = await startHarness(database, { settings: { closeGraceDays: 0 } })
  const { id } = await submit(harness.client, 'PO-7', ['X'], { expected_arrival_end: '2026-05-01' })
  await harness.client.advanceClock({ body: { to: '2026-05-02T00:00:00Z' } })
  expect((await manifestOf(harness.client, id)).status).toBe('reconciled')
  await harness.close()
})
