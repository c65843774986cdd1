import type { SqlValue, Tx } from './database.ts'
import { join, raw, type Sql, sql } from './sql.ts'

/** Something that is kept twice and does not agree, or that must not be. */
export type Finding = { table: string; key: string; problem: string }

export type Row = Record<string, SqlValue>

const rowsAtOnce = 1000

/** Every row of a scope's table in the order of its key, without holding them all. */
export async function* rowsOf<T extends Row>(
  tx: Tx,
  scopeId: number,
  table: string,
  columns: readonly string[],
  key: readonly string[],
): AsyncGenerator<T> {
  const [selected, ordered] = [raw(columns.join(', ')), raw(key.join(', '))]
  let after: Sql | undefined
  for (;;) {
    const place: Sql = after ? sql`and (${ordered}) > (${after})` : sql``
    const rows = await tx.all<T>(sql`
      select ${selected} from ${raw(table)} where scope_id = ${scopeId} ${place} order by ${ordered} limit ${rowsAtOnce}`)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return
    after = join(key.map((name) => last[name]))
  }
}

/** One finding for each column that differs from what it should be. */
export function differences(table: string, key: string, row: Row, expected: Row): Finding[] {
  return Object.entries(expected)
    .filter(([column, value]) => row[column] !== value)
    .map(([column, value]) => ({
      table,
      key,
      problem: `${column} is ${shown(row[column])}, its document says ${shown(value)}`,
    }))
}

/** The document of a row; a finding where it cannot be read. */
export function documentOf<T>(
  table: string,
  key: string,
  text: SqlValue,
  findings: Finding[],
): T | undefined {
  try {
    return JSON.parse(String(text)) as T
  } catch {
    findings.push({ table, key, problem: 'its document is not JSON' })
    return undefined
  }
}

/** A number that was kept and what it should be. */
export function miscount(table: string, key: string, kept: number, counted: number): Finding[] {
  return kept === counted ? [] : [{ table, key, problem: `${kept} is kept, ${counted} counted` }]
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
