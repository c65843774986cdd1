import { sleep } from '../../client/sleep.ts'

/** Time and chance of whoever tries again; a test gives its own. */
export type Waiting = {
  /** Milliseconds on a clock that only goes forward. */
  now: () => number
  /** In [0, 1). */
  random: () => number
  /** Waits so many milliseconds, or until the signal is aborted; never throws. */
  pause: (ms: number, stop: AbortSignal) => Promise<void>
}

export const realWaiting: Waiting = {
  now: () => performance.now(),
  random: Math.random,
  pause: (ms, stop) => sleep(ms, stop).catch(() => undefined),
}

const firstMs = 500
const mostMs = 30_000

/** Milliseconds until the next try: twice as long after each failure, with jitter, and no earlier than was asked for. */
export function backoffMs(failures: number, chance: number, askedMs = 0): number {
  const most = Math.min(firstMs * 2 ** (failures - 1), mostMs)
  return Math.max(Math.round(most * (0.5 + chance / 2)), askedMs)
}
