import { runtime } from '../../runtime/runtime.ts'
import { type Backoff, backoffMs, sleep } from '../../runtime/waiting.ts'

/** Time and chance for repeated tries; a test gives its own. */
export type Waiting = {
  /** Milliseconds on a clock that only goes forward. */
  now: () => number
  /** In [0, 1). */
  random: () => number
  /** Waits so many milliseconds, or until the signal is aborted; never throws. */
  pause: (ms: number, stop: AbortSignal) => Promise<void>
}

export const realWaiting: Waiting = {
  now: runtime.uptime,
  random: runtime.chance,
  pause: (ms, stop) => sleep(ms, stop).catch(() => undefined),
}

const pauses: Backoff = { firstMs: 500, mostMs: 30_000 }

/** Milliseconds until the next try, at least as many as were asked for. */
export function pauseMs(failures: number, chance: number, askedMs = 0): number {
  return Math.max(backoffMs(pauses, failures, chance), askedMs)
}

/** What is promised after the first failure. */
export function tryingAgain(maxWaitMs: number, until: string): string {
  return `Trying again ${Number.isFinite(maxWaitMs) ? `for up to ${maxWaitMs / 1000} s` : `until ${until}`}.`
}
