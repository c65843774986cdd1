import type { Json } from '../../contract/call.ts'
import type { FiltersOf } from '../../contract/operations.ts'
import type { Fulfillment, Transfer } from '../../contract/resources/fulfillment.ts'
import type { Item } from '../../contract/resources/item.ts'
import type { Manifest } from '../../contract/resources/manifest.ts'
import type { Product } from '../../contract/resources/product.ts'
import type { Tx } from '../database.ts'
import { raw, type Sql, sql } from '../sql.ts'
import { readCount, sumCounts } from './counts.ts'
import { type FilterRules, narrowing } from './filters.ts'

export type Documents = {
  fulfillments: Fulfillment
  items: Item
  manifests: Manifest
  products: Product
  transfers: Transfer
}

/** The exact stored bytes of a resource, by id, canonical QID, or SKU. */
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

type ListedIn = {
  fulfillments: 'listFulfillments'
  manifests: 'listManifests'
  products: 'listProducts'
  transfers: 'listTransfers'
}

/**
 * A page of documents, newest first (ids ascend with time), and the total, from counters if possible. Queried together to
 * save a round trip. The ids come from a covering index; in one select SQLite would walk every row of the scope.
 */
export async function listDocs<T extends keyof ListedIn>(
  tx: Tx,
  scopeId: number,
  table: T,
  rules: FilterRules<ListedIn[T]>,
  query: FiltersOf<ListedIn[T]>,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ docs: Array<Json<Documents[T]>>; total: number }> {
  const { where, counted } = narrowing(rules, query, scopeId)
  const [rows, total] = await Promise.all([
    tx.all<{ doc: string }>(sql`
      select doc from ${raw(table)} where scope_id = ${scopeId} and id in (
        select id from ${raw(table)} where scope_id = ${scopeId} ${where}
        order by id desc limit ${limit} offset ${offset})
      order by id desc`),
    counted === 'by query'
      ? countRows(tx, scopeId, table, where)
      : counted === 'in all'
        ? sumCounts(tx, scopeId, table)
        : readCount(tx, scopeId, table, counted.key),
  ])
  return { docs: rows.map((row) => row.doc), total }
}

export async function countRows(tx: Tx, scopeId: number, table: string, filter: Sql): Promise<number> {
  const row = await tx.get<{ n: number }>(
    sql`select count(*) as n from ${raw(table)} where scope_id = ${scopeId} ${filter}`,
  )
  return row?.n ?? 0
}
