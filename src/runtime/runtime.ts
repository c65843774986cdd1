type CallOff = () => void

/** `isAside`: the timer does not keep the process alive. */
export type Timers = { after(ms: number, ring: () => void, isAside?: boolean): CallOff }

/** `turnEnds`: when the current turn ends, by `uptime`; `waiting`: tasks for the next turn. */
type Yielding = { turnEnds: number; waiting: Array<() => void> }

type Runtime = Timers & {
  /** Milliseconds since the epoch. */
  clock(): number
  /** Milliseconds on a monotonic clock. */
  uptime(): number
  /** Resolves after everything else that is ready in this process has run. */
  turn(): Promise<void>
  yielding(): Yielding
  /** Blocks the whole process. */
  stand(ms: number): void
  random(bytes: number): Uint8Array
  /** In [0, 1), not for secrets. */
  chance(): number
}

/** The maximum of a Node.js timer, 24.8 days: a longer one fires at once. */
const timerMaxMs = 2 ** 31 - 1

const yielding: Yielding = { turnEnds: 0, waiting: [] }

/** All clocks, timers and random numbers come from here, so that a simulation can replace them (test/simulation). */
export const runtime: Runtime = {
  clock: () => Date.now(),
  // `performance` would cost every command half a millisecond.
  uptime: () => process.uptime() * 1000,
  after(ms, ring, isAside = false) {
    let timer: NodeJS.Timeout
    const set = (left: number): void => {
      timer = setTimeout(left > timerMaxMs ? () => set(left - timerMaxMs) : ring, Math.min(left, timerMaxMs))
      if (isAside) timer.unref()
    }
    // Node.js warns on stderr about a negative delay.
    set(Math.max(0, ms))
    return () => clearTimeout(timer)
  },
  turn: () => new Promise((resolve) => setImmediate(resolve)),
  yielding: () => yielding,
  stand: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  random: randomPool(),
  chance: Math.random,
}

const poolBytes = 4096

/** Reads large pieces from the system, because sixteen bytes alone take 3 µs. Returns no byte twice. */
export function randomPool(): (bytes: number) => Uint8Array {
  let pool: Uint8Array = new Uint8Array()
  let used = 0
  return (bytes) => {
    if (bytes > poolBytes / 4) return randomBytes(bytes)
    if (used + bytes > pool.length) {
      pool = randomBytes(poolBytes)
      used = 0
    }
    used += bytes
    return pool.subarray(used - bytes, used)
  }
}

/** node:crypto takes 3 ms to load, and commands that only read need no random bytes. */
function randomBytes(bytes: number): Uint8Array {
  return process.getBuiltinModule('node:crypto').randomBytes(bytes)
}

/** Has no maximum; rejects with the signal's reason when it aborts. */
export type Sleep = (ms: number, signal?: AbortSignal | undefined) => Promise<void>

export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = (): void => {
      callOff()
      reject(signal?.reason)
    }
    const callOff = runtime.after(ms, () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    })
    signal?.addEventListener('abort', stop, { once: true })
  })

/** The task continues, but its caller no longer waits. */
export class Late extends Error {
  constructor(ms: number) {
    super(`took longer than ${ms} ms`)
    this.name = 'Late'
  }
}

/** Throws `Late` after `ms`. */
export function inTime<T>(promise: Promise<T>, ms: number, timers: Timers = runtime): Promise<T> {
  return new Promise((resolve, reject) => {
    const callOff = timers.after(ms, () => reject(new Late(ms)))
    // Handles a failure after `Late`, which would otherwise end the process.
    promise.then(resolve, reject).finally(callOff)
  })
}

/** The task's signal aborts after `ms`, or with `stop`. The timer does not keep the process alive. */
export async function withTimeLimit<T>(
  ms: number,
  task: (signal: AbortSignal) => Promise<T>,
  stop?: AbortSignal,
): Promise<T> {
  const late = new AbortController()
  const over = (): void => late.abort(new DOMException('The time limit was reached.', 'TimeoutError'))
  const callOff = runtime.after(ms, over, true)
  try {
    return await task(stop ? AbortSignal.any([stop, late.signal]) : late.signal)
  } finally {
    callOff()
  }
}

/** The timer does not keep the process alive. Returns a function that stops it. */
export function every(ms: number, task: () => void): () => void {
  let callOff = (): void => {}
  const next = (): void => {
    callOff = runtime.after(ms, ring, true)
  }
  const ring = (): void => {
    next()
    task()
  }
  next()
  return () => callOff()
}

/** The pause before the second attempt, and the longest one. */
export type Backoff = { firstMs: number; mostMs: number }

/** Doubles with each failure, less up to half of it by `chance` in [0, 1). */
export function backoffMs({ firstMs, mostMs }: Backoff, failures: number, chance: number): number {
  return Math.round(Math.min(firstMs * 2 ** (failures - 1), mostMs) * (0.5 + chance / 2))
}

/** Two digits per byte. */
export function randomHex(bytes: number): string {
  return Buffer.from(runtime.random(bytes)).toString('hex')
}

export function newUuid(): string {
  const bytes = Buffer.from(runtime.random(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
