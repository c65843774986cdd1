import { createHash, hash as hashOf } from 'node:crypto'
import { NetworkError } from '../../src/client/network-error.ts'
import { ServiceError } from '../../src/client/service-error.ts'
import { environments } from '../../src/contract/enums.ts'
import { operation } from '../../src/contract/operations.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import { sleep } from '../../src/runtime/waiting.ts'
import type { Database } from '../../src/store/database.ts'
import { checkDatabase } from '../../src/store/maintenance/check.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { isGood } from './blocks.ts'
import { type Final, finalOf, type Logged, logOf } from './final.ts'
import { type Known, learn, nothingKnown } from './known.ts'
import { takeOver } from './machine.ts'
import { type Act, type Answered, type Asking, namesSomething, perform } from './making.ts'
import { clientOf, type Network } from './network.ts'
import { createReceivers, type Receivers } from './receivers.ts'
import { createScheduler, type Process, type Scheduler } from './scheduler.ts'
import { calm, type Deed, type FaultRates, partners, type Story, services, warmUp } from './story.ts'
import { as, within } from './tasks.ts'
import { copyOfTemplate } from './template.ts'
import { happen, started } from './upsets.ts'
import { inWarehouse } from './warehouse.ts'
import { actOf } from './workload.ts'

/**
 * One try of a deed, as its operator saw it; `begun` and `ended` count the steps of the run, `asked` and `answered` are times by a
 * clock that is right.
 */
export type Issue = {
  begun: number
  ended: number
  asked: number
  answered: number
  status: number | undefined
  text: string
}
/**
 * What was asked for, and what was answered each time. Its events bear its trace. `isStrange`: it names what is another partner's.
 */
export type Done = { deed: Deed; act: Act; isStrange: boolean; trace: string; issues: Issue[] }
/**
 * All that one partner and its receivers saw, and what is there in the end. `aheadMs`: how far a clock was set ahead for good at
 * most, which is then the time of that machine.
 */
export type History = {
  done: Done[]
  log: Logged[]
  final: Final
  receipts: Receivers['receipts']
  aheadMs: number
}

export type Outcome = {
  hash: string
  histories: History[]
  /** What `db check` found, and what went wrong that nothing of the story explains. */
  faults: string[]
  counts: {
    operations: number
    requests: number
    upsets: number
    steps: number
    events: number
    receipts: number
  }
}

/** Where a story is told. */
export type World = Network & {
  story: Story
  scheduler: Scheduler
  file: string
  rates: FaultRates
  receivers: Receivers
  known: Known[]
  done: Done[][]
  faults: string[]
  note(line: string): void
  /** By how much clocks were set for good. */
  setBy: Map<Process, number>
  aheadMs: number
  /** The services that are being stopped or started. */
  changing: Set<number>
  /** What is asked for once more, by the session in which it will be. */
  later: Map<number, Array<() => Promise<void>>>
}

/** How many deeds name what is another partner's. */
const strangers = 0.03

let warmedUp: Promise<unknown> | undefined

/**
 * Carries a story out. The same story gives the same hash, which is of every answer, webhook and final state, whichever were told
 * before it: what a process loads when it is first asked for was loaded by a story of every operation.
 */
export async function run(story: Story): Promise<Outcome> {
  warmedUp ??= environments.reduce(
    (before, environment) => before.then(() => tell(warmUp(environment))),
    Promise.resolve<unknown>(undefined),
  )
  await warmedUp
  return tell(story)
}

async function tell(story: Story): Promise<Outcome> {
  const scheduler = createScheduler(story.seed)
  const { file, keys } = await copyOfTemplate(story.environment)
  takeOver(scheduler)
  const hash = createHash('sha256')
  const note = (line: string): void => void hash.update(`${scheduler.now()} ${line}\n`)
  const rates = { ...story.rates }
  const world: World = {
    story,
    scheduler,
    file,
    keys,
    rates,
    services: [],
    receivers: createReceivers(scheduler, rates, note),
    known: Array.from({ length: partners }, nothingKnown),
    done: Array.from({ length: partners }, () => []),
    faults: [],
    note,
    setBy: new Map(),
    aheadMs: 0,
    changing: new Set(),
    later: new Map(),
    requests: 0,
  }
  await within(scheduler, async () => {
    for (let n = 0; n < services; n++) world.services.push(await started(world, `service ${n}`))
  })
  for (const [at, session] of story.sessions.entries()) {
    await within(scheduler, () => play(world, session, at))
    scheduler.skip(session.sleepMs)
  }
  const histories = await within(scheduler, () => end(world))
  for (const { log, final } of histories) note(JSON.stringify([log, final]))
  const events = histories.reduce((sum, { log }) => sum + log.length, 0)
  return {
    hash: hash.digest('hex'),
    histories,
    faults: world.faults,
    counts: {
      operations: world.done.flat().length,
      requests: world.requests,
      upsets: story.sessions.reduce((sum, { upsets }) => sum + upsets.length, 0),
      steps: scheduler.steps,
      events,
      receipts: world.receivers.receipts.length,
    },
  }
}

