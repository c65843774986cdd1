import { createHash } from 'node:crypto'
import type { Environment } from '../../src/contract/enums.ts'
import { sleep } from '../../src/runtime/runtime.ts'
import { checkDatabase } from '../../src/store/maintenance/check.ts'
import { strayed } from './box-oracle.ts'
import { type CommandCourse, endCommand, typeIn } from './commands.ts'
import { carryOut } from './deeds.ts'
import { clearDesks } from './desks.ts'
import { begin, type ErrandCourse, finish } from './errands.ts'
import { shakeCommands } from './faulty-database.ts'
import { type Final, finalOf, type Logged, logOf } from './final.ts'
import { type Known, nothingKnown } from './known.ts'
import { takeOver } from './machine.ts'
import type { Act } from './making.ts'
import { clientOf, type Network, type Sent } from './network.ts'
import { createReceivers, type Delivering, type Receivers } from './receivers.ts'
import { createScheduler, type Incident, type Process } from './scheduler.ts'
import { lookUp, takeStock } from './stocktaking.ts'
import { calm, type Deed, type FaultRates, partners, type Story, services, warmUp } from './story.ts'
import { as, within } from './tasks.ts'
import { copyOfTemplate, openStore } from './template.ts'
import { loadTool } from './tool-modules.ts'
import { happen, started, upgrade } from './upsets.ts'

/**
 * One attempt of a deed, as its operator saw it; `begun` and `ended` count the steps of the run, `asked` and `answered` are
 * times by a correct clock.
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
 * A request, and the answer to each attempt. Its events carry its trace. `isStrange`: it names another partner's resource;
 * `isOfTool`: a command of the tool sent it.
 */
export type Done = {
  deed: Deed
  act: Act
  isStrange: boolean
  isOfTool: boolean
  trace: string
  issues: Issue[]
}
/**
 * Everything that one partner and its receivers saw, and the final state. `aheadMs`: the most that a clock was permanently set
 * ahead, which is then that machine's time.
 */
export type History = {
  done: Done[]
  log: Logged[]
  final: Final
  errands: ErrandCourse[]
  commands: CommandCourse[]
  receipts: Receivers['receipts']
  delivering: Receivers['delivering']
  aheadMs: number
  /** The step at which an older version left the database, without what it did not know. */
  upgradedAt: number | undefined
}

/** Below what the partners saw: each request and webhook attempt, and what happened to processes. */
export type Recorded = {
  sent: readonly Sent[]
  delivering: readonly Delivering[]
  incidents: readonly Incident[]
}

export type Outcome = {
  hash: string
  histories: History[]
  recorded: Recorded
  /** The findings of `db check`, and faults that nothing in the story explains. */
  faults: string[]
  counts: {
    operations: number
    commands: number
    requests: number
    upsets: number
    steps: number
    events: number
    receipts: number
  }
}

/** Where a story runs. */
export type World = Network & {
  story: Story
  /** Its file, or its address. */
  database: string
  rates: FaultRates
  receivers: Receivers
  known: Known[]
  done: Done[][]
  /** Requests of the tool's commands, by partner and key, or by run. */
  byKey: Map<string, Done>
  errands: ErrandCourse[]
  commands: CommandCourse[]
  faults: string[]
  note(line: string): void
  /** By how much clocks were set permanently. */
  setBy: Map<Process, number>
  aheadMs: number
  upgradedAt: number | undefined
  /** Services that are being stopped or started. */
  changing: Set<number>
  /** Repeated requests, by the session in which they happen. */
  later: Map<number, Array<() => Promise<void>>>
}

const warmUps = new Map<Environment, Promise<unknown>>()

/**
 * Runs a story. The same story gives the same hash over every answer, webhook, and final state, whichever ran before it: a
 * story of every operation has loaded everything that a process loads on first use.
 */
export async function run(story: Story): Promise<Outcome> {
  const { environment } = story
  const warmedUp = warmUps.get(environment) ?? tell(warmUp(environment))
  warmUps.set(environment, warmedUp)
  await warmedUp
  return tell(story)
}

