import { StoreError } from './database.ts'
import { createTurns, type Turns } from './turns.ts'

export type FairQueue = {
  /**
   * Runs `task` when it is its scope's turn, and charges the scope for the time it takes. Throws `StoreError` `busy` where too
   * much of this scope waits already, and the signal's reason where that is aborted before the turn has come.
   */
  run<T>(scope: number, task: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export type FairQueueOptions = {
  /** Tasks that run at once. */
  capacity: number
  /** Tasks of one scope that run at once (default: as many as there may be). */
  capacityOfOne?: number
  /** Tasks of one scope that wait (default 1,000). */
  waitingMax?: number
  /** Monotonic, in milliseconds (default: `performance.now`). */
  clock?: () => number
}

type Waiting = { begin: () => void }

const waitingMaxDefault = 1_000

/** Runs tasks as turns.ts has it, some at once. Where a place is free nobody waits. */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { waitingMax = waitingMaxDefault, clock = () => performance.now() } = options
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
    async run(scope, task, signal) {
      signal?.throwIfAborted()
      if (turns.waitingOf(scope) >= waitingMax) {
        throw new StoreError('busy', 'Too much of this partner’s waits to be done; try again.')
      }
      // Whoever waits although a place is free waits for others of its own scope.
      if (!places.areFree(scope)) await turnOf(turns, scope, signal)
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

async function turnOf(turns: Turns<Waiting>, scope: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const waiting: Waiting = { begin: resolve }
  const giveUp = (): void => {
    if (turns.remove(scope, waiting)) reject(signal?.reason)
  }
  turns.add(scope, waiting)
  signal?.addEventListener('abort', giveUp, { once: true })
  await promise.finally(() => signal?.removeEventListener('abort', giveUp))
}

/** Who runs: so many in all, and so many of one scope. */
function createPlaces({ capacity, capacityOfOne = capacity }: FairQueueOptions) {
  const taken = new Map<number, number>()
  let takenInAll = 0
  return {
    areFree: (scope?: number): boolean =>
      takenInAll < capacity && (scope === undefined || (taken.get(scope) ?? 0) < capacityOfOne),
    enter(scope: number): void {
      takenInAll += 1
      taken.set(scope, (taken.get(scope) ?? 0) + 1)
    },
    leave(scope: number): void {
      takenInAll -= 1
      const left = taken.get(scope)! - 1
      if (left > 0) taken.set(scope, left)
      else taken.delete(scope)
    },
  }
}
