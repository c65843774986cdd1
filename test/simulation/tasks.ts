import type { Process, Scheduler } from './scheduler.ts'

/** Runs a task as its own process, and the system with it until it is over. */
export async function within<T>(scheduler: Scheduler, task: () => Promise<T>): Promise<T> {
  let ended: { value: T } | { error: unknown } | undefined
  scheduler.after(
    0,
    () =>
      void task().then(
        (value) => (ended = { value }),
        (error: unknown) => (ended = { error }),
      ),
    scheduler.start(`task ${scheduler.steps}`),
  )
  await scheduler.runUntil(() => ended !== undefined)
  if ('error' in ended!) throw ended.error
  return ended!.value
}

/** Makes a process do something, and waits for it as another process. */
export function as<T>(
  scheduler: Scheduler,
  process: Process,
  ms: number,
  task: () => Promise<T>,
): Promise<T> {
  const caller = scheduler.current()
  return new Promise((resolve, reject) => {
    const back = (settle: () => void): void => void scheduler.after(0, settle, caller)
    const begin = (): void =>
      void task().then(
        (value) => back(() => resolve(value)),
        (error: unknown) => back(() => reject(error)),
      )
    scheduler.after(ms, begin, process)
  })
}
