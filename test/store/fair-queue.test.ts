import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFairQueue, type FairQueueOptions } from '../../src/store/fair-queue.ts'

/** A queue whose tasks end when told, after the given time. */
function queueOf(options: Omit<FairQueueOptions, 'clock'>) {
  let now = 0
  const queue = createFairQueue({ ...options, clock: () => now })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    queue,
    begun,
    add: (scope: number, name: string): Promise<string> =>
      queue.run(scope, async () => {
        begun.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
        return name
      }),
    async end(name: string, ms = 1): Promise<void> {
      now += ms
      ends.get(name)!()
      ends.delete(name)
      await setImmediate()
    },
    running: () => [...ends.keys()],
  }
}

describe('a fair queue', () => {
  test('never exceeds its limits, in all and for one scope, and never idles while something could run', async () => {
    const model = fc.record({
      capacity: fc.integer({ min: 1, max: 4 }),
      capacityOfOne: fc.integer({ min: 1, max: 4 }),
      scopes: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 20 }),
    })
    await fc.assert(
      fc.asyncProperty(model, async ({ capacity, capacityOfOne, scopes }) => {
        const { add, begun, end, running } = queueOf({ capacity, capacityOfOne })
        const all = scopes.map((scope, at) => add(scope, `${scope}:${at}`))
        const left = new Set(scopes.map((scope, at) => `${scope}:${at}`))
        while (left.size > 0) {
          await setImmediate()
          const byScope = [0, 1, 2, 3].map((scope) =>
            [...left].filter((name) => name.startsWith(`${scope}:`)),
          )
          const possible = byScope.reduce((sum, { length }) => sum + Math.min(length, capacityOfOne), 0)
          expect(running()).toHaveLength(Math.min(capacity, possible))
          const [first] = running()
          left.delete(first!)
          await end(first!, 7)
        }
        await Promise.all(all)
        expect(begun).toHaveLength(scopes.length)
      }),
      { numRuns: 40 },
    )
  })

  test("runs a small request before all but one of a heavy scope's", async () => {
    const { add, begun, end } = queueOf({ capacity: 1 })
    const all = ['a', 'b', 'c', 'd'].map((name) => add(1, name))
    await setImmediate()
    all.push(add(2, 'little'))
    await end('a', 400)
    expect(begun).toEqual(['a', 'little'])
    for (const name of ['little', 'b', 'c', 'd']) await end(name)
    await Promise.all(all)
  })

  test('frees the place of a task that throws, whose caller gets the error', async () => {
    const { queue, add, end } = queueOf({ capacity: 1 })
    await expect(queue.run(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    const next = add(1, 'next')
    await setImmediate()
    await end('next')
    expect(await next).toBe('next')
  })

  test('limits the waiting tasks of each scope separately', async () => {
    const { add, end } = queueOf({ capacity: 1, waitingMax: 2 })
    const all = ['a', 'b', 'c'].map((name) => add(1, name))
    await expect(add(1, 'd')).rejects.toMatchObject({ fault: 'busy' })
    all.push(add(2, 'other'))
    for (const name of ['a', 'other', 'b', 'c']) await end(name)
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'other'])
  })
})
