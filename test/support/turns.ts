import { runtime } from '../../src/runtime/runtime.ts'

/** Tells each turn of the event loop that what gives way has waited for; its clock goes on by `ms` at each look, and when it is moved. */
export function withTurns(tell: () => void, ms = 0): { uptime: number; restore(): void } {
  const { uptime, turn, yielding } = runtime
  const own = { turnEnds: 0, waiting: [] }
  const clock = {
    uptime: 1000,
    restore: () => void Object.assign(runtime, { uptime, turn, yielding }),
  }
  Object.assign(runtime, {
    uptime: () => (clock.uptime += ms),
    yielding: () => own,
    turn: () => turn().then(tell),
  })
  return clock
}
