import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inSlices, joinInTurns, sortInTurns, yieldToEventLoop } from '../../src/engine/yield-to-event-loop.ts'
import { withTurns } from '../support/turns.ts'

test('texts sorted in turns are in the same order as texts sorted at once', async () => {
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

test('texts in order, in reverse order, and none at all are sorted in turns too', async () => {
  const texts = Array.from({ length: 9_000 }, (_, n) => String(10_000 + n))
  expect(await sortInTurns(texts)).toEqual(texts)
  expect(await sortInTurns(texts.toReversed())).toEqual(texts)
  expect(await sortInTurns([])).toEqual([])
})

test('one of several yielding loops proceeds in each turn, and none yields before 4 ms', async () => {
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
])('a list of %i is processed in slices of three at most: %j', async (length, sizes) => {
  const list = Array.from({ length }, (_, n) => n)
  const slices: number[][] = []
  await inSlices(list, 3, (some) => void slices.push(some))
  expect(slices.map((slice) => slice.length)).toEqual(sizes)
  expect(slices.flat()).toEqual(list)
})

test('other work proceeds while many are sorted', async () => {
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

test.each([0, 1, 512, 513, 20_000])('%i texts joined in turns equal those joined at once', async (size) => {
  const texts = Array.from({ length: size }, (_, n) => (n % 3 === 0 ? '' : String(n)))
  const pieces = await joinInTurns(texts)
  expect(pieces.join('')).toBe(texts.join(','))
  expect(pieces).toHaveLength(Math.ceil(size / 512))
})
