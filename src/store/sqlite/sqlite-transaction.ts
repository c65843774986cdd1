import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type Sql, type SqlValue, type Tx, transactionOver } from '../database.ts'

type Prepared = { statement: StatementSync; names: readonly string[] }

const statementsMax = 500

export function transactionOn(db: DatabaseSync): Tx {
  const prepared = new Map<string, Prepared>()
  const prepare = (text: string): Prepared => {
    const found = prepared.get(text)
    if (found) return found
    const made = prepareOn(db, text)
    if (prepared.size < statementsMax) prepared.set(text, made)
    return made
  }
  return transactionOver({
    dialect: 'sqlite',
    async all<T>(query: Sql) {
      const { statement, names } = prepare(query.sql)
      const rows = statement.all(...(query.values as SqlValue[])) as unknown as SqlValue[][]
      return rows.map((row) => rowOf(names, row) as T)
    },
    async get<T>(query: Sql) {
      const { statement, names } = prepare(query.sql)
      const row = statement.get(...(query.values as SqlValue[])) as unknown as SqlValue[] | undefined
      return row && (rowOf(names, row) as T)
    },
    run: async (query: Sql) =>
      Number(prepare(query.sql).statement.run(...(query.values as SqlValue[])).changes),
    change: async (query: Sql) => void prepare(query.sql).statement.run(...(query.values as SqlValue[])),
    async insert(table, columns, rows, skipConflicts = false) {
      const { statement } = prepare(insertText(table, columns, skipConflicts))
      let inserted = 0
      for (const row of rows) inserted += Number(statement.run(...row).changes)
      return inserted
    },
  })
}

function insertText(table: string, columns: readonly string[], skipConflicts: boolean): string {
  const marks = columns.map(() => '?').join(', ')
  return `insert into ${table} (${columns.join(', ')}) values (${marks})${skipConflicts ? ' on conflict do nothing' : ''}`
}

function prepareOn(db: DatabaseSync, text: string): Prepared {
  const statement = db.prepare(text)
  statement.setReturnArrays(true)
  return { statement, names: statement.columns().map(({ name }) => name) }
}

/** node:sqlite's own row objects are dictionaries, which are slow to create and read. */
export function rowOf(names: readonly string[], values: readonly SqlValue[]): Record<string, SqlValue> {
  const row: Record<string, SqlValue> = {}
  for (let at = 0; at < names.length; at++) row[names[at]!] = values[at]!
  return row
}
