// npm run simulate -- --seed N --days D: one story, with all that is wrong with it. --minutes M: story after story.
import { parseArgs } from 'node:util'
import { judge } from './oracle.ts'
import { run } from './run.ts'
import { commandOf, kindOf, shrink } from './shrink.ts'
import { type Story, storyOf } from './story.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    days: { type: 'string', default: '5' },
    /** A story that goes wrong is not shortened. */
    whole: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '0' },
  },
})
const end = performance.now() + Number(values.minutes) * 60_000
const sums = {
  seeds: 0,
  days: 0,
  operations: 0,
  requests: 0,
  upsets: 0,
  events: 0,
  receipts: 0,
  violations: 0,
}
const started = performance.now()
for (let seed = values.seed; ; seed = String(BigInt(seed) + 1n)) {
  const story = storyOf(seed, Number(values.days))
  const { hash, counts, found } = await tell(story)
  for (const [name, count] of Object.entries({
    ...counts,
    seeds: 1,
    days: Number(values.days),
    violations: found.length,
  }))
    if (name in sums) sums[name as keyof typeof sums] += count
  if (found.length > 0 || Number(values.minutes) === 0) say(`seed ${seed} ${hash}`)
  for (const fault of found.slice(0, 10)) say(`  ${fault.slice(0, 600)}`)
  if (found.length > 0 && !values.whole) await showShortest(story, kindOf(found[0]!))
  if (performance.now() >= end) break
}
say(JSON.stringify({ ...sums, seconds: Math.round((performance.now() - started) / 100) / 10 }))
process.exitCode = sums.violations > 0 ? 1 : 0

async function tell(story: Story) {
  const outcome = await run(story)
  return { ...outcome, found: [...outcome.faults, ...outcome.histories.flatMap(judge)] }
}

/** The shortest story that goes wrong so, as commands of an operator and what happened beside them. */
async function showShortest(story: Story, kind: string): Promise<void> {
  const isBad = async (tried: Story): Promise<boolean> => {
    const found = await tell(tried).then((outcome) => outcome.found, String)
    return typeof found !== 'string' && found.some((fault) => kindOf(fault) === kind)
  }
  const shortest = await shrink(story, isBad)
  const { histories, found } = await tell(shortest)
  say(`the shortest story: ${JSON.stringify(shortest.rates)}`)
  for (const fault of found.slice(0, 3)) say(`  ${fault.slice(0, 600)}`)
  for (const one of histories.flatMap(({ done }) => done).sort((a, b) => a.deed.no - b.deed.no))
    say(`  ${commandOf(one)}`)
  for (const { kind: what, at, which, ms } of shortest.sessions.flatMap(({ upsets }) => upsets))
    say(`  ${what} of ${which} after ${at} ms, for ${ms} ms`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
