import type { Sql } from './sql.ts'

export type SqlValue = string | number | null | Uint8Array
export type Dialect = 'sqlite' | 'postgres'

/** One open transaction. Statements are cached by their text; values are always parameters. */
export type Tx = {
  readonly dialect: Dialect
  all<T>(query: Sql): Promise<T[]>
  get<T>(query: Sql): Promise<T | undefined>
  /** Returns the number of rows changed. */
  run(query: Sql): Promise<number>
  /** Like `run` without the count: resolves once the statement is sent, which saves a round trip. A failure fails the commit. */
  change(query: Sql): Promise<void>
  /** Bulk insert, sent like `change`. `skipConflicts` waits and skips rows that a unique index rejects. Returns rows inserted. */
  insert(
    table: string,
    columns: readonly string[],
    rows: readonly SqlValue[][],
    skipConflicts?: boolean,
  ): Promise<number>
}

/**
 * Runs a task with a `Tx` that rejects statements once the task has ended. If one of a task's concurrent steps fails, the others
 * continue: their late statements would otherwise run in the connection's next transaction, or in none.
 */
export async function lending<T>(tx: Tx, task: (tx: Tx) => Promise<T>): Promise<T> {
  let isOver = false
  const here = <Given extends unknown[], Answer>(ask: (...given: Given) => Promise<Answer>) => {
    const late = () => Promise.reject(new Error('a statement came after the end of its transaction'))
    return (...given: Given): Promise<Answer> => (isOver ? late() : ask(...given))
  }
  const lent: Tx = {
    dialect: tx.dialect,
    all: here(tx.all) as Tx['all'],
    get: here(tx.get) as Tx['get'],
    run: here(tx.run),
    change: here(tx.change),
    insert: here(tx.insert),
  }
  try {
    return await task(lent)
  } finally {
    isOver = true
  }
}

export type Database = {
  readonly dialect: Dialect
  /** Runs `fn` on one consistent snapshot and discards its changes. May run `fn` again if the database requires it. */
  read<T>(fn: (tx: Tx) => Promise<T>, options?: ReadOptions): Promise<T>
  /** Runs `fn` in one transaction; retries if nothing was committed. Throws `StoreError` `unknown` if the outcome is unknown. */
  write<T>(fn: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>
  close(): Promise<void>
  /** Present if several processes share the database. */
  readonly relay?: Relay
}

/**
 * `single`: one statement that is its own snapshot and takes no turn. `long`: may take more than a few milliseconds, so a process
 * that serves SQLite runs it in another thread. `scope`: the scope whose turn it takes (store/turns.ts).
 */
export type ReadOptions = { single?: boolean; long?: boolean; scope?: number }
/**
 * `lane`: the scope that will be claimed; writers of one process wait for each other before they take a connection. `scope`:
 * the scope whose turn it takes if it claims none. `single`: one statement, its own transaction, safe to run twice. `brief`: at
 * most a few milliseconds, so it may share a commit (store/sqlite/group-commit.ts). `patient`: a schema change, which may wait
 * and run without a limit.
 */
export type WriteOptions = {
  lane?: number
  scope?: number
  single?: boolean
  brief?: boolean
  patient?: boolean
}

/** Tells other processes on the same database that a scope has new events: a hint, never a guarantee. */
export type Relay = {
  announce(scopeId: number): void
  /** Calls `wake` for announcements of other processes until the returned function is called. */
  listen(wake: (scopeId: number) => void): () => void
}

export type StoreFault =
  | 'busy'
  | 'read_only'
  | 'corrupt'
  | 'full'
  | 'not_found'
  | 'not_a_file'
  | 'not_a_database'
  | 'newer_schema'
  | 'unreachable'
  | 'refused'
  /** The connection was lost during the commit, so the outcome is unknown. */
  | 'unknown'

/** The database cannot be used, for a reason only the operator can fix. The message says how. */
export class StoreError extends Error {
  readonly fault: StoreFault
  constructor(fault: StoreFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreError'
    this.fault = fault
  }
}
