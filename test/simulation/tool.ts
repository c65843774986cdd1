import { isDeepStrictEqual } from 'node:util'
import type { Io } from '../../src/cli/base/io.ts'
import type { Call, CallBody, Reply, Transport } from '../../src/contract/call.ts'
import { operation } from '../../src/contract/operations.ts'
import { runtime, sleep } from '../../src/runtime/runtime.ts'
import { isGood } from './blocks.ts'
import { tracedBy, tryOf } from './deeds.ts'
import { diskOf, folderOf, type Place, textIn } from './desks.ts'
import { learn } from './known.ts'
import { closeConnections, folder, trueTime } from './machine.ts'
import { type Asking, namesSomething } from './making.ts'
import { baseUrls, transportOf } from './network.ts'
import type { Done, Issue, World } from './run.ts'
import type { Process } from './scheduler.ts'
import { as } from './tasks.ts'
import { cutPower, plugIn } from './tool-files.ts'
import { leadTo } from './tool-http.ts'
import { loadTool } from './tool-modules.ts'

/** What ends a command from outside, after this many milliseconds: `kill` like a failing machine, `stop` like Ctrl-C. */
export type Disturbance = { kill?: number; stop?: number; skewMs?: number }

/**
 * How a command ended, and its output until then; without a code if it was killed. `boot`: the start of its machine; `asked`:
 * its requests to the service, with each attempt; `begun` and `ended` count the steps of the run.
 */
export type Ended = {
  code: number | undefined
  out: string
  err: string
  boot: number
  asked: Asked[]
  begun: number
  ended: number
}
type Asked = { one: Done; seen: Issue }

/** `input`: the file that it is given as stdin. */
type Surroundings = { isStrange?: boolean; address?: string; input?: string | undefined }

/** Deeds of a command's requests, which no story numbers. */
const firstNo = 1_000_000

/**
 * A command of a partner's operator, in its own process. `isStrange`: for a command of one request, whose reads are recorded
 * too: whether it names another partner's resource.
 */
export async function runTool(
  world: World,
  name: string,
  { isStrange, address = baseUrls[0], input, ...place }: Place & Surroundings,
  args: readonly string[],
  { kill, stop, skewMs = 0 }: Disturbance = {},
): Promise<Ended> {
  const { scheduler, keys, rates } = world
  const { runCli } = await loadTool()
  const process = Object.assign(scheduler.start(name), { skewMs })
  const stopping = new AbortController()
  let isAsked = false
  const disk = diskOf(place)
  const begun = scheduler.steps
  const ended: Ended = { code: undefined, out: '', err: '', boot: disk.boot, asked: [], begun, ended: begun }
  const listening = new Set<{ end: () => void }>()
  running.set(process, { asked: ended.asked, isStrange, listening })
  leadTo((apiKey) => heard(world, keys.indexOf(apiKey), scheduler.current()))
  const io: Io = {
    ...outlets(process, ended),
    env: { HOME: folderOf(place), CUSTODY_BASE_URL: address, CUSTODY_API_KEY: keys[place.partner] },
    cwd: folderOf(place),
    stdin: { isTerminal: false, chunks: () => piecesOf(input === undefined ? '' : textIn(place, input)) },
    now: runtime.clock,
    stopSignal() {
      isAsked = true
      return stopping.signal
    },
    readsEnd: () => (isAsked ? stopping.signal : undefined),
  }
  const { random } = scheduler.start(`${name} disk`)
  const caller = scheduler.current()
  const dead = Promise.withResolvers<void>()
  const end = (): void => {
    scheduler.kill(process)
    scheduler.after(0, dead.resolve, caller)
  }
  const unplug = plugIn(process, { disk, random, rates, end })
  const done = as(scheduler, process, 0, async () => {
    const code = await runCli(args, io)
    if (process.isAlive) ended.code = code
  })
  const never = new Promise<void>(() => {})
  const after = (ms: number | undefined): Promise<void> => (ms === undefined ? never : sleep(ms))
  // Ctrl-C ends at once a process that has no handler for it.
  const stopped = after(stop).then(() => {
    if (!isAsked) return
    scheduler.after(0, () => stopping.abort(), process)
    return never
  })
  await Promise.race([done, after(kill), stopped, dead.promise])
  scheduler.kill(process)
  unplug()
  if (random.is(rates.powerCuts)) cutPower(disk, random)
  closeConnections(process)
  for (const one of listening) one.end()
  running.delete(process)
  return { ...ended, ended: scheduler.steps }
}

async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  if (text !== '') yield Buffer.from(text)
}

