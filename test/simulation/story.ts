import type { Environment } from '../../src/contract/enums.ts'
import { type CommandKind, commandKinds } from './command-lines.ts'
import { habitsOf } from './habits.ts'
import { randomOf } from './random.ts'
import { type Kind, kindsIn } from './workload.ts'

/** The rates of faults, each from 0 to 1. */
export type FaultRates = {
  /** Share of requests that never arrive. */
  lostRequests: number
  /** Share of answers that are lost after the work was done. */
  lostAnswers: number
  /** Share of writes for which the database does not say whether it committed; it did in half of them. */
  lostCommits: number
  /** Share of statements at which others get a turn in the middle of a transaction, and the process may die. */
  pausedStatements: number
  /** Share of statements at which the disk fails. */
  diskErrors: number
  /** Share of webhook deliveries that are rejected, never answered, or accepted with a lost answer. */
  lostWebhooks: number
  /** Share of a command's file changes at which it dies, perhaps with its machine. */
  deskDeaths: number
  /** Share of a command's calls for space at which its disk is full for a moment. */
  fullDesks: number
  /** Share of ended commands after which the power fails. */
  powerCuts: number
}

/**
 * One action of an operator's tool, sent `issues` times with the same Idempotency-Key, partly at once. `again`: repeated this
 * many sessions later, by an operator who does not remember the result.
 */
export type Deed = {
  no: number
  at: number
  partner: number
  kind: Kind
  issues: number
  again: number | undefined
}
/** What an operator does with commands of the tool, again and again until one reports completion. */
export type Errand = { no: number; at: number; partner: number; kind: ErrandKind }
/** A command of one request, which its operator types again until one reports the result. */
export type Command = { no: number; at: number; partner: number; kind: CommandKind }
const errandKinds = [
  'products',
  'orders',
  'orders',
  'order',
  'manifest',
  'tail',
  'follow',
  'copy',
  'box',
] as const
export type ErrandKind = (typeof errandKinds)[number]
/** Faults of the machines. `which`: the process, or the receiver, by number. */
export type Upset = { no: number; at: number; kind: UpsetKind; which: number; ms: number }
export type UpsetKind = (typeof upsetKinds)[number]

/** Everything that a run needs: the same story is the same run, byte for byte. `at`: milliseconds in a session. */
export type Story = {
  seed: string
  environment: Environment
  days: number
  rates: FaultRates
  /** Before this session the services are new, and an older version has left their database. */
  upgradeBefore: number | undefined
  /** Between two sessions all machines sleep for `sleepMs`. */
  sessions: Array<{ sleepMs: number; deeds: Deed[]; errands: Errand[]; commands: Command[]; upsets: Upset[] }>
}

/**
 * A clock is wrong by minutes, permanently, or by weeks, until somebody notices, perhaps from the restart of a machine on. All
 * machines sleep for minutes in the middle of their work. A bad disk, shared by all services, is slow and fails one statement
 * of 25. A bad line loses a third of all messages.
 */
const upsetKinds = [
  'crash',
  'crash with clock',
  'restart',
  'clock',
  'clock',
  'wrong clock',
  'sleep',
  'disk full',
  'bad disk',
  'bad disk',
  'bad line',
  'bad line',
  'receiver',
  'receiver',
] as const

export const partners = 3
export const services = 3
export const receivers = 2

export const sessionsOfDay = 4
/** Ten days: longer than results are kept if enough writes follow. */
const againWithin = 40
/** Half of them come back on this day or the next. */
const againSoon = 6
const sessionMs = 5_000
const errandsOfSession = 0.3
const commandsOfSession = 0.6
const firstCommand = 500_000
const dayMs = 86_400_000

const rough: FaultRates = {
  lostRequests: 0.01,
  lostAnswers: 0.02,
  lostCommits: 0.01,
  pausedStatements: 0.2,
  diskErrors: 0.002,
  lostWebhooks: 0.1,
  deskDeaths: 0.005,
  fullDesks: 0.01,
  powerCuts: 0.2,
}

