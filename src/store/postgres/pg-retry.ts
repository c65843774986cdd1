import { runtime } from '../../runtime/runtime.ts'
import { sleep } from '../../runtime/waiting.ts'
import { StoreError } from '../database.ts'
import { inStoreWords, type PgSetback, pgSetback } from './pg-fault.ts'

export type Patience = {
  /** How often a transaction that lost a race is done again. */
  races: number
  /** For how many milliseconds a server that is away is asked again. */
  awayMs: number
}

/** What is still there after so many looks was there before. */
const twinsMax = 3
/** Connections that are out of date at once: no pool has more of them than this. */
const staleMax = 50

/**
 * Does a transaction again as long as that is right: nothing of it was committed. Throws `StoreError` where the
 * database cannot be used, and what the transaction itself threw.
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
      if (setback !== 'stale') await pause(setback === 'lost' ? 20 : 2, attempt)
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
    default:
      return setback satisfies never
  }
}

/** Longer each time, up to a quarter of a second; never the same for two, so that they do not meet again. */
function pause(firstMs: number, attempt: number): Promise<void> {
  return sleep(Math.min(firstMs * 2 ** (attempt - 1), 250) * (0.5 + runtime.chance() / 2))
}
