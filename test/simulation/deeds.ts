import { hash } from 'node:crypto'
import { ServiceError } from '../../src/client/client.ts'
import { NetworkError } from '../../src/client/network-error.ts'
import { operation } from '../../src/contract/operations.ts'
import { runtime, sleep } from '../../src/runtime/runtime.ts'
import { isGood } from './blocks.ts'
import { learn } from './known.ts'
import { trueTime } from './machine.ts'
import { type Act, type Answered, type Asking, namesSomething, perform } from './making.ts'
import { clientOf } from './network.ts'
import type { Done, Issue, World } from './run.ts'
import type { Process } from './scheduler.ts'
import { type Deed, type Errand, partners } from './story.ts'
import { as } from './tasks.ts'
import { inWarehouse } from './warehouse.ts'
import { actOf } from './workload.ts'

/** The share of deeds and commands that name another partner's resources. */
export const strangers = 0.03

/** A request of an operator's tool at its time, in its own process. */
export async function carryOut(world: World, deed: Deed, session: number): Promise<void> {
  const { scheduler, known: all, done, later, story } = world
  const known = all[deed.partner]!
  const process = scheduler.start(`tool ${deed.no}`)
  await as(scheduler, process, deed.at, async () => {
    const today = new Date(runtime.clock()).toISOString().slice(0, 10)
    const { random } = scheduler.start(`deed ${deed.no}`)
    const making = { known, random, no: deed.no, today }
    const others = all[(deed.partner + 1) % partners]!
    // Their list of certificates stays theirs: making an act adds to it.
    const theirs = { ...others, certs: [...others.certs] }
    const strange = random.is(strangers) && actOf(deed.kind, { ...making, known: theirs })
    const isStrange = strange && namesSomething(strange)
    const act = isStrange ? strange : actOf(deed.kind, making)
    if (!act) return
    const trace = tracedBy(deed.no)
    const one: Done = { deed, act, isStrange: isStrange === true, isOfTool: false, trace, issues: [] }
    done[deed.partner]!.push(one)
    // A command of the warehouse has no key: typed twice it is two deeds.
    if (act.id === 'warehouse')
      return void (await issue(world, one, () =>
        inWarehouse(
          { ...world, ...deed, environment: story.environment },
          `warehouse ${deed.no}`,
          act,
          trace,
        ),
      ))
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

/** Deeds that bring the goods of an errand. */
const firstSupply = 2_000_000

/** Goods are brought and stored, as far as the answers are heard. */
export async function supply(
  world: World,
  { no, partner }: Errand,
  skus: readonly string[],
  isLate = false,
): Promise<void> {
  const { random } = world.scheduler.start(`supply ${no} ${isLate}`)
  if (skus.length === 0 || !random.is(0.7)) return
  const arrivals = Array.from({ length: 12 + random.int(24) }, () => ({
    type: 'product' as const,
    sku: random.pick(skus),
    condition_flags: [],
  }))
  let deeds = firstSupply + no * 100 + (isLate ? 50 : 0)
  const deed = (kind: Deed['kind'], act: Act): Promise<Answered['data']> =>
    onItsOwn(world, { no: deeds++, at: 0, partner, kind, issues: 1, again: undefined }, act)
  const qidsOf = (data: unknown): string[] => {
    const { intakes = [] } = (data ?? {}) as { intakes?: Array<{ qid: string }> }
    return intakes.map(({ qid }) => qid)
  }
  if (world.story.environment === 'production') {
    const request = { step: 'intake' as const, manifestId: null, arrivals }
    const names = qidsOf(await deed('receiveArrivals', { id: 'warehouse', request }))
    for (const step of ['digitize', 'store'] as const)
      if (names.length > 0) await deed('stepItems', { id: 'warehouse', request: { step, names } })
    return
  }
  const request = { body: { items: arrivals } }
  for (const qid of qidsOf(await deed('createIntakes', { id: 'createIntakes', request }))) {
    const body = { to_status: 'available' as const }
    await deed('advanceItem', { id: 'advanceItem', request: { params: { qid }, body } })
  }
}

function onItsOwn(world: World, deed: Deed, act: Act): Promise<Answered['data']> {
  const { scheduler, done, story } = world
  const trace = tracedBy(deed.no)
  const one: Done = { deed, act, isStrange: false, isOfTool: false, trace, issues: [] }
  done[deed.partner]!.push(one)
  const process = scheduler.start(`supplier ${deed.no}`)
  return as(scheduler, process, 0, () =>
    issue(
      world,
      one,
      act.id === 'warehouse'
        ? () =>
            inWarehouse(
              { ...world, ...deed, environment: story.environment },
              `warehouse ${deed.no}`,
              act,
              trace,
            )
        : byClient(world, process, one, act),
    ),
  )
}

/** By the same tool, in a process on another day. */
async function repeat(world: World, one: Done, act: Asking): Promise<void> {
  const { deed } = one
  const process = world.scheduler.start(`tool ${deed.no} again`)
  await as(world.scheduler, process, deed.at, async () => {
    await issue(world, one, byClient(world, process, one, act))
  })
}

/** By the partner's tool, always under the same key. */
function byClient(
  world: World,
  process: Process,
  { deed, trace }: Done,
  act: Asking,
): () => Promise<Answered> {
  const client = clientOf(world, deed.partner, process, world.rates)
  return () => perform(client, act, `${world.story.seed}-${deed.no}`, trace)
}

export const tracedBy = (no: number): string => `00-${String(no).padStart(32, '0')}-00f067aa0ba902b7-01`

/** An attempt without a known result yet. */
export function tryOf({ scheduler }: World, { issues }: Done): Issue {
  const never = { ended: Number.POSITIVE_INFINITY, answered: Number.POSITIVE_INFINITY }
  const seen = { begun: scheduler.steps, asked: trueTime(), ...never, status: undefined, text: '' }
  issues.push(seen)
  return seen
}

/** Returns what was heard. */
async function issue(world: World, one: Done, ask: () => Promise<Answered>): Promise<unknown> {
  const { scheduler, known, note } = world
  const { deed, act } = one
  const seen = tryOf(world, one)
  let heard: unknown
  try {
    const { status, text, data } = await ask()
    heard = data
    Object.assign(seen, { status, text })
    if (isGood(status) || status === 409) learn(known[deed.partner]!, act, data)
  } catch (error) {
    // The database was unavailable for longer than anybody would wait: nobody knows, and the rest of the history tells.
    if (error instanceof ServiceError && error.status < 500)
      Object.assign(seen, { status: error.status, text: error.message })
    else if (!(error instanceof NetworkError || error instanceof ServiceError)) throw error
    else if (error instanceof NetworkError && error.fault === 'foreign')
      world.faults.push(`${act.id} answered what cannot be read: ${error.message}`)
    else if (error instanceof ServiceError && error.status === 500)
      world.faults.push(`${act.id} answered 500`)
  }
  if (seen.status !== undefined) Object.assign(seen, { ended: scheduler.steps, answered: trueTime() })
  note(`${deed.no} ${act.id} ${seen.status} ${hash('sha256', seen.text)}`)
  return heard
}
