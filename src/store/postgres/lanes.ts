import { inTime } from '../../runtime/waiting.ts'
import { StoreError } from '../database.ts'

/** Writers of a scope wait here, without a connection that others need. Throws `StoreError` `busy` after `patienceMs`. */
export function createLanes(patienceMs: number): <T>(key: number, task: () => Promise<T>) => Promise<T> {
  const ends = new Map<number, Promise<void>>()
  return async function inLane<T>(key: number, task: () => Promise<T>): Promise<T> {
    const before = ends.get(key)
    const { promise: mine, resolve: leave } = Promise.withResolvers<void>()
    const end = before ? before.then(() => mine) : mine
    ends.set(key, end)
    try {
      if (before) await inTime(before, patienceMs).catch(tooLate)
      return await task()
    } finally {
      leave()
      if (ends.get(key) === end) ends.delete(key)
    }
  }
}

function tooLate(): never {
  throw new StoreError('busy', 'Other writes held this partner’s data for too long; try again.')
}
