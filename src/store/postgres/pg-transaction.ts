import { createHash } from 'node:crypto'
import type { PoolClient, QueryResult } from 'pg'
import type { SqlValue, Tx } from '../database.ts'
import type { Sql } from '../sql.ts'
import { sqlState } from './pg-fault.ts'

/** The store's transaction on a connection, and the failure of a statement that nobody awaited. */
export type PgTx = Tx & { failure(): unknown }
/** `limit`: for how many milliseconds each of its statements may take, where that is another time than the pool's. */
type How = { single?: boolean | undefined; limit: number | undefined }
/** Makes the store's transaction on a connection. `single`: it may run one query only. */
export type Transactions = {
  on(client: PoolClient, how: How): PgTx
  /** From now on statements have no names. */
  stopPreparing(): void
}

type Query = (text: string, values: readonly unknown[]) => Promise<QueryResult>

/** Rows of one statement: its array parameters are built in a few milliseconds. */
const rowsAtOnce = 1000
const unpreparedWord =
  'A pooler in front of the database does not keep prepared statements, as PgBouncer before 1.21 in transaction mode: ' +
  'statements are planned each time from now on. Say prepared=false in the address, or take PgBouncer 1.21 or newer.'

/** Statements under way that nobody awaits. */
const unheardMax = 8

/** What connections of one database share: the names of statements, and the types of columns, asked for once. */
export function createTransactions(prepared: boolean, onUnprepared?: (word: string) => void): Transactions {
  const tables = new Map<string, ColumnTypes>()
  const unnamed: StatementNames = () => undefined
  let nameOf = prepared ? createStatementNames() : unnamed
  const on: Transactions['on'] = (client, how) => {
    const line = createLine(queryOn(client, nameOf, how))
    const { ask, send } = line
    return {
      dialect: 'postgres',
      failure: line.failure,
      all: async <T>(sql: Sql) => (await ask(sql.text, sql.values)).rows as T[],
      get: async <T>(sql: Sql) => (await ask(sql.text, sql.values)).rows[0] as T | undefined,
      run: async (sql: Sql) => (await ask(sql.text, sql.values)).rowCount ?? 0,
      change: (sql: Sql) => send(sql.text, sql.values),
      async insert(table, columns, rows: readonly SqlValue[][], skipConflicts = false) {
        const types = await typesOf(tables, ask, table, columns)
        let skipped = 0
        for (let from = 0; from < rows.length; from += rowsAtOnce) {
          const some = rows.slice(from, from + rowsAtOnce)
          const { text, values } = insertStatement(table, columns, types, some, skipConflicts)
          if (skipConflicts) skipped += some.length - ((await ask(text, values)).rowCount ?? 0)
          else await send(text, values)
        }
        return rows.length - skipped
      },
    }
  }
  return {
    on,
    stopPreparing() {
      if (nameOf !== unnamed) onUnprepared?.(unpreparedWord)
      nameOf = unnamed
    },
  }
}

function queryOn(client: PoolClient, nameOf: StatementNames, { single, limit }: How): Query {
  let asked = 0
  return (text, values) => {
    asked += 1
    if (single && asked > 1) throw new Error('a single read asked a second question')
    const name = nameOf(text, values.length)
    const timed = limit === undefined ? {} : { query_timeout: limit }
    return client.query({ text, values: values as unknown[], ...(name && { name }), ...timed })
  }
}

/**
 * Statements are pipelined. Those without a result are not awaited: if one fails, it fails the transaction, and the next answer
 * says why.
 */
function createLine(query: Query) {
  const unheard: Array<Promise<unknown>> = []
  let failed: { error: unknown } | undefined
  /** The first that was told to whoever asked: another may have asked behind it, and be told of nothing but its end. */
  let heard: { error: unknown } | undefined
  return {
    failure: () => failed?.error,
    async ask(text: string, values: readonly unknown[]): Promise<QueryResult> {
      try {
        return await query(text, values)
      } catch (error) {
        // "current transaction is aborted": by what failed before, which alone says whether it may be done again.
        const first = failed ?? heard
        if (first && sqlState(error) === '25P02') throw first.error
        heard ??= { error }
        throw error
      }
    },
    async send(text: string, values: readonly unknown[]): Promise<void> {
      const sent = query(text, values).catch((error: unknown) => {
        failed ??= { error }
      })
      unheard.push(sent)
      if (unheard.length > unheardMax) await unheard.shift()
    },
  }
}

/** Asked again where a column is new: a migration may run beside us. */
async function typesOf(
  tables: Map<string, ColumnTypes>,
  ask: Query,
  table: string,
  columns: readonly string[],
): Promise<ColumnTypes> {
  const known = tables.get(table)
  if (known && columns.every((column) => known.has(column))) return known
  const { rows } = await ask(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped`,
    [table],
  )
  const types = new Map(rows.map((row: { name: string; type: string }) => [row.name, row.type]))
  tables.set(table, types)
  return types
}

/** The type of each column of a table, as PostgreSQL names it. */
type ColumnTypes = ReadonlyMap<string, string>

/**
 * Rows in bulk as one statement whose text does not depend on how many there are: a column each is one array
 * parameter, unnested side by side. `unnest` is 15 % faster than JSON, and `values` would be another text for each length.
 */
function insertStatement(
  table: string,
  columns: readonly string[],
  types: ColumnTypes,
  rows: ReadonlyArray<readonly SqlValue[]>,
  skipConflicts: boolean,
): { text: string; values: string[] } {
  const arrays = columns.map((column, i) => `$${i + 1}::${typeOf(types, table, column)}[]`)
  const text =
    `insert into ${table} (${columns.join(', ')}) select * from unnest(${arrays.join(', ')})` +
    (skipConflicts ? ' on conflict do nothing' : '')
  return { text, values: columns.map((_, i) => arrayText(rows, i)) }
}

function typeOf(types: ColumnTypes, table: string, column: string): string {
  const type = types.get(column)
  if (type === undefined) throw new Error(`${table} has no column ${column}`)
  return type
}

/** One column of the rows as PostgreSQL writes an array. The driver's own takes twice as long. */
function arrayText(rows: ReadonlyArray<readonly SqlValue[]>, column: number): string {
  let text = '{'
  for (let i = 0; i < rows.length; i++) {
    if (i > 0) text += ','
    text += elementText(rows[i]?.[column] ?? null)
  }
  return `${text}}`
}

function elementText(value: SqlValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return `"\\\\x${Buffer.from(value).toString('hex')}"`
  return special.test(value) ? `"${value.replace(specials, '\\$&')}"` : `"${value}"`
}

const special = /["\\]/
const specials = /["\\]/g

/** Texts with few parameters are the queries that we write; those with many are a query for each length of a list. */
const fewParameters = 40
/** How many of each kind are prepared on a connection; others are planned each time. */
const namedMax = { few: 400, many: 60 }

/** The name of the prepared statement for a text; undefined if it is not worth one. */
type StatementNames = (text: string, parameters: number) => string | undefined

/**
 * Statement names for the connections of one database. A name is derived from the text, so that it means the same on every
 * connection of every process, even behind a pooler.
 */
function createStatementNames(): StatementNames {
  const names = { few: new Map<string, string>(), many: new Map<string, string>() }
  return (text, parameters) => {
    if (parameters === 0) return undefined
    const kind = parameters <= fewParameters ? 'few' : 'many'
    const known = names[kind].get(text)
    if (known) return known
    if (names[kind].size >= namedMax[kind]) return undefined
    const name = `custody_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
    names[kind].set(text, name)
    return name
  }
}
