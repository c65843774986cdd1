import { setTimeout } from 'node:timers/promises'

/** Waits so many milliseconds; rejects when the signal aborts. */
export type Sleep = (ms: number, signal?: AbortSignal | undefined) => Promise<void>

/** The most that a timer of Node.js takes, 24.8 days: set to more, it rings at once. */
export const timerMaxMs = 2 ** 31 - 1

/** For any span; the only timer that waits as long as an operator or a service says. */
export const sleep: Sleep = async (ms, signal) => {
  let left = ms
  do {
    await setTimeout(Math.min(left, timerMaxMs), undefined, signal && { signal })
    left -= timerMaxMs
  } while (left > 0)
}
