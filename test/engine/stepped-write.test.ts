import { expect, test } from 'vitest'
import { stepTimer } from '../../src/engine/context.ts'

test.each([
  [0, true],
  [14, true],
  [15, false],
  [1000, false],
])('a step that began %i ms ago may continue: %s', (ms, mayContinue) => {
  let uptime = 40
  const assertOpen = stepTimer({ uptime: () => uptime })
  uptime += ms
  expect(assertOpen()).toBe(mayContinue)
})
