import { hash } from 'node:crypto'
import type { PoolClient, QueryResult } from 'pg'
import { type Sql, type SqlValue, type Tx, transactionOver } from '../database.ts'
import { sqlState } from './pg-fault.ts'

/** `failure`: the error of a statement that was not awaited. */
export type PgTx = Tx & { failure(): unknown }
/** `limit`: milliseconds per statement, if not the pool's limit. */
type How = { single?: boolean | undefined; limit: number | undefined }
/** `single`: the transaction may run only one query. */
export type Transactions = {
  on(client: PoolClient, how: How): PgTx
  /** Stops naming statements, so that none is prepared. */
  stopPreparing(): void
}

type Query = (text: string, values: readonly unknown[]) => Promise<QueryResult>

/** Rows per statement: its array parameters take a few milliseconds to build. */
const rowsAtOnce = 1000
const unpreparedWord =
  'A pooler in front of the database does not keep prepared statements, like PgBouncer before 1.21 in transaction mode: ' +
  'from now on, statements are planned each time. Add prepared=false to the address, or use PgBouncer 1.21 or newer.'

/** Maximum statements in flight that are not awaited. */
const unsettledMax = 8

/** Shares statement names and column types between the connections of a database. */
export function createTransactions(prepared: boolean, onUnprepared?: (word: string) => void): Transactions {
  const tables = new Map<string, ColumnTypes>()
  const unnamed: StatementNames = () => undefined
  let nameOf = prepared ? createStatementNames() : unnamed
  const on: Transactions['on'] = (client, how) => {
    const line = createLine(queryOn(client, nameOf, how))
    const { ask, send } = line
    const tx = transactionOver({
      dialect: 'postgres',
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
    })
    return { ...tx, failure: line.failure }
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
    if (single && asked > 1) throw new Error('a single read ran a second query')
    const name = nameOf(text, values.length)
    const timed = limit === undefined ? {} : { query_timeout: limit }
    return client.query({ text, values: values as unknown[], ...(name && { name }), ...timed })
  }
}

/** Pipelines statements. Those without a result are not awaited: a failure becomes the error of the next answer. */
function createLine(query: Query) {
  const unsettled: Array<Promise<unknown>> = []
  let failed: { error: unknown } | undefined
  /** The first error reported; statements sent after it get only 25P02. */
  let heard: { error: unknown } | undefined
  return {
    failure: () => failed?.error,
    async ask(text: string, values: readonly unknown[]): Promise<QueryResult> {
      try {
        return await query(text, values)
      } catch (error) {
        // "Current transaction is aborted": throw the first error, which alone says whether to retry.
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
      unsettled.push(sent)
      if (unsettled.length > unsettledMax) await unsettled.shift()
    },
  }
}

/** Queries again for an unknown column: a migration may have added it. */
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

type ColumnTypes = ReadonlyMap<string, string>

/** One text for any number of rows: an array parameter per column, unnested. `unnest` is 15 % faster than JSON. */
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

/** An array literal of one column; the driver's own conversion takes twice as long. */
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

/** A text with more parameters contains a list, so each length of the list has its own text. */
const fewParameters = 40
/** Statements prepared per connection; others are planned each time. */
const namedMax = { few: 400, many: 60 }

type StatementNames = (text: string, parameters: number) => string | undefined

/** Derived from the text, so that a name means the same on every connection of every process, even behind a pooler. */
function createStatementNames(): StatementNames {
  const names = { few: new Map<string, string>(), many: new Map<string, string>() }
  return (text, parameters) => {
    if (parameters === 0) return undefined
    const kind = parameters <= fewParameters ? 'few' : 'many'
    const known = names[kind].get(text)
    if (known) return known
    if (names[kind].size >= namedMax[kind]) return undefined
    const name = `custody_${hash('sha256', text, 'base64url').slice(0, 22)}`
    names[kind].set(text, name)
    return name
  }
}
