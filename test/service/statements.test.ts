import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { expectGolden } from '../support/golden.ts'
import { databases, startHarness } from '../support/harness.ts'
import { type Cost, costsOf } from '../support/statement-counts.ts'

type Counts = Record<string, { calls: number; trips: number }>

test.each(databases)(
  'no operation makes more driver calls or round trips over $name than test/golden allows',
  async (database) => {
    const harness = await startHarness(database)
    const costs = [...(await costsOf(harness))].sort(([a], [b]) => (a < b ? -1 : 1))
    await harness.close()
    const name = `statements-${database.name.toLowerCase()}.json`
    const held = ceilings(name)
    // Fewer counts as unchanged, and so does one more, or a tenth of many: timing decides whether answers come together.
    const atLeast = (count: number, ceiling = 0): number =>
      process.env.UPDATE_GOLDEN !== '1' && count <= Math.max(ceiling * 1.1, ceiling + 1) ? ceiling : count
    const counts: Counts = Object.fromEntries(
      costs.map(([id, { calls, trips }]) => {
        const ceiling = held[id]
        return [id, { calls: atLeast(calls, ceiling?.calls), trips: atLeast(trips, ceiling?.trips) }]
      }),
    )
    if (process.env.CUSTODY_PRINT_COSTS === '1') print(costs)
    expectGolden(name, `${JSON.stringify(counts, null, 2)}\n`)
  },
)

function ceilings(name: string): Counts {
  const file = join(import.meta.dirname, '..', 'golden', name)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

function print(costs: Array<[string, Cost]>): void {
  for (const [id, { calls, trips, cpuMs }] of costs)
    process.stdout.write(
      `${id.padEnd(28)} ${calls} calls, ${trips} round trips, ${cpuMs.toFixed(1)} ms of CPU\n`,
    )
}