async function tell(story: Story): Promise<Outcome> {
  const scheduler = createScheduler(story.seed)
  const { place, keys } = await copyOfTemplate(story.environment)
  takeOver(scheduler)
  clearDesks(partners)
  await loadTool()
  const hash = createHash('sha256')
  const note = (line: string): void => void hash.update(`${scheduler.now()} ${line}\n`)
  const rates = { ...story.rates }
  shakeCommands(scheduler, rates)
  const world: World = {
    story,
    scheduler,
    database: place,
    keys,
    rates,
    services: [],
    receivers: createReceivers(scheduler, rates, note),
    known: Array.from({ length: partners }, nothingKnown),
    done: Array.from({ length: partners }, () => []),
    byKey: new Map(),
    errands: [],
    commands: [],
    faults: [],
    note,
    setBy: new Map(),
    aheadMs: 0,
    upgradedAt: undefined,
    changing: new Set(),
    later: new Map(),
    sent: [],
    hasBadLine: false,
  }
  await within(scheduler, async () => {
    for (let n = 0; n < services; n++) world.services.push(await started(world, `service ${n}`))
  })
  for (const [at, session] of story.sessions.entries()) {
    if (at === story.upgradeBefore) await within(scheduler, () => upgrade(world))
    await within(scheduler, () => play(world, session, at))
    scheduler.skip(session.sleepMs)
  }
  const histories = await within(scheduler, () => end(world))
  for (const { log, final } of histories) note(JSON.stringify([log, final]))
  return {
    hash: hash.digest('hex'),
    histories,
    recorded: {
      sent: world.sent,
      delivering: world.receivers.delivering,
      incidents: scheduler.incidents,
    },
    faults: world.faults,
    counts: countsOf(world, histories),
  }
}

function countsOf(world: World, histories: readonly History[]): Outcome['counts'] {
  const { story, scheduler, done, errands, commands, sent, receivers } = world
  return {
    operations: done.flat().length,
    commands: [...errands.flatMap(({ attempts }) => attempts), ...commands.flatMap(({ runs }) => runs)]
      .length,
    requests: sent.length,
    upsets: story.sessions.flatMap(({ upsets }) => upsets).length,
    steps: scheduler.steps,
    events: histories.flatMap(({ log }) => log).length,
    receipts: receivers.receipts.length,
  }
}

async function play(
  world: World,
  { deeds, upsets, errands, commands }: Story['sessions'][number],
  session: number,
): Promise<void> {
  await Promise.all([
    ...deeds.map((deed) => carryOut(world, deed, session)),
    ...errands.map((errand) => begin(world, errand, session)),
    ...commands.map((command) => typeIn(world, command, session)),
    ...(world.later.get(session) ?? []).map((again) => again()),
    ...upsets.map((upset) => happen(world, upset)),
  ])
}

/** Faults end, everything that waits is done, and everything is checked. */
async function end(world: World): Promise<History[]> {
  const { rates, scheduler, receivers, services: all } = world
  Object.assign(rates, calm)
  receivers.heal()
  for (const one of world.errands) if (one.files.length > 0) await finish(world, one)
  for (const one of world.commands) await endCommand(world, one)
  for (let n = 0; n < 14; n++) {
    await sleep(6_000)
    scheduler.skip(2 * 3_600_000)
  }
  await sleep(6_000)
  for (const one of world.errands) if (one.files.length === 0) await finish(world, one)
  const process = scheduler.start('auditor')
  const histories: History[] = []
  for (let partner = 0; partner < partners; partner++) {
    const final = await as(scheduler, process, 0, () =>
      finalOf(clientOf(world, partner, process, calm), world.story.environment),
    )
    const { done, aheadMs, upgradedAt } = world
    const errands = world.errands.filter((one) => one.errand.partner === partner)
    const commands = world.commands.filter(({ command }) => command.partner === partner)
    const { receipts, delivering } = receivers
    const seen = { final, errands, commands, receipts, delivering, aheadMs, upgradedAt }
    histories.push({ done: done[partner]!, log: [], ...seen })
  }
  const finals = histories.map(({ final }) => final)
  for (const one of world.errands) strayed(one, finals, (what) => void world.faults.push(what))
  for (const [partner, final] of finals.entries()) {
    await takeStock(world, partner, finals)
    await lookUp(world, partner, final)
  }
  for (const service of all) await service.stop()
  await as(scheduler, scheduler.start('check'), 0, async () => {
    const db = await openStore(world.database)
    // A manifest may have closed by itself while the final states of others were read.
    for (const [partner, history] of histories.entries())
      history.log = (await logOf(db, partner)).filter(
        ({ seq, trace }) => trace !== null || seq <= history.final.events.length,
      )
    for (const { partner, table, key, problem } of await checkDatabase(db))
      world.faults.push(`db check: ${partner} ${table} ${key} ${problem}`)
    await db.close()
  })
  return histories
}
