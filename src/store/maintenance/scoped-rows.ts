import {
  empty,
  join,
  raw,
  type ScopedTx,
  type Sql,
  type SqlValue,
  sql,
  type Tx,
  transactionOver,
} from '../database.ts'

/** Every table with a scope's data and the rest of its key, in the order of copying. */
export const scopedTables = {
  api_keys: ['id'],
  counts: ['kind', 'key'],
  products: ['id'],
  stock: ['sku'],
  manifests: ['id'],
  manifest_lines: ['manifest_id', 'line_no'],
  shut_manifests: ['id'],
  phrases: ['phrase_no'],
  phrase_words: ['word', 'word_count', 'phrase_no'],
  items: ['qid'],
  intakes: ['intake_no'],
  arrival_files: ['first_no'],
  fulfillments: ['id'],
  fulfillment_items: ['qid', 'fulfillment_id'],
  order_identities: ['identity', 'fulfillment_id'],
  identity_backlogs: ['until_id'],
  transfers: ['id'],
  events: ['seq'],
  idempotency: ['path', 'key'],
  unfinished_writes: ['path', 'key'],
  unfinished_parts: ['path', 'key', 'part_no'],
  webhook_subscriptions: ['id'],
  deliveries: ['subscription_id', 'id'],
  delivery_ranges: ['subscription_id', 'id'],
} as const

export type ScopedTable = keyof typeof scopedTables

export type Row = Record<string, SqlValue>

/** Rows whose first key column is greater than `after` and at most `upTo`. */
export type Part = { after?: SqlValue | undefined; upTo?: SqlValue | undefined }

/** `where`: default all rows. `key`: default the table's. `rowsAtOnce`: default 1,000. */
type Reading = Part & { where?: Sql; key?: readonly string[]; rowsAtOnce?: number }

/** Reads a scope's rows in key order, with one page in memory at a time. */
export async function* rowsOf<T extends Row>(
  tx: ScopedTx,
  table: ScopedTable,
  how: Reading = {},
): AsyncGenerator<T> {
  for await (const { rows } of pagesOf<T>(tx, table, how)) yield* rows
}

/** Like `rowsOf`, page by page. The parts cover every possible key, used or not; ignore them if the key has several columns. */
export async function* pagesOf<T extends Row>(
  tx: ScopedTx,
  table: ScopedTable,
  { after: first, upTo, where, key = scopedTables[table], rowsAtOnce = 1000 }: Reading = {},
): AsyncGenerator<{ rows: T[]; part: Part }> {
  const [by = ''] = key
  const ordered = raw(key.join(', '))
  const end = sql`${within(by, { upTo })} ${where ? sql`and ${where}` : empty}`
  let [after, place] = [first, within(by, { after: first })]
  for (;;) {
    const rows = await tx.all<T>(sql`
      select * from ${raw(table)} where scope_id = ${tx.scope} ${place} ${end}
      order by ${ordered} limit ${rowsAtOnce}`)
    const last = rows.length < rowsAtOnce ? undefined : rows.at(-1)
    yield { rows, part: { after, upTo: last?.[by] ?? upTo } }
    if (!last) return
    after = last[by]
    place = sql`and (${ordered}) > (${join(key.map((name) => last[name]))})`
  }
}

/** A condition that starts with `and`; empty if the part has no bounds. */
export function within(column: string, { after, upTo }: Part): Sql {
  const beyond = after === undefined ? empty : sql`and ${raw(column)} > ${after}`
  return upTo === undefined ? beyond : sql`${beyond} and ${raw(column)} <= ${upTo}`
}

/** Called with the number of rows of each result, and awaited before they are returned. */
export type OnRows = (rows: number) => Promise<void>

export function watched(tx: Tx, onRows: OnRows): Tx {
  return transactionOver({
    ...tx,
    async all<T>(query: Sql) {
      const rows = await tx.all<T>(query)
      await onRows(rows.length)
      return rows
    },
  })
}
