import type { Sql } from './sql.ts'

export type SqlValue = string | number | null | Uint8Array
export type Dialect = 'sqlite' | 'postgres'

/** One open transaction. Statements are cached by their text; values are always parameters. */
export type Tx = {
  readonly dialect: Dialect
  all<T>(query: Sql): Promise<T[]>
  get<T>(query: Sql): Promise<T | undefined>
  /** Answers the number of rows changed. */
  run(query: Sql): Promise<number>
  /**
   * The same where nobody asks for the number: the statement is under way when this resolves, and the transaction is
   * committed only when it succeeded. Over a network that saves a round trip while the scope is claimed.
   */
  change(query: Sql): Promise<void>
  /**
   * Inserts rows in bulk, under way as with `change`; `skipConflicts` leaves out those that a unique index refuses, and
   * is waited for. Answers the rows inserted.
   */
  insert(
    table: string,
    columns: readonly string[],
    rows: readonly SqlValue[][],
    skipConflicts?: boolean,
  ): Promise<number>
}

/**
 * Runs a task with a transaction that ends with it. If one of several things that a task does at the same time fails, the others go
 * on: without this, their statements would reach the transaction that follows on the connection, or none.
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
  /** Runs `fn` on one consistent snapshot; nothing it does is kept. It may be run again where the database says so. */
  read<T>(fn: (tx: Tx) => Promise<T>, options?: ReadOptions): Promise<T>
  /**
   * Runs `fn` in one transaction: committed when it resolves, rolled back whole when it throws. It may be run again
   * where nothing was committed. Throws `StoreError` `unknown` where nobody knows whether it was.
   */
  write<T>(fn: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>
  close(): Promise<void>
  /** Present where several processes share the database. */
  readonly relay?: Relay
}

/**
 * `single`: it is one statement, which is a snapshot by itself, and finds a few rows by their key: it waits for nobody.
 * `long`: it may take more than some milliseconds; a process that serves does not stand still meanwhile.
 * `scope`: whose read it is; scopes take turns (store/turns.ts).
 */
export type ReadOptions = { single?: boolean; long?: boolean; scope?: number }
/**
 * `lane`: the scope it is going to claim; writers of one process wait for each other before they take a connection.
 * `scope`: whose it is where it claims none; scopes take turns.
 * `single`: it is one statement, which is a transaction by itself, and may be done twice.
 * `brief`: it takes a few milliseconds at most, so that it may share its commit with others (store/sqlite/group-commit.ts).
 * `patient`: it changes the schema: it waits for others, and may take, as long as it must.
 */
export type WriteOptions = {
  lane?: number
  scope?: number
  single?: boolean
  brief?: boolean
  patient?: boolean
}

/** Tells the other processes over the same database that a scope has something new: a hint, never a promise. */
export type Relay = {
  announce(scopeId: number): void
  /** Calls `wake` for what other processes announce, until the returned function is called. */
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
  /** The connection was lost while committing: it may have been done or not. */
  | 'unknown'

/** The database cannot be used: never the caller's input, always the operator's surroundings. The message says what to do. */
export class StoreError extends Error {
  readonly fault: StoreFault
  constructor(fault: StoreFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreError'
    this.fault = fault
  }
}
