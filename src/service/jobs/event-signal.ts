import type { Relay } from '../../store/database.ts'

/** Wakes long polls and webhook delivery when a scope has new events. Only a hint: it may be missed. */
export type EventSignal = {
  notify(scopeId: number): void
  subscribe(wake: (scopeId: number) => void): () => void
}

/** `relay` exchanges notifications with the other processes over the same database. */
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
