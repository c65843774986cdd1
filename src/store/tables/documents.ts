import type { Json } from '../../contract/call.ts'
import type { Fulfillment, Transfer } from '../../contract/resources/fulfillment.ts'
import type { Item } from '../../contract/resources/item.ts'
import type { Manifest } from '../../contract/resources/manifest.ts'
import type { Product } from '../../contract/resources/product.ts'
import type { Tx } from '../database.ts'
import { empty, join, padded, raw, type Sql, sql } from '../sql.ts'

/** Tables that have the wire form of a resource in each row. */
export type Documents = {
  fulfillments: Fulfillment
  items: Item
  manifests: Manifest
  products: Product
  transfers: Transfer
}

/** The exact bytes of a resource by its id, a canonical QID or a SKU; undefined where the scope has none. */
export async function findDoc<T extends keyof Documents>(
  tx: Tx,
  scopeId: number,
  table: T,
  key: string,
  column: 'id' | 'qid' | 'sku' = 'id',
): Promise<Json<Documents[T]> | undefined> {
  const row = await tx.get<{ doc: string }>(
    sql`select doc from ${raw(table)} where scope_id = ${scopeId} and ${raw(column)} = ${key}`,
  )
  return row?.doc
}

/**
 * Newest first: identifiers ascend with time. The page's ids come from an index that covers the filter: in a single select,
 * SQLite would walk every row of the scope in the order of ids.
 */
export async function listDocs<T extends 'fulfillments' | 'manifests' | 'transfers'>(
  tx: Tx,
  scopeId: number,
  table: T,
  filter: Sql,
  limit: number,
  offset: number,
): Promise<Array<Json<Documents[T]>>> {
  const rows = await tx.all<{ doc: string }>(sql`
    select doc from ${raw(table)} where scope_id = ${scopeId} and id in (
      select id from ${raw(table)} where scope_id = ${scopeId} ${filter}
      order by id desc limit ${limit} offset ${offset})
    order by id desc`)
  return rows.map((row) => row.doc)
}

/** How many rows match a filter, counted in the index that covers it. */
export async function countRows(tx: Tx, scopeId: number, table: string, filter: Sql): Promise<number> {
  const row = await tx.get<{ n: number }>(
    sql`select count(*) as n from ${raw(table)} where scope_id = ${scopeId} ${filter}`,
  )
  return row?.n ?? 0
}

/** Columns that have these values, one of them where there are several; what is undefined is not asked for. */
export function matching(columns: Readonly<Record<string, string | readonly string[] | undefined>>): Sql {
  const conditions = Object.entries(columns).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (typeof value === 'string') return [sql`and ${raw(name)} = ${value}`]
    return [sql`and ${raw(name)} in (${join(padded(value))})`]
  })
  return conditions.length === 0 ? empty : join(conditions, ' ')
}
