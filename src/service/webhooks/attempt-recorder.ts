import type { UnitOfWork, Workplace } from '../../engine/context.ts'
import { inWork } from '../../engine/in-work.ts'

type Task<T> = (work: UnitOfWork) => Promise<T>
type Waiting = { task: Task<unknown>; resolve: (value: unknown) => void; reject: (error: unknown) => void }

/** Records what became of attempts, a scope's in their order: those that end while one transaction is written go into the next together. */
export type AttemptRecorder = { record<T>(scopeId: number, task: Task<T>): Promise<T> }

export function createAttemptRecorder(place: Workplace): AttemptRecorder {
  /** Of the scopes that are being recorded: what goes into the next transaction. One partner's import holds up no other's. */
  const waiting = new Map<number, Waiting[]>()

  async function write(scopeId: number, first: Waiting): Promise<void> {
    for (let tasks = [first]; tasks.length > 0; tasks = waiting.get(scopeId) ?? []) {
      waiting.set(scopeId, [])
      await recordAll(place, scopeId, tasks)
    }
    waiting.delete(scopeId)
  }

  return {
    record: <T>(scopeId: number, task: Task<T>) =>
      new Promise<T>((resolve, reject) => {
        const one = { task, resolve: resolve as (value: unknown) => void, reject }
        const tasks = waiting.get(scopeId)
        if (tasks) tasks.push(one)
        else void write(scopeId, one)
      }),
  }
}

async function recordAll(place: Workplace, scopeId: number, tasks: readonly Waiting[]): Promise<void> {
  try {
    const values = await inWork(place, scopeId, async (work) => {
      const done: unknown[] = []
      for (const { task } of tasks) done.push(await task(work))
      return done
    })
    for (const [at, { resolve }] of tasks.entries()) resolve(values[at])
  } catch (error) {
    for (const { reject } of tasks) reject(error)
  }
}
