import { join } from 'node:path'
import { execa } from 'execa'
import { expect, inject, test } from 'vitest'

/** Node.js remembers the sources that it has compiled. */
const compiled = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compiled')

/** In its own process, because it replaces the machine's functions. */
const simulate = async (
  seed: number,
  stories: number,
  flags: string[] = [],
  more: string[] = [],
  env = {},
) => {
  const told = ['--whole', '--seed', `${seed}`, '--stories', `${stories}`, ...more]
  const args = [...flags, 'test/simulation/simulate.ts', ...told]
  const { all, exitCode } = await execa(process.execPath, args, {
    env: { NODE_COMPILE_CACHE: compiled, ...env },
    reject: false,
    all: true,
  })
  return {
    hash: /^seed 23 ([0-9a-f]{64})$/m.exec(all)?.[1],
    violations: /"violations":(\d+)/.exec(all)?.[1],
    exitCode,
    reached: [...all.matchAll(/^ *[1-9]\d* times in +\d+ stories: (.*)$/gm)].map(([, name]) => name),
    missing: [...all.matchAll(/^not reached: (.*)$/gm)].map(([, name]) => name),
  }
}

/** Seed 22 is production, 23 a sandbox. Machines differ in place, language, hash tables, and speed. */
const flags = ['--hash-seed=11', '--random-seed=5', '--no-opt']
const elsewhere = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }

test('a story of partners, faults, and clocks is the same byte for byte on another machine, whatever ran before, and violates nothing', async () => {
  const [one, two] = await Promise.all([
    simulate(23, 1, flags, ['--days', '1', '--states', 'one key was at work'], elsewhere),
    simulate(22, 2, [], ['--days', '1', '--states', 'all']),
  ])
  expect([one, two]).toMatchObject([
    { hash: expect.any(String), violations: '0' },
    { hash: one.hash, violations: '0' },
  ])
  expect([one.exitCode, one.reached.length, one.missing]).toEqual([0, 2, []])
  // Two days reach only some rare states: a run that misses one fails and names it.
  expect(two.reached.length).toBeGreaterThanOrEqual(20)
  expect([two.exitCode, two.missing]).toEqual([1, expect.arrayContaining([rarest])])
  expect(two.reached).not.toContain(rarest)
}, 120_000)

test('a story over PostgreSQL violates nothing either, and its services continue the work of an older version', async () => {
  const over = ['--days', '0.5', '--store', 'postgres', '--states', 'the schema of an older version']
  const env = { CUSTODY_TEST_POSTGRES_URL: inject('postgresUrl') }
  expect(await simulate(30, 1, [], over, env)).toMatchObject({ violations: '0', exitCode: 0, missing: [] })
}, 120_000)

const rarest = 'a subscription was given up after days of failures'
