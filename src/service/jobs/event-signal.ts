import type { Relay } from '../../store/database.ts'

/** Wakes those who wait for a scope's events: long polls and webhook delivery. Only a hint: it may be missed. */
export type EventSignal = {
  notify(scopeId: number): void
  /** Calls `wake` after each notification until the returned function is called. */
  subscribe(wake: (scopeId: number) => void): () => void
}

/** `relay` carries it to the other processes over the same database and back. */
export function createEventSignal(relay?: Relay): EventSignal {
  const wakers = new Set<(scopeId: number) => void>()
  let isListening = false
  const wakeAll = (scopeId: number): void => {
    for (const wake of [...wakers]) wake(scopeId)
  }
  return {
    notify(scopeId) {
      wakeAll(scopeId)
      relay?.announce(scopeId)
    },
    subscribe(wake) {
      if (!isListening) relay?.listen(wakeAll)
      isListening = true
      wakers.add(wake)
      return () => wakers.delete(wake)
    },
  }
}
