import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inWork } from '../../src/engine/in-work.ts'
import { defaultSettings } from '../../src/engine/settings.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'

describe.each(databases)('a unit of work over $name', (database) => {
  let harness: Harness
  beforeEach(async () => {
    harness = await startHarness(database)
  })
  afterEach(() => harness.close())

  test('of a scope that is gone is not begun, by its id or as it was known', async () => {
    const { db, sources, scope } = harness
    let begun = 0
    const place = { db, sources, settings: defaultSettings }
    const task = async () => {
      begun += 1
    }
    for (const gone of [99_999, { ...scope, id: 99_999 }])
      await expect(inWork(place, gone, task)).rejects.toThrow('scope 99999 is gone')
    expect(begun).toBe(0)
    await inWork(place, scope.id, task)
    expect(begun).toBe(1)
  })

  test('wakes those who wait for the scope when it is committed, and only if there is something for them', async () => {
    const { db, sources, scope } = harness
    const woken: number[] = []
    const place = { db, sources, settings: defaultSettings, wake: (id: number) => woken.push(id) }
    await inWork(place, scope, async () => {})
    await expect(
      inWork(place, scope, async (work) => {
        work.wake()
        throw new Error('not done')
      }),
    ).rejects.toThrow('not done')
    expect(woken).toEqual([])
    await inWork(place, scope, async (work) => {
      work.wake()
    })
    expect(woken).toEqual([scope.id])
  })
})
