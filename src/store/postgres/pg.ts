import type { Pool, PoolClient } from 'pg'
import { type Database, lending, type ReadOptions, StoreError, type Tx } from '../database.ts'
import { createFairQueue } from '../fair-queue.ts'
import { createLanes } from './lanes.ts'
import { optionsIn, type PoolOptions } from './pg-address.ts'
import { isSurelyUncommitted, isUnprepared, pgSetback } from './pg-fault.ts'
import { beginWrite, openConnection, openPool, poolSizeDefault } from './pg-pool.ts'
import { createRelay } from './pg-relay.ts'
import { type Patience, persistently } from './pg-retry.ts'
import { createTransactions, type PgTx, type Transactions } from './pg-transaction.ts'

export type PgOptions = PoolOptions & {
  /** How often a transaction that lost a race is retried (default 10). */
  races?: number
  /** For how many milliseconds an unreachable server is tried again, if nothing was committed (default 2,000). */
  awayMs?: number
  /** For how many milliseconds a write waits for others of its scope, in this process and then in others (default 30,000). */
  waitMs?: number
}

export type PgDatabase = Database & { pool: Pool }

/** Decisions 4. */
const waitMsDefault = 30_000
/**
 * For so long a write waits for one of another process on its connection; then it lets others have that and asks anew. A process that stands
 * still would keep a connection of each of its scopes otherwise, until there were none for anybody.
 */
const heldMs = 1_000
/** Connections reserved for what belongs to no scope: looking up keys, counting limits, health. */
const reservedConnections = 2
/** How long one statement may take that is no request's: of chores, of checks, of copies. */
const unhurriedMs = 180_000
/** As long as a timer runs: no limit in the driver's words would be the pool's. */
const longestMs = 2 ** 31 - 1
const beginRead = 'begin isolation level repeatable read read only'

/**
 * PostgreSQL, or an engine that speaks it, behind the store's interface: pooled, named prepared statements.
 * Writes are read committed: the claim of the scope's row puts a scope's writers in line. Reads are one snapshot.
 */
export async function openPostgres(url: string, given: PgOptions = {}): Promise<PgDatabase> {
  const options: PgOptions = optionsIn(url, given)
  const { races = 10, awayMs = 2_000, waitMs = waitMsDefault } = options
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

/** What a scope waits for holds one of the connections that scopes share, and is given up sooner. */
function limitOf(scope: number | undefined): number | undefined {
  return scope === undefined ? unhurriedMs : undefined
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

/** Rolls back what failed, and discards a connection that is out of date, or by which nothing comes any more. */
async function abandon(client: PoolClient, error: unknown): Promise<void> {
  const setback = pgSetback(error)
  if (setback === 'stale' || setback === 'lost') client.release(true)
  else await end(client, 'rollback')
}

/** Awaited later, or never if something else fails first. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
