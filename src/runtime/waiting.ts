import type { Timers } from './runtime.ts'
import { runtime } from './runtime.ts'

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
