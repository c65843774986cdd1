import { runtime } from '../../runtime/runtime.ts'
import { backoffMs, sleep } from '../../runtime/waiting.ts'
import { StoreError } from '../database.ts'
import { inStoreWords, type PgSetback, pgSetback } from './pg-fault.ts'

export type Patience = {
  /** How often a transaction that lost a race is retried. */
  races: number
  /** For how many milliseconds an unreachable server is tried again. */
  awayMs: number
  /** For how many milliseconds what another transaction holds is asked for again. */
  waitMs: number
}

/** A row or table still there after so many tries was there before. */
const twinsMax = 3
/** How many stale connections in a row are discarded: no pool has more. */
const staleMax = 50

/**
 * Retries a transaction as long as that is right, that is, nothing of it was committed. Throws `StoreError` if the database
 * cannot be used, and what the transaction itself threw.
 */
export async function persistently<T>(patience: Patience, transaction: () => Promise<T>): Promise<T> {
  const started = runtime.uptime()
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      const setback = error instanceof StoreError ? undefined : pgSetback(error)
      const again = setback && mayGoOn(setback, attempt, runtime.uptime() - started, patience)
      if (!again) throw inStoreWords(error)
      if (setback === 'stale') continue
      const pauses = { firstMs: setback === 'lost' ? 20 : 2, mostMs: 250 }
      // Random, so that two that collided do not collide again.
      await sleep(backoffMs(pauses, attempt, runtime.chance()))
    }
  }
}

function mayGoOn(setback: PgSetback, attempt: number, elapsedMs: number, patience: Patience): boolean {
  switch (setback) {
    case 'race':
      return attempt <= patience.races
    case 'twin':
      return attempt <= twinsMax
    case 'stale':
      return attempt <= staleMax
    case 'lost':
      return elapsedMs < patience.awayMs
    case 'held':
      return elapsedMs < patience.waitMs
    default:
      return setback satisfies never
  }
}
