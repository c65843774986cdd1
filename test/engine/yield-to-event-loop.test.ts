import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inSlices, joinInTurns, sortInTurns, yieldToEventLoop } from '../../src/engine/yield-to-event-loop.ts'
import { withTurns } from '../support/turns.ts'

test('texts are sorted in turns as they are at once', async () => {
  const texts = fc.array(fc.string({ maxLength: 2 }), { maxLength: 30 })
  const sizes = fc.constantFrom(0, 1, 4095, 4096, 4097, 9000, 20_000)
  await fc.assert(
    fc.asyncProperty(texts, sizes, async (some, size) => {
      const many = [...some, ...Array.from({ length: size }, (_, n) => String((n * 7919) % 10_007))]
      expect(await sortInTurns(many)).toEqual([...many].sort())
    }),
    { numRuns: 15 },
  )
})

test('texts that are in order, or in the opposite one, are sorted in turns too; of none there are none', async () => {
  const texts = Array.from({ length: 9_000 }, (_, n) => String(10_000 + n))
  expect(await sortInTurns(texts)).toEqual(texts)
  expect(await sortInTurns(texts.toReversed())).toEqual(texts)
  expect(await sortInTurns([])).toEqual([])
})

test('of those that give way one goes on in each turn, and until its turn has lasted 4 ms none gives way', async () => {
  const told: string[] = []
  const clock = withTurns(() => told.push('turn'))
  const work = async (name: string) => {
    await yieldToEventLoop()
    told.push(name)
  }
  await Promise.all(['a', 'b', 'c'].map(work))
  expect(told).toEqual(['turn', 'a', 'turn', 'b', 'turn', 'c'])
  clock.uptime += 3.9
  await work('d')
  clock.uptime += 0.1
  await work('e')
  await work('f')
  for (let n = 0; n < 5; n++) await setImmediate()
  expect(told.slice(6)).toEqual(['d', 'turn', 'e', 'f'])
})

test.each([
  [0, []],
  [2, [2]],
  [3, [3]],
  [7, [3, 3, 1]],
])('a list of %i is done in slices of three at most: %j', async (length, sizes) => {
  const list = Array.from({ length }, (_, n) => n)
  const slices: number[][] = []
  await inSlices(list, 3, (some) => void slices.push(some))
  expect(slices.map((slice) => slice.length)).toEqual(sizes)
  expect(slices.flat()).toEqual(list)
})

test('others get their turn while many are sorted', async () => {
  let turns = 0
  let isSorted = false
  const others = async (): Promise<void> => {
    for (; !isSorted; turns++) await setImmediate()
  }
  const counting = others()
  await sortInTurns(Array.from({ length: 200_000 }, (_, n) => `SKU-${(n * 7919) % 200_003}`))
  isSorted = true
  await counting
  expect(turns).toBeGreaterThan(2)
})

test.each([0, 1, 512, 513, 20_000])('%i texts are joined in turns as they are at once', async (size) => {
  const texts = Array.from({ length: size }, (_, n) => (n % 3 === 0 ? '' : String(n)))
  const pieces = await joinInTurns(texts)
  expect(pieces.join('')).toBe(texts.join(','))
  expect(pieces).toHaveLength(Math.ceil(size / 512))
})
