// npm run simulate -- --seed N --days D: one story, with all its faults. --minutes M: story after story, in as many processes as
// there are cores (--workers), each with its own seeds.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import type { CommandCourse } from './commands.ts'
import type { ErrandCourse } from './errands.ts'
import { judge } from './oracle.ts'
import { type Done, run } from './run.ts'
import { commandOf, commandsOf, kindOf, runsOf, shrink } from './shrink.ts'
import { rareStates, reachedIn, unreached } from './states/rare-states.ts'
import { seenIn } from './states/seen.ts'
import { type Story, storyOf } from './story.ts'
import { addTo, nothingTold, type Sums, sumOfWorkers } from './sums.ts'

const values = valuesOf(process.argv.slice(2))
const isLong = Number(values.minutes) > 0
const workers = Number(values.workers ?? (isLong ? availableParallelism() : 1))
// A rejection is an error; its cause matters in the shortest story only.
const frames = Error.stackTraceLimit
Error.stackTraceLimit = 1

const isMain = !values.part
const { states } = values
const wanted =
  states === undefined
    ? []
    : [...rareStates.keys()].filter((name) => states === 'all' || name.includes(states))
if (states !== undefined && wanted.length === 0) throw new Error(`no rare state is named so: ${states}`)
const started = performance.now()
const sums = await (workers > 1
  ? sumOfWorkers(workers, BigInt(values.seed), argumentsOf, say)
  : storyAfterStory())
const seconds = (performance.now() - started) / 1000
if (isMain) report()
else say(JSON.stringify(sums))
process.exitCode = sums.violations > 0 || (isMain && unreached(sums.reached, wanted).length > 0) ? 1 : 0

/** In CPU time, because other load on the machine says nothing about the simulation. */
function report(): void {
  const { reached, cpuSeconds, ...counts } = sums
  const inAMinute = (count: number): number => Math.round((count / cpuSeconds) * 60)
  const [daysAMinute, operationsAnHour] = [inAMinute(counts.days), inAMinute(counts.operations) * 120]
  for (const name of wanted) {
    const { times = 0, stories = 0 } = reached[name] ?? {}
    say(`${String(times).padStart(7)} times in ${String(stories).padStart(5)} stories: ${name}`)
  }
  for (const name of unreached(reached, wanted)) say(`not reached: ${name}`)
  const rare = `${Object.keys(reached).length} of ${rareStates.size}`
  const [wall, cpu] = [seconds, cpuSeconds].map((each) => Math.round(each * 10) / 10)
  say(JSON.stringify({ ...counts, rareStates: rare, seconds: wall, cpuSeconds: cpu, workers }))
  say(
    `${daysAMinute} days a minute on one core, ${operationsAnHour} operations an hour on two, by processor time`,
  )
}

function argumentsOf(seed: bigint): string[] {
  const { days, minutes, whole, first, store } = values
  const given = { seed: String(seed), stride: String(workers), days, minutes, store, workers: '1' }
  const named = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value])
  return [
    import.meta.filename,
    '--part',
    ...named,
    ...(whole ? ['--whole'] : []),
    ...(first ? ['--first'] : []),
  ]
}

async function storyAfterStory(): Promise<Sums> {
  if (values.store === 'sqlite') return stories()
  const { useServer } = await import('./postgres.ts')
  const stop = await useServer()
  return stories().finally(stop)
}

async function stories(): Promise<Sums> {
  const all = nothingTold()
  const end = performance.now() + Number(values.minutes) * 60_000
  for (let seed = BigInt(values.seed); ; seed += BigInt(values.stride)) {
    const story = storyOf(String(seed), Number(values.days))
    const { hash, sums, found } = await tell(story)
    addTo(all, sums)
    if (found.length > 0 || !isLong) say(`seed ${seed} ${hash}`)
    for (const fault of found.slice(0, 10)) say(`  ${fault.slice(0, 600)}`)
    if (found.length > 0 && !values.whole) await showShortest(story, kindOf(found[0]!))
    const isOver = all.seeds >= Number(values.stories) && performance.now() >= end
    if (isOver || (values.first && found.length > 0)) return { ...all, cpuSeconds: cpuSeconds() }
  }
}

type Told = {
  hash: string
  sums: Sums
  found: string[]
  done: Done[]
  errands: ErrandCourse[]
  commands: CommandCourse[]
}

async function tell(story: Story): Promise<Told> {
  const sums = { ...nothingTold(), seeds: 1, days: story.days }
  try {
    const { hash, counts, histories, recorded, faults } = await run(story)
    const judged = histories.map(judge)
    const found = [...faults, ...judged.flatMap(({ model }) => model.faults)]
    const reached = reachedIn(seenIn(recorded, judged))
    const done = histories.flatMap((one) => one.done)
    const errands = histories.flatMap((one) => one.errands)
    const commands = histories.flatMap((one) => one.commands)
    return {
      hash,
      sums: { ...sums, ...counts, reached, violations: found.length },
      found,
      done,
      errands,
      commands,
    }
  } catch (error) {
    const found = [error instanceof Error ? `${error.stack}` : String(error)]
    const nothing = { done: [], errands: [], commands: [] }
    return { hash: 'not told to its end', sums: { ...sums, violations: 1 }, found, ...nothing }
  }
}

/** The shortest story with this failure, as an operator's commands and the events next to them. */
async function showShortest(story: Story, kind: string): Promise<void> {
  const isBad = async (tried: Story): Promise<boolean> =>
    (await tell(tried)).found.some((fault) => kindOf(fault) === kind)
  const shortest = await shrink(story, isBad)
  Error.stackTraceLimit = frames
  const { done, found, errands, commands } = await tell(shortest)
  Error.stackTraceLimit = 1
  say(`the shortest story: ${JSON.stringify(shortest.rates)}`)
  for (const fault of found.slice(0, 3)) say(`  ${fault.slice(0, 600)}`)
  for (const one of done.filter(({ isOfTool }) => !isOfTool).sort((a, b) => a.deed.no - b.deed.no))
    say(`  ${commandOf(one)}`)
  for (const one of errands) for (const line of commandsOf(one)) say(`  ${line}`)
  for (const { command, runs } of commands) for (const line of runsOf(command.partner, runs)) say(`  ${line}`)
  if (shortest.upgradeBefore !== undefined)
    say(`  before session ${shortest.upgradeBefore} the database is as an older version left it`)
  for (const { kind: what, at, which, ms } of shortest.sessions.flatMap(({ upsets }) => upsets))
    say(`  ${what} of ${which} after ${at} ms, for ${ms} ms`)
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function valuesOf(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        seed: { type: 'string', default: '1' },
        /** The next story's seed. */
        stride: { type: 'string', default: '1' },
        days: { type: 'string', default: '5' },
        /** Does not shorten a failing story. */
        whole: { type: 'boolean', default: false },
        /** This many stories, or for this long. */
        stories: { type: 'string', default: '1' },
        minutes: { type: 'string', default: '0' },
        /** `sqlite` or `postgres`. */
        store: { type: 'string', default: 'sqlite' },
        /** Stops after the first failing story. */
        first: { type: 'boolean', default: false },
        workers: { type: 'string' },
        /** The rare states whose names have these words, or `all`: prints a table of them, and fails if one was not reached. */
        states: { type: 'string' },
        /** One worker of several. */
        part: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    process.stderr.write(`simulate: ${(error as Error).message}\n`)
    process.exit(2)
  }
}