/** A reader reads its output as long as it lives. */
function outlets(process: Process, ended: Ended): Pick<Io, 'out' | 'err'> {
  const outlet = (to: 'out' | 'err'): Io['out'] => ({
    isTerminal: false,
    columns: () => 80,
    write(text) {
      // A story has another folder in each process.
      if (process.isAlive) ended[to] += text.replaceAll(folder, '/simulation')
    },
  })
  return { out: outlet('out'), err: outlet('err') }
}

/** To the services, through the tool's own retries: every write is a deed, and each attempt is recorded. */
function heard(world: World, partner: number, process: Process): Transport {
  const wire = transportOf(world, partner, process, world.rates)
  return async (call) => {
    if (!process.isAlive) return new Promise(() => {})
    if (world.scheduler.current() !== process) throw new Error(`${process.name} waited for what no seed owns`)
    const { asked, isStrange } = running.get(process)!
    const name = toldApartBy(world, call, process, isStrange !== undefined)
    if (name === undefined) return orAborted(wire(call), call, process)
    const body = await call.body()
    const request = requestOf(call, body)
    const one = deedOf(world, partner, name, { id: call.operation, request } as Asking, isStrange)
    const seen = tryOf(world, one)
    asked.push({ one, seen })
    const headers = { ...call.headers, traceparent: one.trace }
    const reply = await orAborted(wire({ ...call, headers, body: async () => body }), call, process)
    // An import asks for the result of a chunk with another body under its key: the service answers what is stored, or that
    // nothing can be done.
    const isOfOther = reply.headers['idempotency-mismatch'] === 'true'
    if (!isOfOther && isDeepStrictEqual(request, one.act.request)) keep(world, one, seen, reply)
    return reply
  }
}

/** A cancelled caller hears nothing more. */
function orAborted<T>(task: Promise<T>, { signal }: Call, process: Process): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal?.reason)
    const { listening } = running.get(process)!
    const listen = { end: () => signal?.removeEventListener('abort', stop) }
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
    listening.add(listen)
    task.then(resolve, reject).finally(() => {
      listen.end()
      listening.delete(listen)
    })
  })
}

/** `listening`: who does so in a process: a combined signal lives as long as anybody listens, even if the process is dead. */
type Running = { asked: Asked[]; isStrange: boolean | undefined; listening: Set<{ end: () => void }> }
const running = new Map<Process, Running>()

/**
 * What makes a request part of one deed: its key, or the run that sent it. Undefined if it is none: for a command of one
 * request, lookups are judged too; for others, only writes.
 */
function toldApartBy(
  { byKey }: World,
  { operation: id, headers, query }: Call,
  process: Process,
  isOfOne: boolean,
): string | undefined {
  if (id === undefined) return undefined
  const key = headers['idempotency-key']
  const { method } = operation(id)
  if (method === 'POST' && typeof key === 'string') return key
  if (!isOfOne || id === 'getOpenApi' || id.startsWith('list') || query.length > 0) return undefined
  return `${process.name} ${method === 'GET' ? byKey.size : id}`
}

function deedOf(world: World, partner: number, name: string, act: Asking, isStrange = false): Done {
  const known = world.byKey.get(`${partner} ${name}`)
  if (known) return known
  const no = firstNo + world.byKey.size
  const deed = { no, at: 0, partner, kind: act.id as Done['deed']['kind'], issues: 1, again: undefined }
  const one: Done = {
    deed,
    act,
    isStrange: isStrange && namesSomething(act),
    isOfTool: true,
    trace: tracedBy(no),
    issues: [],
  }
  world.done[partner]!.push(one)
  world.byKey.set(`${partner} ${name}`, one)
  return one
}

function requestOf({ params }: Call, body: CallBody): object {
  const named = Object.keys(params).length > 0 ? { params } : {}
  if (body.kind === 'empty') return named
  if (body.kind === 'json') return { ...named, body: JSON.parse(body.text) }
  return { ...named, form: { ...Object.fromEntries(body.fields), file: body.files[0]?.bytes } }
}

/** A transient failure is retried, and says nothing. */
function keep(world: World, one: Done, seen: Done['issues'][number], { status, body }: Reply): void {
  if (status === 500) world.faults.push(`${one.act.id} answered 500`)
  if (status === 429 || status >= 500) return
  const { scheduler, known, note } = world
  Object.assign(seen, { status, text: body, ended: scheduler.steps, answered: trueTime() })
  if (isGood(status) && !one.isStrange)
    learn(known[one.deed.partner]!, one.act, body === '' ? undefined : JSON.parse(body))
  note(`${one.deed.no} ${one.act.id} ${status}`)
}
