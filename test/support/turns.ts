import { onTestFinished } from 'vitest'
import { runtime } from '../../src/runtime/runtime.ts'

/**
 * Until the test ends, reports each turn of the event loop that cooperative code has waited for; the clock advances by `ms` at
 * each reading, and when it is moved.
 */
export function withTurns(tell: () => void, ms = 0): { uptime: number } {
  const { uptime, turn, yielding } = runtime
  onTestFinished(() => void Object.assign(runtime, { uptime, turn, yielding }))
  const own = { turnEnds: 0, waiting: [] }
  const clock = { uptime: 1000 }
  Object.assign(runtime, {
    uptime: () => (clock.uptime += ms),
    yielding: () => own,
    turn: () => turn().then(tell),
  })
  return clock
}
