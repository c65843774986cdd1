import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinInTurns, sortInTurns } from '../../src/engine/yield-to-event-loop.ts'

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
