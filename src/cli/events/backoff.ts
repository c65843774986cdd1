import { type Backoff, backoffMs, runtime, sleep } from '../../runtime/runtime.ts'

export type Waiting = {
  /** Milliseconds on a monotonic clock. */
  now: () => number
  /** In [0, 1). */
  random: () => number
  /** Never rejects; resolves early once `stop` is aborted. */
  pause: (ms: number, stop: AbortSignal) => Promise<void>
}

export const systemWaiting: Waiting = {
  now: runtime.uptime,
  random: runtime.chance,
  pause: (ms, stop) => sleep(ms, stop).catch(() => undefined),
}

const pauses: Backoff = { firstMs: 500, mostMs: 30_000 }

export function pauseMs(failures: number, chance: number, askedMs = 0): number {
  return Math.max(backoffMs(pauses, failures, chance), askedMs)
}

export function tryingAgain(maxWaitMs: number, until: string): string {
  return `Trying again ${Number.isFinite(maxWaitMs) ? `for up to ${maxWaitMs / 1000} s` : `until ${until}`}.`
}
