import type { FiltersOf } from '../../contract/operations.ts'
import type { InventoryLevel } from '../../contract/resources/item.ts'
import { allAmong, asked, insertRecords, join, padded, type ScopedTx, sql } from '../database.ts'
import { readCount } from './counts.ts'
import { countRows, type FilterRules, narrowing } from './documents.ts'

export type StockChange = { on_hand: number; available: number; allocated: number }

/** Adds to the stock of SKUs, each at most once, in one statement. Inserts sums, not changes: a CHECK rejects negative rows. */
export async function bumpStock(
  tx: ScopedTx,
  changes: ReadonlyArray<StockChange & { sku: string }>,
): Promise<void> {
  const rows = changes.map(
    (by) =>
      sql`(${by.sku}, cast(${by.on_hand} as bigint), cast(${by.available} as bigint), cast(${by.allocated} as bigint))`,
  )
  await tx.change(sql`
    with changed (sku, on_hand, available, allocated) as (values ${join(rows)})
    insert into stock (scope_id, sku, on_hand, available, allocated)
    select cast(${tx.scope} as bigint), c.sku, c.on_hand + coalesce(s.on_hand, 0),
      c.available + coalesce(s.available, 0), c.allocated + coalesce(s.allocated, 0)
    from changed c left join stock s on s.scope_id = ${tx.scope} and s.sku = c.sku where true
    on conflict (scope_id, sku) do update
      set on_hand = excluded.on_hand, available = excluded.available, allocated = excluded.allocated`)
}

/** Adds the number of SKUs without a row to the counter: call it before inserting their rows. */
export async function countNewStock(tx: ScopedTx, skus: readonly string[]): Promise<void> {
  await tx.change(sql`
    ${asked(skus)}
    insert into counts (scope_id, kind, key, n)
    select cast(${tx.scope} as bigint), 'stock', '', count(distinct k) + coalesce((
      select n from counts where scope_id = ${tx.scope} and kind = 'stock' and key = ''), 0)
    from asked where not exists (select 1 from stock s where s.scope_id = ${tx.scope} and s.sku = k)
    having count(*) > 0
    on conflict (scope_id, kind, key) do update set n = excluded.n`)
}

/** Inserts rows of zeros for SKUs without stock (decisions 7). Returns how many were new. */
export async function insertStock(tx: ScopedTx, skus: readonly string[]): Promise<number> {
  const rows = skus.map((sku) => ({ scope_id: tx.scope, sku, on_hand: 0, available: 0, allocated: 0 }))
  return insertRecords(tx, 'stock', rows, true)
}

const stockFilters: FilterRules<'listInventory'> = { sku: { where: (sku) => sql`sku = ${sku}` } }

export async function listStock(
  tx: ScopedTx,
  query: FiltersOf<'listInventory'>,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ levels: InventoryLevel[]; total: number }> {
  const { where, counted } = narrowing<'listInventory'>(stockFilters, query, tx.scope)
  const [levels, total] = await Promise.all([
    tx.all<InventoryLevel>(sql`
      select sku, on_hand, available, allocated from stock where scope_id = ${tx.scope} ${where}
      order by sku limit ${limit} offset ${offset}`),
    counted === 'by query' ? countRows(tx, 'stock', where) : readCount(tx, 'stock', ''),
  ])
  return { levels, total }
}

/** SKUs, of products and slabs, that the scope has or once had. */
export async function findStockedSkus(tx: ScopedTx, skus: readonly string[]): Promise<Set<string>> {
  const found = await allAmong(skus, 512, (some) =>
    tx.values<string>(
      sql`select sku from stock where scope_id = ${tx.scope} and sku in (${join(padded(some))})`,
    ),
  )
  return new Set(found)
}