/** The story of a seed: this many days of work by several partners, with faults. */
export function storyOf(seed: string, days: number, deedsOfDay = 200): Story {
  const random = randomOf(`${seed} story`)
  const sessions: Story['sessions'] = []
  let no = 0
  // In a third of the stories the goods are real, and the warehouse's staff handle them.
  const environment = random.is(0.33) ? 'production' : 'sandbox'
  // A third of the stories have no faults: undisturbed work must also be right, and each rejection has one possible reason less.
  const usual = random.is(0.33) ? { ...calm, pausedStatements: 0.2 } : rough
  const habits = habitsOf(seed, environment, usual)
  for (let n = 0; n < days * sessionsOfDay; n++) {
    const deeds = Array.from({ length: deedsOfDay / sessionsOfDay }, () => ({
      no: ++no,
      at: random.int(sessionMs),
      partner: random.int(partners),
      kind: random.pick(habits.kinds),
      issues: random.is(0.1) ? 2 + random.int(2) : 1,
      again: random.is(0.1) ? 1 + random.int(random.is(0.5) ? againSoon : againWithin) : undefined,
    }))
    const upsets = Array.from({ length: Math.round(random.int(7) * habits.upsets) }, () => ({
      no: ++no,
      at: random.int(sessionMs),
      kind: random.pick(upsetKinds),
      which: random.int(6),
      ms: random.int(3_000),
    }))
    const errands = Array.from({ length: random.is(errandsOfSession * habits.errands) ? 1 : 0 }, () => ({
      no: ++no,
      at: random.int(sessionMs / 2),
      partner: random.int(partners),
      kind: random.pick(errandKinds),
    }))
    const sleepMs = Math.floor((dayMs / sessionsOfDay) * (0.5 + random.next()))
    sessions.push({
      sleepMs,
      deeds,
      errands,
      upsets,
      commands: commandsOf(seed, n, environment, commandsOfSession * habits.commands),
    })
  }
  return {
    seed,
    environment,
    days,
    rates: habits.rates,
    upgradeBefore: upgradeOf(seed, sessions.length),
    sessions,
  }
}

/** In every third story. */
function upgradeOf(seed: string, sessions: number): number | undefined {
  const random = randomOf(`${seed} upgrade`)
  return sessions > 1 && random.is(0.33) ? 1 + random.int(sessions - 1) : undefined
}

/** From its own random numbers, so that the rest of a story is the same without it. */
function commandsOf(seed: string, session: number, environment: Environment, rate: number): Command[] {
  const random = randomOf(`${seed} commands ${session}`)
  // Creating and waking subscriptions is rarer, because each webhook costs as much as a request.
  const kinds = commandKindsIn(environment)
  kinds.push(...kinds.filter((kind) => !/Subscription|redeliver/.test(kind)))
  return Array.from({ length: random.is(rate) ? 1 : 0 }, () => ({
    no: firstCommand + session,
    at: random.int(sessionMs),
    partner: random.int(partners),
    kind: random.pick(kinds),
  }))
}

function commandKindsIn(environment: Environment): CommandKind[] {
  const there: readonly string[] = kindsIn(environment)
  return commandKinds.filter((kind) => there.includes(kind))
}

export const calm: FaultRates = {
  lostRequests: 0,
  lostAnswers: 0,
  lostCommits: 0,
  pausedStatements: 0,
  diskErrors: 0,
  lostWebhooks: 0,
  deskDeaths: 0,
  fullDesks: 0,
  powerCuts: 0,
}

/** Every operation several times, so that each finds what others created. */
export const warmUp = (environment: Environment): Story => ({
  seed: 'warm-up',
  environment,
  days: 0,
  rates: calm,
  upgradeBefore: undefined,
  sessions: [
    {
      sleepMs: 0,
      upsets: [],
      errands: errandKinds.map((kind, at) => ({ no: 900 + at, at: 4_000 + at * 500, partner: 0, kind })),
      commands: commandKindsIn(environment).map((kind, at) => ({
        no: firstCommand + at,
        at: 8_000 + at * 50,
        partner: 0,
        kind,
      })),
      deeds: Array.from({ length: 4 }, () => kindsIn(environment))
        .flat()
        .map((kind, at) => ({ no: at + 1, at: at * 50, partner: 0, kind, issues: 1, again: undefined })),
    },
  ],
})
