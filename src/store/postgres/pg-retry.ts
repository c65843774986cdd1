import { runtime } from '../../runtime/runtime.ts'
import { backoffMs, sleep } from '../../runtime/waiting.ts'
import { StoreError } from '../database.ts'
import { inStoreWords, type PgSetback, pgSetback } from './pg-fault.ts'

export type Patience = {
  /** How often to retry a transaction that lost a race. */
  races: number
  /** How long to retry an unreachable server, in milliseconds. */
  awayMs: number
  /** How long to retry for a locked row, in milliseconds. */
  waitMs: number
}

/** A row or table that still exists after this many attempts was there before. */
const twinsMax = 3
/** Stale connections in a row to discard: no pool has more. */
const staleMax = 50

/** Retries only if nothing was committed. Throws `StoreError` if the database cannot be used, or the transaction's own error. */
export async function persistently<T>(patience: Patience, transaction: () => Promise<T>): Promise<T> {
  const started = runtime.uptime()
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      const setback = error instanceof StoreError ? undefined : pgSetback(error)
      const again = setback && mayContinue(setback, attempt, runtime.uptime() - started, patience)
      if (!again) throw inStoreWords(error)
      if (setback === 'stale') continue
      const pauses = { firstMs: setback === 'lost' ? 20 : 2, mostMs: 250 }
      // Random, so that two that collided do not collide again.
      await sleep(backoffMs(pauses, attempt, runtime.chance()))
    }
  }
}

function mayContinue(setback: PgSetback, attempt: number, elapsedMs: number, patience: Patience): boolean {
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
