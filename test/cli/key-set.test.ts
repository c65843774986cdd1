import { expect, test } from 'vitest'
import { createKeySet } from '../../src/cli/connection/key-set.ts'

test('a set of hashes knows each text once, however many it holds', () => {
  const set = createKeySet()
  const texts = Array.from({ length: 200_000 }, (_, index) => `QID-${index}`)
  expect(texts.filter((text) => set.add(text))).toHaveLength(texts.length)
  expect(texts.filter((text) => set.add(text))).toEqual([])
  expect(set.size).toBe(texts.length)
  expect([set.add(''), set.add(''), set.size]).toEqual([true, false, texts.length + 1])
})
