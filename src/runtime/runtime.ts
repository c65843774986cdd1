/** What is set to ring; the answer calls it off. */
type CallOff = () => void

/** Alarms for any span. `isAside`: the process does not live on for it. */
export type Timers = { after(ms: number, ring: () => void, isAside?: boolean): CallOff }

/** What gives way in a process: until when it has its turn on the clock that only goes forward, and who waits for the next. */
type Yielding = { turnEnds: number; waiting: Array<() => void> }

/** All that a program has of its machine beside files and sockets: time, its turn and chance. */
type Runtime = Timers & {
  /** Milliseconds since the epoch. */
  clock(): number
  /** Milliseconds on a clock that only goes forward, whatever the machine's is set to. */
  uptime(): number
  /** Resolves when whatever else is ready in this process has had its turn. */
  turn(): Promise<void>
  /** The process's own, the same at each call. */
  yielding(): Yielding
  /** Stands still, with all of the process. */
  stand(ms: number): void
  random(bytes: number): Uint8Array
  /** In [0, 1), for what nobody need be kept from guessing. */
  chance(): number
}

/** The most that a timer of Node.js takes, 24.8 days: set to more, it rings at once. */
const timerMaxMs = 2 ** 31 - 1

const yielding: Yielding = { turnEnds: 0, waiting: [] }

/**
 * The one place that reads the machine's clocks, sets its timers and draws its chance. Everything else in src asks here, so that
 * a simulation that puts its own functions in their place owns every wait (test/simulation).
 */
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
    set(ms)
    return () => clearTimeout(timer)
  },
  turn: () => new Promise((resolve) => setImmediate(resolve)),
  yielding: () => yielding,
  stand: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  random: randomPool(),
  chance: Math.random,
}

const poolBytes = 4096

/** Random bytes, drawn from the system in larger pieces: by themselves sixteen take 3 µs. No byte is given out twice. */
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
