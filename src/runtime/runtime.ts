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
