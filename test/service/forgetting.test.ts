import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defaultSettings } from '../../src/engine/settings.ts'
import { openEmbedded } from '../../src/service/embedded.ts'
import { createKeyUse } from '../../src/service/jobs/key-use.ts'
import type { Leader } from '../../src/service/jobs/leader.ts'
import { upkeepChores } from '../../src/service/jobs/upkeep.ts'
import type { Database, SqlValue } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import { forgetResults } from '../../src/store/tables/idempotency.ts'
import { emitEvents } from '../support/deliveries.ts'
import { startDelivering } from '../support/delivering.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'

const day = 86_400_000

/** Everything that a service does by itself, once. */
async function upkeep(of: Harness, db: Database = of.db): Promise<void> {
  const { sources, service, scope } = of
  const keyUse = createKeyUse(db, sources.clock)
  const options = { db, sources, environment: scope.environment, keyUse, wake: service.signal.notify }
  const leader: Leader = { only: (_name, _ms, task) => task(), resign: async () => {} }
  const idempotencyMs = 7 * day
  const more = { settings: defaultSettings, leader, idempotencyMs, warn: () => {} }
  for (const chore of upkeepChores({ ...options, ...more })) await chore.run()
}

describe.each(databases)('what a service forgets over $name (decisions 4, 9)', (database) => {
  let harness: Harness
  beforeEach(async () => {
    harness = await startHarness(database)
  })
  afterEach(() => harness.close())

  const insertResults = (from: number, count: number, bytes = 1): Promise<number> => {
    const created_at = new Date(harness.sources.clock()).toISOString()
    const columns = ['scope_id', 'path', 'key', 'fingerprint', 'status', 'body', 'created_at']
    const rows = Array.from({ length: count }, (_, n): SqlValue[] => [
      harness.scope.id,
      'POST /products',
      `key ${from + n}`,
      '',
      201,
      new Uint8Array(bytes),
      created_at,
    ])
    return harness.db.write((tx) => tx.insert('idempotency', columns, rows))
  }
  const keptResults = async (): Promise<number> => {
    const { id } = harness.scope
    const row = await harness.db.read((tx) =>
      tx.get<{ n: number }>(sql`select count(*) as n from idempotency where scope_id = ${id}`),
    )
    return Number(row?.n)
  }

  test('stored results, once they are replayed no more; a thousand at a time, so that writers get in between', async () => {
    await insertResults(0, 2300)
    harness.pass(day)
    await insertResults(5000, 5)
    harness.pass(6 * day)
    await upkeep(harness)
    expect(await keptResults()).toBe(2305)
    harness.pass(1)
    const left: number[] = []
    const watched: Database = {
      ...harness.db,
      async write(fn, how) {
        const result = await harness.db.write(fn, how)
        const kept = await keptResults()
        if (kept !== (left.at(-1) ?? 2305)) left.push(kept)
        return result
      },
    }
    await upkeep(harness, watched)
    expect(left).toEqual([1305, 305, 5])
  })

  test('of results as long as an import’s only a few at a time', async () => {
    await insertResults(0, 5, 1000)
    harness.pass(8 * day)
    const before = new Date(harness.sources.clock() - 7 * day).toISOString()
    const forget = (bytes: number) =>
      harness.db.write((tx) => forgetResults(tx, harness.scope.id, before, 100, bytes))
    expect([await forget(1), await forget(1001), await forget(1_000_000)]).toEqual([1, 2, 2])
    expect(await keptResults()).toBe(0)
  })

  test('an embedded command, which nobody tidies up after, forgets those of two months ago', async () => {
    await insertResults(0, 10)
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

test.each(databases)(
  'over $name a delivery is forgotten a month after its last attempt, by the clock of its scope',
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
