import { execa } from 'execa'
import { expect, test } from 'vitest'

/** In a process of its own: it takes the place of the machine. */
const simulate = (flags: string[] = [], env: Record<string, string> = {}) => {
  const story = ['test/simulation/simulate.ts', '--whole', '--seed', '7', '--days', '1']
  return execa(process.execPath, [...flags, ...story], { env, reject: false, all: true })
}

/** What differs from machine to machine: where and in which language it stands, how its tables are hashed, how fast it is. */
const flags = ['--hash-seed=11', '--random-seed=5', '--no-opt']
const elsewhere = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }

test('a story of partners, faults and clocks is the same byte for byte on another machine, and nothing in it is wrong', async () => {
  const [one, again] = await Promise.all([simulate(), simulate(flags, elsewhere)])
  expect(one.all).toMatch(/^seed 7 [0-9a-f]{64}$/m)
  expect(one.all).toMatch(/"violations":0/)
  const untimed = (text: string) => text.replace(/"seconds":.*/, '')
  expect(untimed(again.all)).toBe(untimed(one.all))
}, 60_000)
