import { execa } from 'execa'
import { expect, test } from 'vitest'

/** In a process of its own: it takes the place of the machine. */
const simulate = (...args: string[]) =>
  execa(process.execPath, ['test/simulation/simulate.ts', '--whole', ...args], { reject: false, all: true })

test('a story of partners, faults and clocks is the same byte for byte when it is told again, and nothing in it is wrong', async () => {
  const [one, again] = await Promise.all([
    simulate('--seed', '7', '--days', '1'),
    simulate('--seed', '7', '--days', '1'),
  ])
  expect(one.all).toMatch(/^seed 7 [0-9a-f]{64}$/m)
  expect(one.all).toMatch(/"violations":0/)
  const untimed = (text: string) => text.replace(/"seconds":.*/, '')
  expect(untimed(again.all)).toBe(untimed(one.all))
}, 60_000)
