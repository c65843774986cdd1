import type { runtime } from '../../src/runtime/runtime.ts'
import { type Random, randomOf } from './random.ts'

/** A simulated process: its clock may be wrong and its disk bad, and after its death none of its code runs again. */
export type Process = {
  name: string
  isAlive: boolean
  skewMs: number
  hasBadDisk: boolean
  /** Its transactions that have changed something. */
  openWrites: number
  random: Random
  /** Its faults. */
  yielding: ReturnType<typeof runtime.yielding>
}

/** What happened to a process without any answer that tells of it. */
export type Incident = { kind: string; process: Process; step: number; at: number }

type Wait = { at: number; order: number; process: Process; ring: () => void; isOff: boolean }

function processOf(name: string, random: Random): Process {
  const yielding = { turnEnds: 0, waiting: [] }
  return { name, isAlive: true, skewMs: 0, hasBadDisk: false, openWrites: 0, random, yielding }
}

export type Scheduler = {
  /** Milliseconds since the run began. */
  now(): number
  /** The current process. */
  current(): Process
  start(name: string): Process
  /** None of its code runs again. */
  kill(process: Process): void
  /** Rings once, for the current process or another; the returned function cancels it. */
  after(ms: number, ring: () => void, process?: Process): () => void
  turn(): Promise<void>
  sleep(ms: number): Promise<void>
  /** All machines sleep for this long: alarms that were due meanwhile ring once on waking. */
  skip(ms: number): void
  /** Takes no simulated time: nothing else continues until it is settled. */
  outside<T>(answer: Promise<T>): Promise<T>
  /** Runs what is due, in an order given by the seed, until it is over. Throws if something waits forever. */
  runUntil(isOver: () => boolean): Promise<void>
  readonly steps: number
  /** Records what has just happened to a process, for the rare states (states/). */
  tell(kind: string, process?: Process): void
  readonly incidents: readonly Incident[]
}

/** Longer than any wait, except forgotten ones, while nobody sleeps: a month's story takes half an hour to check. */
const patienceMs = 60 * 60_000

const realSetImmediate = setImmediate
/** Steps in one turn of the event loop. */
const stepsAtOnce = 50

/**
 * Takes steps until one is the last. Between two of them every settled promise continues: Node.js ensures that between two
 * immediates, and one turn of the event loop runs many, because each turn asks the system for news. `answered`: when steps may
 * continue, if something outside is pending.
 */
function takeSteps(step: () => boolean, answered: () => Promise<void> | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let [isOver, left] = [false, 0]
    const one = (): void => {
      left -= 1
      try {
        if (!isOver && step()) {
          isOver = true
          resolve()
        }
      } catch (error) {
        isOver = true
        reject(error)
      }
      if (left === 0 && !isOver) void (answered()?.then(turn) ?? turn())
    }
    const turn = (): void => {
      left = stepsAtOnce
      for (let n = 0; n < stepsAtOnce; n++) realSetImmediate(one)
    }
    turn()
  })
}

/**
 * Owns every wait of the simulated system and resumes one at a time; the seed chooses among those that are due. What a step
 * settles continues within it, so the current process is always known.
 */
export function createScheduler(seed: string): Scheduler {
  const random = randomOf(`${seed} order`)
  const waits = createWaits(random)
  const start = (name: string): Process => processOf(name, randomOf(`${seed} ${name}`))
  const nobody = processOf('nobody', random)
  let [now, slept, current, order, steps] = [0, 0, nobody, 0, 0]
  const outside = createOutside()
  const incidents: Incident[] = []

  const after: Scheduler['after'] = (ms, ring, process = current) => {
    const at = now + Math.max(0, Math.round(ms))
    const wait = { at, order: order++, process, ring, isOff: !process.isAlive }
    waits.add(wait)
    return () => {
      wait.isOff = true
    }
  }
  const tell: Scheduler['tell'] = (kind, process = current) =>
    void incidents.push({ kind, process, step: steps, at: now })
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => void after(ms, resolve))
  return {
    now: () => now,
    current: () => current,
    start,
    kill(process) {
      if (process.isAlive && process.openWrites > 0) tell('death in a write', process)
      process.isAlive = false
    },
    after,
    turn: () => sleep(0),
    sleep,
    skip(ms) {
      now += ms
      slept += ms
    },
    outside: outside.wait,
    async runUntil(isOver) {
      const latest = now - slept + patienceMs
      await takeSteps(() => {
        if (outside.asked.size > 0) return false
        if (isOver()) return true
        const wait = waits.next(now)
        if (!wait || now - slept > latest) throw new Error('something waits for good')
        now = Math.max(now, wait.at)
        current = wait.process
        steps += 1
        wait.ring()
        return false
      }, outside.answered)
      current = nobody
    },
    get steps() {
      return steps
    },
    tell,
    incidents,
  }
}

/** Requests to anything outside the simulated processes. */
function createOutside() {
  const asked = new Set<Promise<unknown>>()
  /** Undefined if everything has been answered. */
  const answered = (): Promise<void> | undefined =>
    asked.size === 0 ? undefined : Promise.allSettled(asked).then(answered)
  return {
    asked,
    answered,
    async wait<T>(answer: Promise<T>): Promise<T> {
      asked.add(answer)
      try {
        return await answer
      } finally {
        asked.delete(answer)
      }
    },
  }
}

/** Pending waits: chance takes one that is due; if none is, time moves on to the next. */
function createWaits(random: Random) {
  const alarms = createAlarms()
  const ready: Wait[] = []
  return {
    add: alarms.add,
    next(now: number): Wait | undefined {
      for (let until = now; ; ) {
        for (let next = alarms.first(); next && next.at <= until; next = alarms.first()) {
          alarms.take()
          ready.push(next)
        }
        if (ready.length === 0) {
          const first = alarms.first()
          if (!first) return undefined
          if (first.isOff || !first.process.isAlive) alarms.take()
          else until = first.at
          continue
        }
        const at = random.int(ready.length)
        const wait = ready[at]!
        ready[at] = ready.at(-1)!
        ready.pop()
        if (!wait.isOff && wait.process.isAlive) return wait
      }
    },
  }
}

/** A heap: earliest first; of equal times, the one set first. */
function createAlarms() {
  const heap: Wait[] = []
  const isBefore = (a: Wait, b: Wait): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)
  const swap = (i: number, j: number): void => {
    ;[heap[i], heap[j]] = [heap[j]!, heap[i]!]
  }
  return {
    first: (): Wait | undefined => heap[0],
    add(wait: Wait): void {
      let at = heap.push(wait) - 1
      for (let up = (at - 1) >> 1; at > 0 && isBefore(wait, heap[up]!); up = (at - 1) >> 1) {
        swap(at, up)
        at = up
      }
    },
    take(): void {
      const last = heap.pop()!
      if (heap.length === 0) return
      heap[0] = last
      for (let at = 0; ; ) {
        let least = at
        for (const down of [2 * at + 1, 2 * at + 2])
          if (down < heap.length && isBefore(heap[down]!, heap[least]!)) least = down
        if (least === at) return
        swap(at, least)
        at = least
      }
    },
  }
}
