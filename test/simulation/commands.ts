import { hash } from 'node:crypto'
import { runtime, sleep } from '../../src/runtime/runtime.ts'
import { type CommandKind, lineOf } from './command-lines.ts'
import { strangers } from './deeds.ts'
import { type Desk, desks, putFile } from './desks.ts'
import { disturbance } from './errands.ts'
import type { Known } from './known.ts'
import { type Asking, namesSomething } from './making.ts'
import type { Random } from './random.ts'
import type { World } from './run.ts'
import { type Command, partners } from './story.ts'
import { type Disturbance, type Ended, runTool } from './tool.ts'
import { actOf } from './workload.ts'

/** A run of a command, and how it ended. */
export type Run = Ended & { args: readonly string[]; how: Disturbance; desk: Desk }
/**
 * A command of one request as its operator knows it: its request, its words, and whether it names another partner's resource,
 * or one by its reference. `key`: the operator's own from the beginning, or the one that a run named.
 */
export type CommandCourse = {
  command: Command
  random: Random
  act: Asking & { id: CommandKind }
  words: readonly string[]
  isStrange: boolean
  isByName: boolean
  key: string | undefined
  /** How long it retries, if not two minutes. */
  wait: string | undefined
  runs: Run[]
}

/** It is typed at its time; its end decides whether and when it is typed again. */
export async function typeIn(world: World, command: Command, session: number): Promise<void> {
  const { no, at, partner, kind } = command
  const { known: all, scheduler, commands } = world
  const { random } = scheduler.start(`command-${no}`)
  await sleep(at)
  const isStrange = random.is(strangers)
  const known = latestOf(all[isStrange ? (partner + 1) % partners : partner]!)
  const today = new Date(runtime.clock()).toISOString().slice(0, 10)
  const act = actOf(kind, { known, random, no, today }) as CommandCourse['act'] | undefined
  if (!act || (isStrange && !namesSomething(act))) return
  const { words: wordsOf, input, isKeyless } = lineOf(kind)
  const typed = wordsOf(act.request as never, no)
  const byName = random.is(0.3) ? typed.map((word) => known.names.get(word) ?? word) : typed
  const file = `command-${no}.json`
  if (input)
    for (const desk of desks) putFile({ partner, desk }, file, JSON.stringify(input(act.request as never)))
  const one: CommandCourse = {
    command,
    random,
    act,
    words: [
      ...byName,
      ...(input ? [file] : []),
      ...(kind === 'deleteSubscription' ? [] : ['--output', 'json']),
    ],
    isStrange,
    isByName: `${byName}` !== `${typed}`,
    key: isWriting(kind) && !isKeyless && random.is(0.3) ? `typed-${no}` : undefined,
    wait: random.is(0.3) ? random.pick(['0s', '2s']) : undefined,
    runs: [],
  }
  commands.push(one)
  await goOn(world, one, session)
}

/** The latest resource allows the most further steps. */
function latestOf(known: Known): Known {
  const { manifests, fulfillments, transfers, deliveries, events, stored, free } = known
  return {
    ...known,
    manifests: manifests.slice(-3),
    fulfillments: fulfillments.slice(-2),
    transfers: transfers.slice(-2),
    deliveries: deliveries.slice(-1),
    events: events.slice(-5),
    stored: stored.length > 0 ? stored : free.slice(-8),
  }
}

export const isWriting = (kind: string): boolean => !/^(get|list)/.test(kind)

/** As long as nobody knows how it ended, and sometimes although it is known. */
async function goOn(world: World, one: CommandCourse, session: number): Promise<void> {
  const { random } = one
  await runOnce(world, one)
  for (let left = 2; left > 0 && !isOver(one) && random.is(0.6); left -= 1) {
    await sleep(random.int(2_000))
    await runOnce(world, one)
  }
  if (isOver(one) && !random.is(0.15)) return
  const next = session + 1 + random.int(random.is(0.5) ? 4 : 40)
  const others = world.later.get(next) ?? []
  world.later.set(next, [...others, () => goOn(world, one, next)])
}

/** Without faults or interference. */
export async function endCommand(world: World, one: CommandCourse): Promise<void> {
  if (!isOver(one)) await runOnce(world, one, true)
}

/** Whether the last run reported its result: done, rejected, or done and not delivered. */
export const isOver = ({ runs }: CommandCourse): boolean => /^[024569]$/.test(`${runs.at(-1)?.code}`)

/** Or twice at once, on one machine or the other. */
async function runOnce(world: World, one: CommandCourse, isLast = false): Promise<void> {
  const { random, runs, command, words, key, wait, isStrange } = one
  const { no, partner } = command
  const hows: Disturbance[] = isLast ? [{}] : [disturbance(random)]
  if (!isLast && random.is(0.1)) hows.push(disturbance(random))
  const desk: Desk = random.is(0.15) ? 'other' : 'own'
  const args = [
    ...words,
    ...(key === undefined ? [] : ['--idempotency-key', key]),
    ...(wait === undefined || isLast ? [] : ['--max-wait', wait]),
  ]
  await Promise.all(
    hows.map(async (how, n) => {
      const name = `command-${no} run ${runs.length} ${n}`
      const ended = await runTool(world, name, { partner, desk, isStrange }, args, how)
      const { code, out, err } = ended
      runs.push({ ...ended, args, how, desk })
      world.note(`${name} ${code} ${hash('sha256', `${out} ${err}`)}`)
      one.key ??= /--idempotency-key ([\w-]+)/.exec(err)?.[1]
    }),
  )
}
