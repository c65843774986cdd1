import type { Timers } from '../../runtime/runtime.ts'

/** A repeated task; one run ends before the next begins. It asks between its transactions whether it may go on. */
export type Chore = { everyMs: number; run: (mayGoOn: () => boolean) => Promise<void> }

type Scheduler = {
  /** Starts every chore; each runs at once for the first time. */
  start(): void
  /** Starts nothing more, tells what is running not to go on, and waits for it. */
  stop(): Promise<void>
}

/** Runs everything that a service does without being asked. A chore that fails is tried again next time. */
export function createScheduler(
  chores: readonly Chore[],
  timers: Timers,
  onError: (error: unknown) => void,
): Scheduler {
  const alarms = new Map<Chore, () => void>()
  const running = new Set<Promise<void>>()
  let isStopped = false
  const begin = (chore: Chore): void => {
    const run = chore
      .run(() => !isStopped)
      .catch(onError)
      .finally(() => {
        running.delete(run)
        if (!isStopped)
          alarms.set(
            chore,
            timers.after(chore.everyMs, () => begin(chore)),
          )
      })
    running.add(run)
  }
  return {
    start: () => chores.forEach(begin),
    async stop() {
      isStopped = true
      for (const callOff of alarms.values()) callOff()
      await Promise.all(running)
    },
  }
}
