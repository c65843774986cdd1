import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { defaultSettings } from '../../src/engine/context.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import { startServer } from '../../src/service/http/server.ts'
import { createMemoryLimiter, createPostgresLimiter } from '../../src/service/limits/limiter.ts'
import { createLog } from '../../src/service/observe/log.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openPostgres, type PgDatabase } from '../../src/store/postgres/pg.ts'
import { manualTimers } from '../support/manual-timers.ts'
import { inSchema, makeSchema } from '../support/postgres-schema.ts'
import { share } from '../support/shared-database.ts'

describe('rate limits that processes share over PostgreSQL (decisions 3)', () => {
  let schema: string
  let one: PgDatabase
  let two: PgDatabase
  beforeAll(async () => {
    schema = await makeSchema()
    one = await openPostgres(inSchema(schema))
    two = await openPostgres(inSchema(schema))
    await migrate(one)
  })
  afterAll(() => Promise.all([one.close(), two.close()]))

  test('agree with the bucket in memory, to the number, also if a clock goes back', async () => {
    let keys = 0
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(50), fc.integer({ min: -2000, max: 5000 })), {
      minLength: 1,
      maxLength: 25,
    })
    const rates = fc.record({
      rate_per_s: fc.constantFrom(0.5, 1, 3, 25, 100, 33.333),
      burst: fc.integer({ min: 1, max: 5 }),
    })
    await fc.assert(
      fc.asyncProperty(gaps, rates, async (waits, rate) => {
        const [shared, alone] = [createPostgresLimiter(one, rate, (ms) => ms), createMemoryLimiter(rate)]
        const key = `property ${keys++}`
        let now = 1_700_000_000_000
        for (const wait of waits) {
          now += wait
          expect(await shared.take(key, now)).toEqual(await alone.take(key, now))
        }
      }),
      { numRuns: 40 },
    )
  })

  test('let exactly the burst of 120 simultaneous requests through two processes, whatever their clocks', async () => {
    const rate = { rate_per_s: 0.001, burst: 50 }
    const limiters = [createPostgresLimiter(one, rate), createPostgresLimiter(two, rate)]
    // With clocks a day apart, more than a bucket takes to fill.
    const verdicts = await Promise.all(
      Array.from({ length: 120 }, (_, i) => limiters[i % 2]?.take('shared', (i % 2) * 86_400_000)),
    )
    expect(verdicts.filter((verdict) => verdict?.allowed)).toHaveLength(50)
  })

  test('let through two servers over one database what one would', async () => {
    const shared = await share({ url: inject('postgresUrl'), schema })
    const { key } = await shared.partner('Two servers')
    const serving = { environment: 'sandbox', sources: runtime, settings: defaultSettings } as const
    const rate = { rate_per_s: 0.001, burst: 4 }
    const log = createLog({ write: () => {} })
    const listening = { host: '127.0.0.1', port: 0, idempotencyMs: 1000, timers: manualTimers(), log, rate }
    const servers = await Promise.all([one, two].map((db) => startServer({ ...serving, ...listening, db })))
    const ask = async (i: number): Promise<number> =>
      (await fetch(`${servers[i % 2]?.address}/v1/items`, { headers: { 'x-api-key': key } })).status
    const statuses = await Promise.all(Array.from({ length: 10 }, (_, i) => ask(i)))
    expect(statuses.sort()).toEqual([...Array(4).fill(200), ...Array(6).fill(429)])
    await Promise.all(servers.map((server) => server.stop()))
    await shared.close()
  })

  test('keep a bucket for each key', async () => {
    const limiter = createPostgresLimiter(one, { rate_per_s: 1, burst: 1 })
    expect(await limiter.take('mine', 1000)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await limiter.take('theirs', 1000)).toMatchObject({ allowed: true })
    expect(await limiter.take('mine', 1000)).toMatchObject({ allowed: false })
  })
})
