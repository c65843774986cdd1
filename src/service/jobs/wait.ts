import { runtime } from '../../runtime/runtime.ts'
import type { EventSignal } from './event-signal.ts'

/**
 * Asks again until there is a result, the time is over or the caller has gone. The signal of this process wakes it; it also
 * polls every `pollMs`, since other processes write to the same database.
 */
export async function askUntil<T>(
  ask: () => Promise<T>,
  isEmpty: (answer: T) => boolean,
  options: {
    scopeId: number
    ms: number
    pollMs: number
    signal: EventSignal
    abort: AbortSignal | undefined
  },
): Promise<T> {
  const deadline = runtime.uptime() + options.ms
  let woken = Promise.withResolvers<void>()
  const stop = options.signal.subscribe((scopeId) => {
    if (scopeId === options.scopeId) woken.resolve()
  })
  try {
    for (;;) {
      woken = Promise.withResolvers()
      const answer = await ask()
      const left = deadline - runtime.uptime()
      if (!isEmpty(answer) || left <= 0 || options.abort?.aborted) return answer
      await pause(Math.min(left, options.pollMs), options.abort, woken)
    }
  } finally {
    stop()
  }
}

async function pause(
  ms: number,
  abort: AbortSignal | undefined,
  { promise: woken, resolve }: PromiseWithResolvers<void>,
): Promise<void> {
  const wake = (): void => resolve()
  const callOff = runtime.after(ms, wake)
  abort?.addEventListener('abort', wake, { once: true })
  await woken
  callOff()
  abort?.removeEventListener('abort', wake)
}
