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
  let woken = false
  let wake: () => void = () => {}
  const stop = options.signal.subscribe((scopeId) => {
    if (scopeId !== options.scopeId) return
    woken = true
    wake()
  })
  try {
    for (;;) {
      woken = false
      const answer = await ask()
      const left = deadline - runtime.uptime()
      if (!isEmpty(answer) || left <= 0 || options.abort?.aborted) return answer
      if (!woken) await pause(Math.min(left, options.pollMs), options.abort, (waking) => (wake = waking))
    }
  } finally {
    stop()
  }
}

function pause(
  ms: number,
  abort: AbortSignal | undefined,
  onWaker: (wake: () => void) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      callOff()
      abort?.removeEventListener('abort', done)
      resolve()
    }
    const callOff = runtime.after(ms, done)
    abort?.addEventListener('abort', done, { once: true })
    onWaker(done)
  })
}
