import type { SqlValue } from '../database.ts'

/** The type of each column of a table, as PostgreSQL names it. */
export type ColumnTypes = ReadonlyMap<string, string>

/**
 * Rows in bulk as one statement whose text does not depend on how many there are: a column each is one array
 * parameter, unnested side by side. `unnest` is 15 % faster than JSON, and `values` would be another text for each length.
 */
export function insertStatement(
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
