import { expect, test } from 'vitest'
import { randomPool } from '../../src/runtime/runtime.ts'

test('random bytes are as many as requested, and none are given twice', () => {
  const random = randomPool()
  const sizes = [16, 32, 1, 11, 2000, 4096, 16]
  const drawn = Array.from({ length: 400 }, (_, at) => random(sizes[at % sizes.length] ?? 0))
  expect(drawn.map((bytes) => bytes.length)).toEqual(drawn.map((_, at) => sizes[at % sizes.length]))
  const long = drawn.filter((bytes) => bytes.length > 8).map((bytes) => Buffer.from(bytes).toString('hex'))
  expect(new Set(long).size).toBe(long.length)
})
