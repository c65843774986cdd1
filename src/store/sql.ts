/**
 * SQL is written where it runs, whole, with this tag: parameters only; it renders `?` (SQLite) and `$n` (PostgreSQL).
 *
 * The portable subset that every query keeps to:
 * - identifiers and times as text (UUIDs lower case; UTC, `YYYY-MM-DDTHH:MM:SS.sssZ`, so that text order is time order),
 *   JSON as text, flags as 0 and 1, numbers as bigint read back as JavaScript numbers;
 * - `returning`, `on conflict`, partial indexes, `like … escape '\'` on folded text; no dialect's own functions;
 * - `scope_id` first in every key and in every where clause; an explicit tie-breaker in every `order by`.
 * What must differ has one named function per dialect (`store/sqlite-*.ts`, `store/pg-*.ts`).
 */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'

export { empty, join, raw, type Sql, sql }

/** A `like` pattern that finds `text` anywhere; use with `escape '\'`. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/**
 * Values for an `in (…)`, the last repeated up to a power of two: few texts of one query, so that each stays prepared,
 * instead of one for every length.
 */
export function padded<T>(values: readonly T[]): T[] {
  const length = 2 ** Math.ceil(Math.log2(Math.max(values.length, 1)))
  return Array.from({ length }, (_, at) => values[Math.min(at, values.length - 1)] as T)
}

/** Inserts a row of a scope, or changes these columns of the one with its id: both from the same values. */
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
