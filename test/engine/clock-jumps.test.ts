import { beforeEach, describe, expect, test } from 'vitest'
import { type ClockAndRandom, defaultSettings } from '../../src/engine/context.ts'
import { runTimedWork } from '../../src/engine/timed-work.ts'
import { type Database, sql } from '../../src/store/database.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { usualDatabases } from '../support/harness.ts'
import { submit } from '../support/manifests.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** From the start, including the grace days. */
const dueAfter = 3 * day

describe.each(usualDatabases)('a manifest due in three days and a wrong clock, over $name', (database) => {
  const harness = forEachTest(
    harnessWith(database, { settings: { closeGraceDays: 0 }, environment: 'production' }),
  )
  let id: string
  /** The clock of the current process. */
  let sources: ClockAndRandom
  beforeEach(async () => {
    sources = harness.sources
    await harness.db.write((tx) => tx.run(sql`delete from leases`))
    id = (await submit(harness.client, 'PO-7', ['X'], { expected_arrival_end: '2026-05-03' })).id
    await look()
  })

  const look = (db: Database = harness.db, lifetime?: 'brief'): Promise<void> =>
    runTimedWork({
      db,
      ...(lifetime && { lifetime }),
      sources,
      settings: { ...defaultSettings, closeGraceDays: 0 },
      environment: 'production',
      scope: harness.scope,
      wake: () => {},
    })
  const status = async (): Promise<string> =>
    (await harness.client.getManifest({ params: { manifest_id: id } })).data.status
  /** Another process over the same database, which has seen no time pass. */
  const restart = (): void => {
    sources = { ...harness.sources }
  }
  /** As a service does every few seconds. */
  const lookFor = async (ms: number): Promise<void> => {
    const step = ms > 6 * hour ? 3 * hour : 10 * minute
    for (let passed = 0; passed < ms; passed += step) {
      harness.pass(step)
      await look()
    }
  }

  test('closes on time while a process watches, and after a restart near that time', async () => {
    await lookFor(dueAfter - 21 * hour)
    expect(await status()).toBe('submitted')
    await lookFor(12 * hour)
    expect(await status()).toBe('reconciled')
  })

  test.each([40, -40])('is not affected by a clock %i days off for 1.5 s', async (days) => {
    await lookFor(2 * hour)
    const before = sources.clock()
    harness.jump(days * day)
    await look()
    // Writes in between move the scope's time.
    if (days < 0) await submit(harness.client, 'PO-8', ['Y'])
    harness.pass(1500)
    await look()
    harness.jump(-days * day)
    await look()
    const { data } = await submit(harness.client, 'PO-9', ['Z']).then(({ id: manifest_id }) =>
      harness.client.getManifest({ params: { manifest_id } }),
    )
    expect(Date.parse(data.created_at)).toBeLessThanOrEqual(before + 1500)
    expect(await status()).toBe('submitted')
    await lookFor(dueAfter)
    expect(await status()).toBe('reconciled')
  })

  test('closes by the earlier time if the clock is wrong just after it was confirmed', async () => {
    await lookFor(2 * hour)
    const { db } = harness
    let hasJumped = false
    const read: Database['read'] = async (fn, how) => {
      const found = await db.read(fn, how)
      if (!hasJumped) harness.jump(40 * day)
      hasJumped = true
      return found
    }
    await look({ ...db, read })
    harness.jump(-40 * day)
    expect(hasJumped).toBe(true)
    expect(await status()).toBe('submitted')
  })

  test('stays open for an hour with a clock 40 days ahead, and after its correction', async () => {
    await lookFor(2 * hour)
    harness.jump(40 * day)
    await submit(harness.client, 'PO-8', ['Y'])
    await lookFor(50 * minute)
    expect(await status()).toBe('submitted')
    harness.jump(-40 * day)
    // The scope's own time is far ahead, and that closes nothing.
    await lookFor(3 * hour)
    expect(await status()).toBe('submitted')
  })

  test.each([40, -40])(
    'stays open with a clock %i days off over restarts, and closes on time',
    async (days) => {
      await lookFor(2 * hour)
      harness.jump(days * day)
      for (let run = 0; run < 5; run++) {
        restart()
        await lookFor(10 * minute)
      }
      harness.jump(-days * day)
      for (let run = 0; run < 3; run++) {
        restart()
        await lookFor(10 * minute)
      }
      expect(await status()).toBe('submitted')
      await lookFor(dueAfter)
      expect(await status()).toBe('reconciled')
    },
  )

  test('closes once an hour confirms the time after forty days without a process, also in short runs', async () => {
    harness.pass(40 * day)
    restart()
    await look()
    expect(await status()).toBe('submitted')
    harness.pass(59 * minute)
    restart()
    await look()
    expect(await status()).toBe('submitted')
    harness.pass(minute)
    restart()
    await look()
    expect(await status()).toBe('reconciled')
  })

  test("closes at a new process's next look if it was overdue when submitted", async () => {
    restart()
    const overdue = await submit(harness.client, 'PO-8', ['Y'], { expected_arrival_end: '2026-04-01' })
    await look()
    const { data } = await harness.client.getManifest({ params: { manifest_id: overdue.id } })
    expect([data.status, await status()]).toEqual(['reconciled', 'submitted'])
  })
})
