import { StoreError } from '../database.ts'

/**
 * One at a time per key, in the order of asking: who waits for a scope waits here and not on a connection, so that a
 * busy scope cannot take all of them. Throws `StoreError` `busy` after `patienceMs`.
 */
export function createLanes(patienceMs: number): <T>(key: number, task: () => Promise<T>) => Promise<T> {
  const ends = new Map<number, Promise<void>>()
  return async function inLane<T>(key: number, task: () => Promise<T>): Promise<T> {
    const before = ends.get(key)
    let leave = (): void => {}
    const mine = new Promise<void>((resolve) => {
      leave = resolve
    })
    const end = before ? before.then(() => mine) : mine
    ends.set(key, end)
    try {
      if (before) await within(patienceMs, before)
      return await task()
    } finally {
      leave()
      if (ends.get(key) === end) ends.delete(key)
    }
  }
}

async function within(ms: number, turn: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new StoreError('busy', 'Other writes held this partner’s data for too long; try again.')
    timer = setTimeout(() => reject(error), ms)
  })
  try {
    await Promise.race([turn, late])
  } finally {
    clearTimeout(timer)
  }
}
