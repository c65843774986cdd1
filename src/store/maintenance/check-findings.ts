import { parsedJson } from '../../contract/call.ts'
import type { SqlValue, Tx } from '../database.ts'
import { empty, join, raw, type Sql, sql } from '../sql.ts'

/** Something that is kept twice and does not agree, or that must not be. */
export type Finding = { table: string; key: string; problem: string }

export type Row = Record<string, SqlValue>

/** Which rows of a table: beyond a key and up to one, by its first column; all where left out. */
export type Part = { after?: SqlValue | undefined; upTo?: SqlValue | undefined }

/** How a table is read: a part of it, only rows for which `and` more is so, and not 1000 rows at once. */
type Reading = Part & { and?: Sql; rowsAtOnce?: number }

/** Every row of a scope's table in the order of its key, without holding more than a page of them. */
export async function* rowsOf<T extends Row>(
  tx: Tx,
  scopeId: number,
  table: string,
  columns: readonly string[],
  key: readonly string[],
  how: Reading = {},
): AsyncGenerator<T> {
  for await (const { rows } of pagesOf<T>(tx, scopeId, table, columns, key, how)) yield* rows
}

/**
 * The same a page at a time. The parts of the pages cover every key there can be, also one that no row of the table has;
 * of a key of several columns they say nothing of use.
 */
export async function* pagesOf<T extends Row>(
  tx: Tx,
  scopeId: number,
  table: string,
  columns: readonly string[],
  key: readonly string[],
  { after: first, upTo, and, rowsAtOnce = 1000 }: Reading = {},
): AsyncGenerator<{ rows: T[]; part: Part }> {
  const [by = ''] = key
  const [selected, ordered] = [raw(columns.join(', ')), raw(key.join(', '))]
  const end = sql`${within(by, { upTo })} ${and ? sql`and ${and}` : empty}`
  let [after, place] = [first, within(by, { after: first })]
  for (;;) {
    const rows = await tx.all<T>(sql`
      select ${selected} from ${raw(table)} where scope_id = ${scopeId} ${place} ${end}
      order by ${ordered} limit ${rowsAtOnce}`)
    const last = rows.length < rowsAtOnce ? undefined : rows.at(-1)
    yield { rows, part: { after, upTo: last?.[by] ?? upTo } }
    if (!last) return
    after = last[by]
    place = sql`and (${ordered}) > (${join(key.map((name) => last[name]))})`
  }
}

/** The condition that a column lies in a part; it begins with `and` where there is one. */
export function within(column: string, { after, upTo }: Part): Sql {
  const beyond = after === undefined ? empty : sql`and ${raw(column)} > ${after}`
  return upTo === undefined ? beyond : sql`${beyond} and ${raw(column)} <= ${upTo}`
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
  const document = parsedJson(String(text))
  if (document === undefined) findings.push({ table, key, problem: 'its document is not JSON' })
  return document as T | undefined
}

/** What a row's columns and its document say differently. `columnsOf`: the columns that follow from the document. */
export function compared<T>(
  table: string,
  key: string,
  row: Row,
  columnsOf: (document: T) => Row,
): Finding[] {
  const findings: Finding[] = []
  const document = documentOf<T>(table, key, row.doc ?? '', findings)
  return document ? differences(table, key, row, columnsOf(document)) : findings
}

/** The same of every row of a table whose key is its id. */
export async function checkDocuments<T>(
  tx: Tx,
  scopeId: number,
  table: string,
  columns: readonly string[],
  columnsOf: (document: T) => Row,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const row of rowsOf<Row>(tx, scopeId, table, [...columns, 'doc'], ['id']))
    findings.push(...compared(table, String(row.id), row, columnsOf))
  return findings
}

/** A number that was kept and what it should be. */
export function miscount(table: string, key: string, kept: number, counted: number): Finding[] {
  return kept === counted ? [] : [{ table, key, problem: `${kept} is kept, ${counted} counted` }]
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
