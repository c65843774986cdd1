import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createMemoryLimiter } from '../../src/service/limiter-memory.ts'
import { createPostgresLimiter } from '../../src/service/limiter-postgres.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openPostgres, type PgDatabase } from '../../src/store/pg.ts'
import { makeSchema } from '../support/postgres-schema.ts'

describe('rate limits that processes share over PostgreSQL (decisions 3)', () => {
  let one: PgDatabase
  let two: PgDatabase
  beforeAll(async () => {
    const schema = await makeSchema()
    one = await openPostgres(inject('postgresUrl'), { schema })
    two = await openPostgres(inject('postgresUrl'), { schema })
    await migrate(one)
  })
  afterAll(() => Promise.all([one.close(), two.close()]))

  test('it answers to the number as the bucket in memory does, also to a clock that goes back', async () => {
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
        const [shared, alone] = [createPostgresLimiter(one, rate), createMemoryLimiter(rate)]
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

  test('of 120 requests at once by way of two processes exactly the burst is let through', async () => {
    const rate = { rate_per_s: 25, burst: 50 }
    const limiters = [createPostgresLimiter(one, rate), createPostgresLimiter(two, rate)]
    const verdicts = await Promise.all(
      Array.from({ length: 120 }, (_, i) => limiters[i % 2]?.take('shared', 1_700_000_000_000)),
    )
    expect(verdicts.filter((verdict) => verdict?.allowed)).toHaveLength(50)
    expect(verdicts.filter((verdict) => verdict?.retry_after_seconds === 1)).toHaveLength(70)
  })

  test('each key has a bucket of its own', async () => {
    const limiter = createPostgresLimiter(one, { rate_per_s: 1, burst: 1 })
    expect(await limiter.take('mine', 1000)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await limiter.take('theirs', 1000)).toMatchObject({ allowed: true })
    expect(await limiter.take('mine', 1000)).toMatchObject({ allowed: false })
  })
})
