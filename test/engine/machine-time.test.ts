import { beforeEach, describe, expect, test } from 'vitest'
import { certainTime } from '../../src/engine/scope-time.ts'
import { type Database, sql } from '../../src/store/database.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { databases } from '../support/harness.ts'

const minute = 60_000

describe.each(databases)('certainty of the machine’s time, over $name', (database) => {
  const harness = forEachTest(harnessWith(database))
  let writes: number
  beforeEach(async () => {
    // Left by earlier tests over the same database.
    await harness.db.write((tx) => tx.run(sql`delete from leases`))
    writes = 0
  })

  /** Whether a check finds the time certain, and whether that is recorded. */
  const look = async () => {
    const db: Database = {
      ...harness.db,
      write: (fn, how) => {
        writes += 1
        return harness.db.write(fn, how)
      },
    }
    const before = writes
    const time = await certainTime({ db, sources: harness.sources })
    if (time !== null) expect(time).toBe(harness.sources.clock())
    return { isSure: time !== null, isRecorded: writes > before }
  }

  test('stays while time passes evenly, and is recorded every quarter of an hour', async () => {
    expect(await look()).toEqual({ isSure: true, isRecorded: false })
    harness.pass(15 * minute)
    expect(await look()).toEqual({ isSure: true, isRecorded: false })
    harness.pass(1)
    expect(await look()).toEqual({ isSure: true, isRecorded: true })
    harness.pass(15 * minute)
    expect(await look()).toEqual({ isSure: true, isRecorded: false })
  })

  test.each([minute, -minute])('survives a clock set by %i ms, but not by one more', async (ms) => {
    await look()
    harness.jump(ms)
    expect(await look()).toEqual({ isSure: true, isRecorded: false })
    harness.jump(ms + Math.sign(ms))
    expect(await look()).toEqual({ isSure: false, isRecorded: true })
  })

  test('returns after an hour that passes evenly, and a doubt is recorded once', async () => {
    await look()
    harness.jump(minute * 120)
    expect(await look()).toEqual({ isSure: false, isRecorded: true })
    harness.pass(59 * minute)
    expect(await look()).toEqual({ isSure: false, isRecorded: false })
    harness.pass(minute)
    expect(await look()).toEqual({ isSure: true, isRecorded: true })
  })
})
