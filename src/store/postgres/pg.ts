import type { Pool, PoolClient } from 'pg'
import { type Database, type ReadOptions, StoreError, type Tx } from '../database.ts'
import { createFairQueue } from '../fair-queue.ts'
import { createLanes } from './lanes.ts'
import { optionsIn, type PoolOptions } from './pg-address.ts'
import { isSurelyUncommitted, isUnprepared, pgSetback } from './pg-fault.ts'
import { openConnection, openPool, poolSizeDefault } from './pg-pool.ts'
import { createRelay } from './pg-relay.ts'
import { type Patience, persistently } from './pg-retry.ts'
import { createTransactions, type PgTx, type Transactions } from './pg-transaction.ts'

export type PgOptions = PoolOptions & {
  /** How often a transaction that lost a race is retried (default 10). */
  races?: number
  /** For how many milliseconds an unreachable server is tried again, if nothing was committed (default 2,000). */
  awayMs?: number
}

export type PgDatabase = Database & { pool: Pool }

/** How long a write waits for another of its scope, in this process and in the database (decisions 4). */
const laneMs = 30_000
/** Connections reserved for what belongs to no scope: looking up keys, counting limits, health. */
const reservedConnections = 2
const beginRead = 'begin isolation level repeatable read read only'
const beginPatient = 'begin; set local lock_timeout = 0'

/**
 * PostgreSQL, or an engine that speaks it, behind the store's interface: pooled, named prepared statements.
 * Writes are read committed: the claim of the scope's row puts a scope's writers in line. Reads are one snapshot.
 */
export async function openPostgres(url: string, given: PgOptions = {}): Promise<PgDatabase> {
  const options: PgOptions = optionsIn(url, given)
  const pool = await openPool(url, { ...options, lockMs: laneMs })
  const transactions = createTransactions(options.prepared ?? true, options.onUnprepared)
  const inLane = createLanes(laneMs)
  const inTurn = scopeTurns(options)
  const patience: Patience = { races: options.races ?? 10, awayMs: options.awayMs ?? 2_000 }
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
      const task = () => again(() => inTurn(how?.lane, () => writeOn(pool, transactions, fn, how?.patient)))
      return how?.lane === undefined ? task() : inLane(how.lane, task)
    },
    async close() {
      await relay.close()
      await pool.end()
    },
  }
}

type InTurn = <T>(scope: number | undefined, task: () => Promise<T>) => Promise<T>

/** Scopes take turns for connections, and none can have all. Work that belongs to no scope does not wait for them. */
function scopeTurns({ poolSize = poolSizeDefault }: PgOptions): InTurn {
  // Two of one scope at least: its write, which may be long, and a read beside it.
  const capacity = Math.max(2, poolSize - reservedConnections)
  const queue = createFairQueue({ capacity, capacityOfOne: Math.max(2, capacity - 1) })
  return (scope, task) => (scope === undefined ? task() : queue.run(scope, task))
}

/** `begin` goes out with the first statement and nobody waits for `commit`: one statement costs one round trip. */
async function readOn<T>(
  pool: Pool,
  transactions: Transactions,
  fn: (tx: Tx) => Promise<T>,
  how: ReadOptions | undefined,
): Promise<T> {
  const client = await pool.connect()
  try {
    const begun = how?.single ? undefined : quietly(client.query(beginRead))
    const result = await fn(transactions.on(client, { single: how?.single }))
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
  patient = false,
): Promise<T> {
  const client = await pool.connect()
  const tx = transactions.on(client, { patient })
  let result: T
  try {
    const begun = quietly(client.query(patient ? beginPatient : 'begin'))
    result = await fn(tx)
    await begun
  } catch (error) {
    await abandon(client, error)
    throw error
  }
  await commit(client, tx)
  return result
}

/** A commit that was cut off may have taken effect; a retry with the same Idempotency-Key finds out (decisions 4). */
async function commit(client: PoolClient, tx: PgTx): Promise<void> {
  let command: string
  try {
    command = (await client.query('commit')).command
  } catch (error) {
    client.release(true)
    if (isSurelyUncommitted(error)) throw error
    throw new StoreError('unknown', 'The connection to the database was lost while committing.', error)
  }
  client.release()
  if (command === 'COMMIT') return
  // A failure inside a transaction fails all of it, even if it was caught there.
  throw tx.failure() ?? new Error('a statement of this transaction had failed: it was rolled back')
}

/** Rolls a transaction back; a connection on which that fails is discarded. Throws nothing. */
async function end(client: PoolClient, how: 'commit' | 'rollback'): Promise<void> {
  try {
    await client.query(how)
    client.release()
  } catch {
    client.release(true)
  }
}

/** Rolls back what failed, and discards a connection that is out of date. */
async function abandon(client: PoolClient, error: unknown): Promise<void> {
  if (pgSetback(error) === 'stale') client.release(true)
  else await end(client, 'rollback')
}

/** Awaited later, or never if something else fails first. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
