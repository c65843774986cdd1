import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../../src/engine/context.ts'
import { certainTime } from '../../src/engine/scope-time.ts'
import { openEmbedded } from '../../src/service/embedded.ts'
import { forgetDeliveriesOf, forgetResultsOf } from '../../src/service/jobs/retention.ts'
import { createService } from '../../src/service/service.ts'
import { type Database, inScope, raw, type SqlValue, sql } from '../../src/store/database.ts'
import { forgetResults } from '../../src/store/tables/idempotency.ts'
import { box } from '../support/box.ts'
import { emitEvents, queueDelivered, subscribeTo } from '../support/deliveries.ts'
import { startDelivering } from '../support/delivering.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { clientWith, databases, usualDatabases, usualTest } from '../support/harness.ts'
import { outcomeOf } from '../support/outcome.ts'
import { untilWaitedFor } from '../support/row-waits.ts'
import { upkeep } from '../support/upkeep.ts'
import { withWork } from '../support/with-work.ts'

const day = 86_400_000

describe.each(databases)('deletion of old data over $name (decisions 4, 9)', (database) => {
  const usual = usualTest(database)
  const harness = forEachTest(harnessWith(database))

  const insertResults = (from: number, count: number, bytes = 1): Promise<number> => {
    const created_at = new Date(harness.sources.clock()).toISOString()
    const columns = ['scope_id', 'path', 'key', 'fingerprint', 'status', 'body', 'created_at']
    const { id } = harness.scope
    const more = ['', 201, new Uint8Array(bytes), created_at]
    const slotOf = (n: number): SqlValue[] => [id, 'POST /products', `key ${from + n}`]
    const rows = Array.from({ length: count }, (_, n) => [...slotOf(n), ...more])
    return harness.db.write(async (tx) => {
      await tx.run(sql`update scopes set stored_results = stored_results + ${rows.length} where id = ${id}`)
      return tx.insert('idempotency', columns, rows)
    })
  }
  /** As if the scope had had this many writes. */
  const writesGoOn = (count = 10_000): Promise<number> => {
    const { id } = harness.scope
    return harness.db.write((tx) =>
      tx.run(sql`update scopes set claims = claims + ${count} where id = ${id}`),
    )
  }
  const countOf = async (table: string): Promise<number> => {
    const query = sql`select count(*) as n from ${raw(table)} where scope_id = ${harness.scope.id}`
    return Number((await harness.db.read((tx) => tx.get<{ n: number }>(query)))?.n)
  }
  const keptResults = () => countOf('idempotency')
  /** The number of a table's rows while old rows are deleted, between two transactions. */
  const rowsLeft = async (table: string): Promise<number[]> => {
    const left = [await countOf(table)]
    const write: Database['write'] = async (fn, how) => {
      const result = await harness.db.write(fn, how)
      const n = await countOf(table)
      if (n !== left.at(-1)) left.push(n)
      return result
    }
    await upkeep(harness, { ...harness.db, write })
    return left
  }

  usual('includes results that can no longer be replayed, a thousand between two writers', async () => {
    await insertResults(0, 2300)
    harness.pass(day)
    await insertResults(5000, 5)
    harness.pass(6 * day)
    await writesGoOn()
    await upkeep(harness)
    expect(await keptResults()).toBe(2305)
    harness.pass(1)
    expect(await rowsLeft('idempotency')).toEqual([2305, 1305, 305, 5])
    expect(await harness.findings()).toEqual([])
  })

  test('ends with the current batch once the service is to stop, for results and deliveries', async () => {
    const { client, db, scope } = harness
    const of = await subscribeTo(harness)
    await emitEvents(harness)
    await insertResults(0, 2300)
    await withWork(harness, (work) => queueDelivered(work, of.params.subscription_id, 2001))
    harness.pass(31 * day)
    await writesGoOn()
    const delivered = async () =>
      (await client.listDeliveries({ ...of, query: { status: 'delivered' } })).data.total
    const stopAfter = (count: number) => () => count-- > 0
    const place = { ...harness, settings: defaultSettings }
    await forgetResultsOf(place, scope, 7 * day, stopAfter(1))
    await forgetDeliveriesOf(place, scope, stopAfter(1))
    const left = [await keptResults(), await delivered()]
    expect(left).toEqual([1301, 1001])
    await upkeep(harness, db, () => false)
    expect([await keptResults(), await delivered()]).toEqual(left)
    await upkeep(harness)
    expect([await keptResults(), await delivered()]).toEqual([0, 0])
  })

  usual.each([
    ['a clock set ahead', (ms: number) => harness.jump(ms)],
    ['time', (ms: number) => harness.pass(ms)],
  ])(
    'does not depend on %s alone: a retry finds its result until the scope has written more',
    async (_, go) => {
      const { client } = harness
      const idempotencyKey = 'k'
      const first = await client.createProduct({ body: product, idempotencyKey })
      const again = () => outcomeOf(client.createProduct({ body: product, idempotencyKey }))
      go(40 * day)
      await writesGoOn(9_990)
      await upkeep(harness)
      expect(await again()).toMatchObject({ text: first.text, headers: { 'idempotency-replayed': 'true' } })
      await writesGoOn()
      expect((await again()).status).toBe(409)
      await upkeep(harness)
      // From a few seconds ago, under the forgotten key.
      expect(await keptResults()).toBe(1)
    },
  )

  test("excludes a result stored meanwhile under an old one's key", async () => {
    const { client, db, key, scope, sources } = harness
    const settings = defaultSettings
    const again = { body: { ...product, sku: 'T-36' }, idempotencyKey: 'k' }
    await client.createProduct({ ...again, body: product })
    harness.pass(8 * day)
    await writesGoOn()
    let forgetting = Promise.resolve()
    const slow: Database = {
      ...db,
      write: (fn, how) =>
        db.write(async (tx) => {
          const done = await fn(tx)
          if (how?.lane === undefined) return done
          // Before it commits. Without its queue, as from another process.
          forgetting = forgetResultsOf({ db, sources }, scope, 7 * day)
          await untilWaitedFor(db, tx)
          return done
        }),
    }
    const late = clientWith(
      createService({ db: slow, environment: 'sandbox', sources, settings }),
      key,
      sources,
    )
    const { text } = await late.createProduct(again)
    await forgetting
    expect(await outcomeOf(client.createProduct(again))).toMatchObject({ status: 201, text })
    expect(await harness.findings()).toEqual([])
  })

  test('includes deliveries of a deleted subscription, also the last one, some at a time', async () => {
    const of = await subscribeTo(harness)
    await emitEvents(harness)
    await withWork(harness, (work) => queueDelivered(work, of.params.subscription_id, 2500))
    await harness.client.deleteSubscription(of)
    expect(await rowsLeft('deliveries')).toEqual([1500, 500, 0])
    expect(await harness.findings()).toEqual([])
  })

  test('includes unfinished writes with all their parts, some at a time', async () => {
    const at = new Date(harness.sources.clock()).toISOString()
    const slots = Array.from({ length: 45 }, (_, n) => [harness.scope.id, 'POST /manifests', `k${n}`])
    const columns = (more: string) => `scope_id path key ${more}`.split(' ')
    await harness.db.write(async (tx) => {
      const rows = slots.map((of) => [...of, '', '2026-05-01', 1, 0, at])
      await tx.insert('unfinished_writes', columns('fingerprint read_on place claims created_at'), rows)
      const parts = slots.map((of) => [...of, 0, new Uint8Array(1)])
      await tx.insert('unfinished_parts', columns('part_no body'), parts)
    })
    harness.pass(8 * day)
    await writesGoOn()
    expect([await rowsLeft('unfinished_parts'), await countOf('unfinished_writes')]).toEqual([
      [45, 25, 5, 0],
      0,
    ])
  })

  usual('includes everything older than two months of certain time, however few writes since', async () => {
    await insertResults(0, 10)
    const hours = async (count: number) => {
      for (let hour = 0; hour < count; hour++) {
        harness.pass(day / 24)
        await certainTime(harness)
      }
    }
    harness.pass(60 * day)
    await upkeep(harness)
    expect(await keptResults()).toBe(10)
    await hours(2)
    await upkeep(harness)
    expect(await keptResults()).toBe(0)
    expect(await harness.findings()).toEqual([])
  })

  usual('keeps a partner within its maximum with a 429 that names it, while results replay', async () => {
    const { db, sources, key } = harness
    const settings = defaultSettings
    const service = createService({ db, environment: 'sandbox', sources, settings, storedResultsMax: 2 })
    const client = clientWith(service, key, sources)
    const create = (n: number) =>
      outcomeOf(client.createProduct({ body: { ...product, sku: `P-${n}` }, idempotencyKey: `k${n}` }))
    const upload = () => outcomeOf(client.importProductsCsv({ form: { file: Buffer.from(productsCsv) } }))
    expect([(await create(1)).status, (await create(1)).status, (await upload()).status]).toEqual([
      201, 201, 200,
    ])
    const beyond = { status: 429, extra: { limit: 'stored_results', retry_after_seconds: 600 } }
    expect([await create(2), await upload()]).toMatchObject([beyond, beyond])
    expect((await create(2)).headers['retry-after']).toBe('600')
    expect((await create(1)).headers['idempotency-replayed']).toBe('true')
    await harness.stranger.createProduct({ body: product })
    harness.pass(7 * day + 1)
    await writesGoOn()
    await upkeep(harness)
    expect((await create(2)).status).toBe(201)
    expect(await harness.findings()).toEqual([])
  })

  usual("includes only a few results at a time if they are as long as an import's", async () => {
    await insertResults(0, 5, 1000)
    harness.pass(8 * day)
    await writesGoOn()
    const before = new Date(harness.sources.clock() - 7 * day).toISOString()
    const times = { before, longBefore: '' }
    const forget = (bytes: number) =>
      harness.db.write((tx) => forgetResults(inScope(tx, harness.scope.id), times, 100, bytes))
    expect([await forget(1), await forget(1001), await forget(1_000_000)]).toEqual([1, 2, 2])
    expect(await keptResults()).toBe(0)
  })

  test('is found through the oldest by time, without reading all each time', async () => {
    await writesGoOn()
    const { id } = harness.scope
    await insertResults(0, 20)
    await harness.db.write((tx) =>
      tx.run(sql`update idempotency set claims = (select claims from scopes where id = ${id})`),
    )
    harness.pass(1)
    await insertResults(20, 1)
    harness.pass(8 * day)
    await upkeep(harness)
    expect(await keptResults()).toBe(21)
    await writesGoOn()
    await upkeep(harness)
    expect(await keptResults()).toBe(0)
  })

  test('includes, in an embedded command that no service maintains, results of two months ago', async () => {
    await insertResults(0, 10)
    await writesGoOn()
    harness.pass(60 * day)
    const { db, sources, scope } = harness
    const open = () =>
      openEmbedded({ db, sources, partner: scope.partner_name, environment: scope.environment })
    await open()
    expect(await keptResults()).toBe(10)
    harness.pass(1)
    await open()
    expect(await keptResults()).toBe(0)
  })
})

const product = box('T-35')
const productsCsv = `name,sku,height,length,width,dimension_unit,weight,weight_unit
Box,B-1,1,2,3,cm,4,g
`

test.each(usualDatabases)(
  "over $name a delivery is deleted a month after its last attempt, by its scope's clock",
  async (database) => {
    const delivering = await startDelivering(database)
    const { harness, worker } = delivering
    const of = await delivering.subscribe()
    await emitEvents(harness, 2)
    await worker.idle()
    harness.pass(20 * day)
    const [first] = await delivering.deliveries(of)
    await harness.client.redeliver({ params: { ...of.params, delivery_id: first?.id ?? '' } })
    await worker.idle()
    harness.pass(9 * day)
    await upkeep(harness)
    expect(await delivering.deliveries(of)).toHaveLength(2)
    harness.pass(2 * day)
    await upkeep(harness)
    expect(await delivering.deliveries(of)).toMatchObject([{ id: first?.id }])
    await harness.client.advanceClock({ body: { seconds: (20 * day) / 1000 } })
    await upkeep(harness)
    expect(await delivering.deliveries(of)).toEqual([])
    expect((await harness.client.listDeliveries(of)).data.total).toBe(0)
    await delivering.close()
  },
)
