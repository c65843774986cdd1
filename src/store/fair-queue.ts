import { runtime } from '../runtime/runtime.ts'
import { StoreError } from './database.ts'
import { createTurns } from './turns.ts'

export type FairQueue = {
  /** Runs `task` in its scope's turn and charges for its time. Throws `StoreError` `busy` if too many tasks of the scope wait. */
  run<T>(scope: number, task: () => Promise<T>): Promise<T>
}

export type FairQueueOptions = {
  capacity: number
  /** Maximum tasks of one scope that run at once (default: `capacity`). */
  capacityOfOne?: number
  /** Maximum tasks of one scope that wait (default 1,000). */
  waitingMax?: number
  /** Monotonic clock in milliseconds (default: the machine's). */
  clock?: () => number
}

type Waiting = { begin: () => void }

const waitingMaxDefault = 1_000

/** Runs tasks in the order of turns.ts, several at once. No task waits while it could run. */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { waitingMax = waitingMaxDefault, clock = runtime.uptime } = options
  const turns = createTurns<Waiting>()
  const places = createPlaces(options)
  const beginNext = (): void => {
    while (places.areFree()) {
      const next = turns.take((_, scope) => places.areFree(scope))
      if (!next) return
      places.enter(next.scope)
      next.item.begin()
    }
  }
  return {
    async run(scope, task) {
      if (turns.waitingOf(scope) >= waitingMax) {
        throw new StoreError('busy', 'This partner has too many requests waiting; try again.')
      }
      // If a place is free, only its own scope's limit can make a task wait.
      if (!places.areFree(scope)) await new Promise<void>((begin) => turns.add(scope, { begin }))
      else {
        turns.pass(scope)
        places.enter(scope)
      }
      const began = clock()
      try {
        return await task()
      } finally {
        places.leave(scope)
        turns.charge(scope, clock() - began)
        beginNext()
      }
    },
  }
}

function createPlaces({ capacity, capacityOfOne = capacity }: FairQueueOptions) {
  const taken = new Map<number, number>()
  let takenTotal = 0
  return {
    areFree: (scope?: number): boolean =>
      takenTotal < capacity && (scope === undefined || (taken.get(scope) ?? 0) < capacityOfOne),
    enter(scope: number): void {
      takenTotal += 1
      taken.set(scope, (taken.get(scope) ?? 0) + 1)
    },
    leave(scope: number): void {
      takenTotal -= 1
      const left = taken.get(scope)! - 1
      if (left > 0) taken.set(scope, left)
      else taken.delete(scope)
    },
  }
}
