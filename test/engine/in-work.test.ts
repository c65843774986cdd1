import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../../src/engine/context.ts'
import { inUnitOfWork } from '../../src/engine/unit-of-work.ts'
import { type Database, sql, type Tx } from '../../src/store/database.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { databases } from '../support/harness.ts'

describe.each(databases)('a transaction of the engine over $name', (database) => {
  const harness = forEachTest(harnessWith(database))

  test('does not begin for a deleted scope, by its id or as it was known', async () => {
    const { db, sources, scope } = harness
    let begun = 0
    const place = { db, sources, settings: defaultSettings }
    const task = async () => {
      begun += 1
    }
    for (const gone of [99_999, { ...scope, id: 99_999 }])
      await expect(inUnitOfWork(place, gone, task)).rejects.toThrow('scope 99999 is gone')
    expect(begun).toBe(0)
    await inUnitOfWork(place, scope.id, task)
    expect(begun).toBe(1)
  })

  test('wakes readers of the scope on commit, and only if there is something for them', async () => {
    const { db, sources, scope } = harness
    const woken: number[] = []
    const place = { db, sources, settings: defaultSettings, wake: (id: number) => woken.push(id) }
    await inUnitOfWork(place, scope, async () => {})
    await expect(
      inUnitOfWork(place, scope, async (work) => {
        work.wake()
        throw new Error('not done')
      }),
    ).rejects.toThrow('not done')
    expect(woken).toEqual([])
    await inUnitOfWork(place, scope, async (work) => {
      work.wake()
    })
    await inUnitOfWork(place, scope, async (work) => work.emit('transfer.requested', '{}'))
    await inUnitOfWork(place, scope, async (work) => void work.advanceClock(1))
    expect(woken).toEqual([scope.id, scope.id, scope.id])
  })

  test('writes flushed rows at once, and the rest on commit', async () => {
    const events = async (tx: Tx) =>
      (await tx.all(sql`select 1 from events where scope_id = ${scope.id}`)).length
    const { db, sources, scope } = harness
    const written: number[] = []
    await inUnitOfWork({ db, sources, settings: defaultSettings }, scope, async (work) => {
      for (let n = 0; n < 2; n++) {
        work.emit('transfer.requested', '{}')
        work.emit('transfer.requested', '{}')
        written.push(await events(work.tx))
        await work.flush()
        written.push(await events(work.tx))
      }
      work.emit('transfer.requested', '{}')
    })
    expect([...written, await db.read(events)]).toEqual([0, 2, 2, 4, 5])
  })

  test("waits in its scope's lane", async () => {
    const { db, sources, scope } = harness
    const lanes: unknown[] = []
    const write: Database['write'] = (fn, how) => {
      lanes.push(how?.lane)
      return db.write(fn, how)
    }
    await inUnitOfWork({ db: { ...db, write }, sources, settings: defaultSettings }, scope, async () => {})
    expect(lanes).toEqual([scope.id])
  })
})
