import { assert } from '../domain/rejection.ts'

export type SqlValue = string | number | null | Uint8Array
export type Dialect = 'sqlite' | 'postgres'

/** One open transaction. Statements are cached by their text; values are always parameters. */
export type Tx = Driver & {
  /** The first column of the first row. */
  value<T>(query: Sql): Promise<T | undefined>
  /** The same; 0 if there is no row, or a null. */
  number(query: Sql): Promise<number>
  /** The first column of all rows. */
  values<T>(query: Sql): Promise<T[]>
}

export type ScopedTx = Tx & { readonly scope: number }

export function inScope(tx: Tx, scope: number): ScopedTx {
  return { ...tx, scope }
}

type Driver = {
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

export function transactionOver<Of extends Driver>(driver: Of): Of & Tx {
  const value: Tx['value'] = async <T>(query: Sql) => {
    const row = (await driver.get<Record<string, T>>(query)) ?? {}
    for (const name in row) return row[name]
    return undefined
  }
  return {
    ...driver,
    value,
    number: async (query) => (await value<number | null>(query)) ?? 0,
    async values<T>(query: Sql) {
      const rows = await driver.all<Record<string, T>>(query)
      const [name = ''] = Object.keys(rows[0] ?? {})
      return rows.map((row) => row[name] as T)
    },
  }
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
  const lent = transactionOver({
    dialect: tx.dialect,
    all: here(tx.all) as Tx['all'],
    get: here(tx.get) as Tx['get'],
    run: here(tx.run),
    change: here(tx.change),
    insert: here(tx.insert),
  })
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
  /** Calls `wake` for announcements of other processes. Call it once. */
  listen(wake: (scopeId: number) => void): void
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

/**
 * A statement or part of one, written where it runs, with parameters only: `?` for SQLite, `$n` for PostgreSQL.
 * All queries keep to a portable subset; each necessary difference has one named function per dialect.
 * - Identifiers, times, and JSON are text (lower-case UUIDs; UTC `YYYY-MM-DDTHH:MM:SS.sssZ`, which sorts by time), flags are 0
 *   and 1, and bigint is read as a JavaScript number.
 * - `returning`, `on conflict`, partial indexes, and `like … escape '\'` on folded text, but no function of one dialect.
 * - `scope_id` comes first in every key and `where`; every `order by` has a tie-breaker.
 */
class Sql {
  readonly shape: Shape
  readonly values: readonly unknown[]
  constructor(shape: Shape, values: readonly unknown[]) {
    this.shape = shape
    this.values = values
  }
  get sql(): string {
    this.shape.sqlite ??= this.shape.pieces.join('?')
    return this.shape.sqlite
  }
  get text(): string {
    this.shape.postgres ??= this.shape.pieces.reduce((text, piece, at) => `${text}$${at}${piece}`)
    return this.shape.postgres
  }
}

export type { Sql }

/** The cached part of a statement: pieces between values, texts, and (`within`) combinations with nested shapes. */
type Shape = {
  readonly pieces: readonly string[]
  sqlite?: string
  postgres?: string
  within?: Map<number, WeakMap<Shape, Shape>>
}

const templates = new WeakMap<readonly string[], Shape>()
const lists = new Map<string, Shape>()
const texts = new Map<string, Shape>()
/** Longer lists are rare and vary in length. */
const keptLength = 128
const keptTexts = 1000

/** Values become parameters; nested parts become text. */
export function sql(strings: readonly string[], ...given: readonly unknown[]): Sql {
  const template = templates.get(strings) ?? { pieces: strings }
  templates.set(strings, template)
  return filled(template, given)
}

/** Joins values or parts. Throws if there are none. */
export function join(given: readonly unknown[], separator = ','): Sql {
  if (given.length === 0) throw new TypeError('there is nothing to join')
  const name = `${given.length}${separator}`
  const list = lists.get(name) ?? listOf(given.length, separator)
  if (given.length <= keptLength) lists.set(name, list)
  return filled(list, given)
}

/** Joins parts of many forms without caching: the same combination rarely recurs. */
export function joinOnce(parts: readonly Sql[], separator: string): Sql {
  return filled(listOf(parts.length, separator), parts)
}

function listOf(length: number, separator: string): Shape {
  return { pieces: ['', ...Array<string>(length - 1).fill(separator), ''] }
}

/** Inserts text verbatim: never input. */
export function raw(text: string): Sql {
  const shape = texts.get(text) ?? { pieces: [text] }
  if (texts.size < keptTexts) texts.set(text, shape)
  return new Sql(shape, [])
}

export const empty = raw('')

function filled(template: Shape, given: readonly unknown[]): Sql {
  let shape = template
  const values: unknown[] = []
  for (const one of given) {
    if (!(one instanceof Sql)) values.push(one)
    else {
      shape = shapeWith(shape, values.length, one.shape)
      for (const value of one.values) values.push(value)
    }
  }
  return new Sql(shape, values)
}

function shapeWith(shape: Shape, place: number, part: Shape): Shape {
  shape.within ??= new Map()
  const known = shape.within.get(place) ?? new WeakMap<Shape, Shape>()
  shape.within.set(place, known)
  const found = known.get(part)
  if (found) return found
  const pieces = shape.pieces.slice(0, place + 1)
  for (const [at, piece] of part.pieces.entries()) {
    if (at === 0) pieces[place] += piece
    else pieces.push(piece)
  }
  pieces[pieces.length - 1] += shape.pieces[place + 1] ?? ''
  const made = { pieces: [...pieces, ...shape.pieces.slice(place + 2)] }
  known.set(part, made)
  return made
}

/** A `like` pattern that finds `text` anywhere; SQLite needs `escape '\'`. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** Values for an `in (…)`, padded with the last one to a power of two: few texts per query, so that each stays prepared. */
export function padded<T>(values: readonly T[]): T[] {
  const length = 2 ** Math.ceil(Math.log2(Math.max(values.length, 1)))
  return [...values, ...Array<T>(length - values.length).fill(values.at(-1) as T)]
}

export async function allAmong<V, T>(
  values: readonly V[],
  atOnce: number,
  find: (some: V[]) => Promise<T[]>,
): Promise<T[]> {
  const all: T[] = []
  for (let from = 0; from < values.length; from += atOnce) {
    for (const found of await find(values.slice(from, from + atOnce))) all.push(found)
  }
  return all
}

/** Inserts a row of a scope, or updates the `changing` columns of the row with its id. */
export function upsert(
  table: string,
  row: Readonly<Record<'scope_id' | 'id', unknown> & Record<string, unknown>>,
  changing: readonly string[],
): Sql {
  const changes = changing.map((name) => `${name} = excluded.${name}`)
  return sql`
    insert into ${raw(table)} (${raw(Object.keys(row).join(', '))}) values (${join(Object.values(row))})
    on conflict (scope_id, id) do update set ${raw(changes.join(', '))}`
}

/** Looks up each key on its own as `asked.k`, in a cross join: for `in (…)`, SQLite may walk the scope. May repeat a key. */
export function asked(keys: readonly string[]): Sql {
  return sql`with asked (k) as (values (${join(padded(keys), '),(')}))`
}

/** Inserts rows that all have the first row's columns, in the same order. Returns the number inserted. */
export async function insertRecords(
  tx: Tx,
  table: string,
  records: ReadonlyArray<Readonly<Record<string, SqlValue>>>,
  skipConflicts = false,
): Promise<number> {
  const [first] = records
  const count = first ? Object.keys(first).length : 0
  for (const record of records)
    assert(Object.keys(record).length === count, 'rows of one insert have the same columns', table, record)
  return first ? tx.insert(table, Object.keys(first), records.map(Object.values), skipConflicts) : 0
}
