import type { Pool, PoolClient } from 'pg'
import { backoffMs, inTime, runtime, sleep } from '../../runtime/runtime.ts'
import { type Database, lending, type ReadOptions, StoreError, type Tx } from '../database.ts'
import { createFairQueue } from '../fair-queue.ts'
import { optionsIn, type PoolOptions } from './pg-address.ts'
import { inStoreWords, isCertainlyUncommitted, isUnprepared, type PgSetback, pgSetback } from './pg-fault.ts'
import { beginWrite, openConnection, openPool, poolSizeDefault } from './pg-pool.ts'
import { createRelay } from './pg-relay.ts'
import { createTransactions, type PgTx, type Transactions } from './pg-transaction.ts'

export type PgOptions = PoolOptions & {
  /** Retries of a transaction that lost a race (default 10). */
  races?: number
  /** How long to retry an unreachable server if nothing was committed, in milliseconds (default 2,000). */
  awayMs?: number
  /** How long a write waits for others of its scope, here and in other processes, in milliseconds (default 30,000, decisions 4). */
  waitMs?: number
}

export type PgDatabase = Database & { pool: Pool }

/** A write waits this long for another process's lock, then frees its connection: a stuck process must not use up the pool. */
const heldMs = 1_000
/** Connections reserved for work outside scopes: key lookups, rate limits, health. */
const reservedConnections = 2
/** Limit of a statement outside requests: timed work, checks, copies. */
const backgroundMs = 180_000
/** The longest timer: for the driver, "no limit" means the pool's limit. */
const longestMs = 2 ** 31 - 1
const beginRead = 'begin isolation level repeatable read read only'

/** Writes are read committed: claiming the scope's row serializes a scope's writers. Each read is one snapshot. */
export async function openPostgres(url: string, given: PgOptions = {}): Promise<PgDatabase> {
  const options: PgOptions = optionsIn(url, given)
  const { races = 10, awayMs = 2_000, waitMs = 30_000 } = options
  const pool = await openPool(url, { ...options, lockMs: waitMs })
  const transactions = createTransactions(options.prepared ?? true, options.onUnprepared)
  const inLane = createLanes(waitMs)
  const inTurn = scopeTurns(options)
  const patience: Patience = { races, awayMs, waitMs }
  const again = <T>(task: () => Promise<T>): Promise<T> =>
    persistently(patience, () =>
      task().catch((error: unknown) => {
        if (isUnprepared(error)) transactions.stopPreparing()
        throw error
      }),
    )
  const relay = createRelay(pool, () => openConnection(url, options))
  return {
    pool,
    dialect: 'postgres',
    relay,
    read: (fn, how) =>
      again(() => inTurn(how?.single ? undefined : how?.scope, () => readOn(pool, transactions, fn, how))),
    write(fn, how) {
      if (how?.single) return again(() => readOn(pool, transactions, fn, { single: true }))
      const lane = how?.lane
      const scope = lane ?? how?.scope
      const lockMs = scope === undefined ? waitMs : Math.min(heldMs, waitMs)
      const limits = how?.patient ? { lockMs: 0, limit: longestMs } : { lockMs, limit: limitOf(scope) }
      const task = () => again(() => inTurn(scope, () => writeOn(pool, transactions, fn, limits)))
      return lane === undefined ? task() : inLane(lane, task)
    },
    async close() {
      await relay.close()
      await pool.end()
    },
  }
}

/** A statement of a scope uses one of the shared connections, so it gets the pool's shorter limit. */
function limitOf(scope: number | undefined): number | undefined {
  return scope === undefined ? backgroundMs : undefined
}

type InTurn = <T>(scope: number | undefined, task: () => Promise<T>) => Promise<T>

/** Scopes take turns for connections, and none can use all of them. Work outside scopes does not wait. */
function scopeTurns({ poolSize = poolSizeDefault }: PgOptions): InTurn {
  // At least two for one scope: its write, which may be long, and a read.
  const capacity = Math.max(2, poolSize - reservedConnections)
  const queue = createFairQueue({ capacity, capacityOfOne: Math.max(2, capacity - 1) })
  return (scope, task) => (scope === undefined ? task() : queue.run(scope, task))
}

/** Sends `begin` with the first statement and does not await `commit`: one statement costs one round trip. */
async function readOn<T>(
  pool: Pool,
  transactions: Transactions,
  fn: (tx: Tx) => Promise<T>,
  how: ReadOptions | undefined,
): Promise<T> {
  const client = await pool.connect()
  try {
    const begun = how?.single ? undefined : quietly(client.query(beginRead))
    const limit = how?.single ? undefined : limitOf(how?.scope)
    const result = await fn(transactions.on(client, { single: how?.single, limit }))
    await begun
    if (how?.single) client.release()
    else void end(client, 'commit')
    return result
  } catch (error) {
    await abandon(client, error)
    throw error
  }
}

async function writeOn<T>(
  pool: Pool,
  transactions: Transactions,
  fn: (tx: Tx) => Promise<T>,
  { lockMs, limit }: { lockMs: number; limit: number | undefined },
): Promise<T> {
  const client = await pool.connect()
  const tx = transactions.on(client, { limit })
  let result: T
  try {
    const begun = quietly(client.query(beginWrite(lockMs)))
    result = await lending(tx, fn)
    await begun
  } catch (error) {
    await abandon(client, error)
    throw error
  }
  await commit(client, tx)
  return result
}

/** An interrupted commit may have taken effect; a retry with the same Idempotency-Key finds out (decisions 4). */
async function commit(client: PoolClient, tx: PgTx): Promise<void> {
  let command: string
  try {
    command = (await client.query('commit')).command
  } catch (error) {
    client.release(true)
    if (isCertainlyUncommitted(error)) throw error
    throw new StoreError('unknown', 'The connection to the database was lost while committing.', error)
  }
  client.release(spent.has(pgSetback(tx.failure())))
  if (command === 'COMMIT') return
  // A failed statement fails the whole transaction, even if the error was caught.
  throw tx.failure() ?? new Error('a statement of this transaction failed: it was rolled back')
}

/** Discards the connection on failure. Never throws. */
async function end(client: PoolClient, how: 'commit' | 'rollback'): Promise<void> {
  try {
    await client.query(how)
    client.release()
  } catch {
    client.release(true)
  }
}

/** A connection that was opened while the server took no writes never takes any. */
const spent = new Set<PgSetback | undefined>(['stale', 'lost', 'closed'])

async function abandon(client: PoolClient, error: unknown): Promise<void> {
  if (spent.has(pgSetback(error))) client.release(true)
  else await end(client, 'rollback')
}

/** The promise is awaited later, or never if something else fails first. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

type Patience = Required<Pick<PgOptions, 'races' | 'awayMs' | 'waitMs'>>

/** A row or table that still exists after this many attempts was there before. */
const twinsMax = 3
/** Stale connections in a row to discard: no pool has more. */
const staleMax = 50

/** Retries only if nothing was committed. Throws `StoreError` if the database cannot be used, or the transaction's own error. */
async function persistently<T>(patience: Patience, transaction: () => Promise<T>): Promise<T> {
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
  const may: Record<PgSetback, boolean> = {
    race: attempt <= patience.races,
    twin: attempt <= twinsMax,
    stale: attempt <= staleMax,
    lost: elapsedMs < patience.awayMs,
    held: elapsedMs < patience.waitMs,
    closed: false,
  }
  return may[setback]
}

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
