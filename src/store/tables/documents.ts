import type { Json } from '../../contract/call.ts'
import type { FiltersOf, OperationId } from '../../contract/operations.ts'
import type { Subscription } from '../../contract/resources/event.ts'
import type { Fulfillment, Transfer } from '../../contract/resources/fulfillment.ts'
import type { Item } from '../../contract/resources/item.ts'
import type { Manifest } from '../../contract/resources/manifest.ts'
import type { Product } from '../../contract/resources/product.ts'
import { empty, join, padded, raw, type ScopedTx, type Sql, sql } from '../database.ts'
import { type CountKind, readCount, sumCounts } from './counts.ts'

export type Documents = {
  fulfillments: Fulfillment
  items: Item
  manifests: Manifest
  products: Product
  transfers: Transfer
}

/** The exact stored bytes of a resource, by id, canonical QID, or SKU. */
export async function findDoc<T extends keyof Documents>(
  tx: ScopedTx,
  table: T,
  key: string,
  column: 'id' | 'qid' | 'sku' = 'id',
): Promise<Json<Documents[T]> | undefined> {
  return tx.value(sql`select doc from ${raw(table)} where scope_id = ${tx.scope} and ${raw(column)} = ${key}`)
}

type Listed = Documents & { webhook_subscriptions: Subscription }
type ListedIn = {
  fulfillments: 'listFulfillments'
  manifests: 'listManifests'
  products: 'listProducts'
  transfers: 'listTransfers'
  webhook_subscriptions: 'listSubscriptions'
}

/**
 * A page of documents, newest first (ids ascend with time), and the total, from counters if possible. Queried together to
 * save a round trip. The ids come from a covering index; in one select SQLite would walk every row of the scope.
 */
export async function listDocs<T extends keyof ListedIn>(
  tx: ScopedTx,
  table: T,
  rules: FilterRules<ListedIn[T]>,
  query: FiltersOf<ListedIn[T]>,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ docs: Array<Json<Listed[T]>>; total: number }> {
  const { where, counted } = narrowing(rules, query, tx.scope)
  const kind = (table === 'webhook_subscriptions' ? 'subscriptions' : table) as CountKind
  const [docs, total] = await Promise.all([
    tx.values<string>(sql`
      select doc from ${raw(table)} where scope_id = ${tx.scope} and id in (
        select id from ${raw(table)} where scope_id = ${tx.scope} ${where}
        order by id desc limit ${limit} offset ${offset})
      order by id desc`),
    counted === 'by query'
      ? countRows(tx, table, where)
      : counted === 'in all'
        ? sumCounts(tx, kind)
        : readCount(tx, kind, counted.key),
  ])
  return { docs, total }
}

export async function countRows(tx: ScopedTx, table: string, filter = empty): Promise<number> {
  return tx.number(sql`select count(*) as n from ${raw(table)} where scope_id = ${tx.scope} ${filter}`)
}

/** `isCounted`: counters of the table have each value as a key. Other filters are counted by query. */
type Rule<Value> = { where: (value: Value, scopeId: number) => Sql; isCounted?: true }

/** A condition for each filter of a list: a missing one does not compile. */
export type FilterRules<Id extends OperationId> = {
  readonly [Name in keyof FiltersOf<Id>]-?: Rule<NonNullable<FiltersOf<Id>[Name]>>
}

/** Several values of an indexed column, for which SQLite would walk every row of the scope in the order of ids. */
export function anyOf(
  table: 'fulfillments' | 'manifests',
  column: 'external_ref' | 'reference',
  values: readonly string[],
  scopeId: number,
): Sql {
  if (values.length === 1) return sql`${raw(column)} = ${values[0]}`
  return sql`id in (
    select id from ${raw(table)} where scope_id = ${scopeId} and ${raw(column)} in (${join(padded(values))}))`
}

/** Conditions, each after an `and`, and how to count the matching rows. */
type Narrowing = { where: Sql; counted: 'by query' | 'in all' | { key: string } }

export function narrowing<Id extends OperationId>(
  rules: Partial<FilterRules<Id>>,
  query: FiltersOf<Id>,
  scopeId: number,
): Narrowing {
  const conditions: Sql[] = []
  let counted: Narrowing['counted'] = 'in all'
  for (const [name, rule] of Object.entries<Rule<never> | undefined>(rules)) {
    const value = query[name as keyof FiltersOf<Id>]
    if (value === undefined || rule === undefined) continue
    conditions.push(sql`and ${rule.where(value as never, scopeId)}`)
    counted = rule.isCounted && counted === 'in all' ? { key: String(value) } : 'by query'
  }
  return { where: conditions.length === 0 ? empty : join(conditions, ' '), counted }
}