async function play(
  world: World,
  { deeds, upsets }: Story['sessions'][number],
  session: number,
): Promise<void> {
  await Promise.all([
    ...deeds.map((deed) => carryOut(world, deed, session)),
    ...(world.later.get(session) ?? []).map((again) => again()),
    ...upsets.map((upset) => happen(world, upset)),
  ])
}

async function carryOut(world: World, deed: Deed, session: number): Promise<void> {
  const { scheduler, known: all, done, later, story } = world
  const known = all[deed.partner]!
  const process = scheduler.start(`tool ${deed.no}`)
  await as(scheduler, process, deed.at, async () => {
    const today = new Date(runtime.clock()).toISOString().slice(0, 10)
    const { random } = scheduler.start(`deed ${deed.no}`)
    const making = { known, random, no: deed.no, today }
    const strange =
      random.is(strangers) && actOf(deed.kind, { ...making, known: all[(deed.partner + 1) % partners]! })
    const isStrange = strange && namesSomething(strange)
    const act = isStrange ? strange : actOf(deed.kind, making)
    if (!act) return
    const trace = `00-${String(deed.no).padStart(32, '0')}-00f067aa0ba902b7-01`
    const one: Done = { deed, act, isStrange: isStrange === true, trace, issues: [] }
    done[deed.partner]!.push(one)
    // A command of the warehouse has no key: typed twice it is two deeds.
    if (act.id === 'warehouse')
      return issue(world, one, () =>
        inWarehouse(
          { ...world, ...deed, environment: story.environment },
          `warehouse ${deed.no}`,
          act,
          trace,
        ),
      )
    if (deed.again && operation(act.id).method === 'POST')
      later.set(session + deed.again, [
        ...(later.get(session + deed.again) ?? []),
        () => repeat(world, one, act),
      ])
    const ask = byClient(world, process, one, act)
    const waits = Array.from({ length: deed.issues }, () => process.random.int(1_500))
    waits[0] = 0
    await Promise.all(waits.map((ms) => sleep(ms).then(() => issue(world, one, ask))))
  })
}

/** By the same tool, in a process of another day. */
async function repeat(world: World, one: Done, act: Asking): Promise<void> {
  const { deed } = one
  const process = world.scheduler.start(`tool ${deed.no} again`)
  await as(world.scheduler, process, deed.at, () => issue(world, one, byClient(world, process, one, act)))
}

/** By the partner's tool: always under the same key. */
function byClient(
  world: World,
  process: Process,
  { deed, trace }: Done,
  act: Asking,
): () => Promise<Answered> {
  const client = clientOf(world, deed.partner, process, world.rates)
  return () => perform(client, act, `${world.story.seed}-${deed.no}`, trace)
}

async function issue(world: World, one: Done, ask: () => Promise<Answered>): Promise<void> {
  const { scheduler, known, note } = world
  const { deed, act } = one
  const never = { ended: Number.POSITIVE_INFINITY, answered: Number.POSITIVE_INFINITY }
  const asked = runtime.clock()
  const seen: Issue = { begun: scheduler.steps, asked, ...never, status: undefined, text: '' }
  one.issues.push(seen)
  try {
    const { status, text, data } = await ask()
    Object.assign(seen, { status, text })
    if (isGood(status) || status === 409) learn(known[deed.partner]!, act, data)
  } catch (error) {
    // The database was away for longer than anybody would wait: nobody knows, and the rest of the history tells.
    if (error instanceof ServiceError && error.status < 500)
      Object.assign(seen, { status: error.status, text: error.message })
    else if (!(error instanceof NetworkError || error instanceof ServiceError)) throw error
    else if (error instanceof ServiceError && error.status === 500)
      world.faults.push(`${act.id} answered 500`)
  }
  if (seen.status !== undefined) Object.assign(seen, { ended: scheduler.steps, answered: runtime.clock() })
  note(`${deed.no} ${act.id} ${seen.status} ${hashOf('sha256', seen.text)}`)
}

/** The weather clears, everything that waits is done, and all is looked at. */
async function end(world: World): Promise<History[]> {
  const { rates, scheduler, receivers, services: all } = world
  Object.assign(rates, calm)
  receivers.heal()
  for (let n = 0; n < 14; n++) {
    await sleep(6_000)
    scheduler.skip(2 * 3_600_000)
  }
  await sleep(6_000)
  const process = scheduler.start('auditor')
  const histories: History[] = []
  for (let partner = 0; partner < partners; partner++) {
    const final = await as(scheduler, process, 0, () =>
      finalOf(clientOf(world, partner, process, calm), world.story.environment),
    )
    const { done, aheadMs } = world
    histories.push({ done: done[partner]!, log: [], final, receipts: receivers.receipts, aheadMs })
  }
  for (const service of all) await service.stop()
  await as(scheduler, scheduler.start('check'), 0, async () => {
    const db: Database = openSqlite(world.file)
    for (const [partner, history] of histories.entries()) history.log = await logOf(db, partner)
    for (const { partner, table, key, problem } of await checkDatabase(db))
      world.faults.push(`db check: ${partner} ${table} ${key} ${problem}`)
    await db.close()
  })
  return histories
}
