import type { Timers } from '../../src/runtime/runtime.ts'

/** Alarms that ring when a test says so. */
export type ManualTimers = Timers & {
  /** The milliseconds of the pending alarms, shortest first. */
  set(): number[]
  /** Rings every alarm that was set for exactly `ms`; throws if there is none. */
  ring(ms: number): void
}

export function manualTimers(): ManualTimers {
  const alarms = new Set<{ ms: number; ring: () => void }>()
  return {
    after(ms, ring) {
      const alarm = { ms, ring }
      alarms.add(alarm)
      return () => alarms.delete(alarm)
    },
    set: () => [...alarms].map(({ ms }) => ms).sort((a, b) => a - b),
    ring(ms) {
      const due = [...alarms].filter((alarm) => alarm.ms === ms)
      if (due.length === 0) throw new Error(`no alarm is set for ${ms} ms`)
      for (const alarm of due) {
        alarms.delete(alarm)
        alarm.ring()
      }
    },
  }
}
