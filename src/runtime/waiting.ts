import type { Timers } from './runtime.ts'
import { runtime } from './runtime.ts'

/** Waits so many milliseconds, however many; rejects with the signal's reason when it aborts. */
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

/** What took too long; it goes on, and nobody waits for it any more. */
export class Late extends Error {
  constructor(ms: number) {
    super(`took longer than ${ms} ms`)
    this.name = 'Late'
  }
}

/** What a promise brings within `ms`. Throws `Late` after that. */
export function inTime<T>(promise: Promise<T>, ms: number, timers: Timers = runtime): Promise<T> {
  return new Promise((resolve, reject) => {
    const callOff = timers.after(ms, () => reject(new Late(ms)))
    // It may still fail when nobody waits for it any more.
    promise.then(resolve, reject).finally(callOff)
  })
}

/** What a task brings; its signal aborts after `ms`, or with `stop`. The process does not live on for it. */
export async function withTimeLimit<T>(
  ms: number,
  task: (signal: AbortSignal) => Promise<T>,
  stop?: AbortSignal,
): Promise<T> {
  const late = new AbortController()
  const over = (): void => late.abort(new DOMException('The time is over.', 'TimeoutError'))
  const callOff = runtime.after(ms, over, true)
  try {
    return await task(stop ? AbortSignal.any([stop, late.signal]) : late.signal)
  } finally {
    callOff()
  }
}

/** Does something again and again; the process does not live on for it. The answer ends it. */
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

/** The pause before the second try, and the longest before any. */
export type Backoff = { firstMs: number; mostMs: number }

/** Milliseconds until the next try after so many failures: twice as long each time, less up to half of it by `chance` in [0, 1). */
export function backoffMs({ firstMs, mostMs }: Backoff, failures: number, chance: number): number {
  return Math.round(Math.min(firstMs * 2 ** (failures - 1), mostMs) * (0.5 + chance / 2))
}
