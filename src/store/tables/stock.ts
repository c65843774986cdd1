import type { FiltersOf } from '../../contract/operations.ts'
import type { InventoryLevel } from '../../contract/resources/item.ts'
import { assert } from '../../domain/invariant.ts'
import type { Tx } from '../database.ts'
import { insertRecords } from '../insert-records.ts'
import { allAmong, join, padded, sql } from '../sql.ts'
import { readCount } from './counts.ts'
import { countRows } from './documents.ts'
import { type FilterRules, narrowing } from './filters.ts'

export type StockChange = { on_hand: number; available: number; allocated: number }

/** Adds to a SKU's stock, making its row if need be; answers whether the SKU is new. */
export async function bumpStock(tx: Tx, scopeId: number, sku: string, by: StockChange): Promise<boolean> {
  const changed = await tx.run(sql`
    update stock set on_hand = on_hand + ${by.on_hand}, available = available + ${by.available},
      allocated = allocated + ${by.allocated}
    where scope_id = ${scopeId} and sku = ${sku}`)
  assert(changed <= 1, 'a SKU has one stock', scopeId, sku, changed)
  if (changed > 0) return false
  assert(
    by.on_hand >= 0 && by.available >= 0 && by.allocated >= 0,
    'new stock is not negative',
    scopeId,
    sku,
    by,
  )
  await tx.change(sql`
    insert into stock (scope_id, sku, on_hand, available, allocated)
    values (${scopeId}, ${sku}, ${by.on_hand}, ${by.available}, ${by.allocated})`)
  return true
}

/** Rows of zeros for SKUs that have none yet (decisions 7); answers how many were new. */
export async function insertStock(tx: Tx, scopeId: number, skus: readonly string[]): Promise<number> {
  const rows = skus.map((sku) => ({ scope_id: scopeId, sku, on_hand: 0, available: 0, allocated: 0 }))
  return insertRecords(tx, 'stock', rows, true)
}

const stockFilters: FilterRules<'listInventory'> = { sku: { where: (sku) => sql`sku = ${sku}` } }

/** Stock levels in the order of their SKUs. */
export async function listStock(
  tx: Tx,
  scopeId: number,
  query: FiltersOf<'listInventory'>,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ levels: InventoryLevel[]; total: number }> {
  const { where, counted } = narrowing<'listInventory'>(stockFilters, query, scopeId)
  const [levels, total] = await Promise.all([
    tx.all<InventoryLevel>(sql`
      select sku, on_hand, available, allocated from stock where scope_id = ${scopeId} ${where}
      order by sku limit ${limit} offset ${offset}`),
    counted === 'by query' ? countRows(tx, scopeId, 'stock', where) : readCount(tx, scopeId, 'stock', ''),
  ])
  return { levels, total }
}

/** Those of the SKUs that the scope has or had, of catalog products and of slabs. */
export async function findStockedSkus(
  tx: Tx,
  scopeId: number,
  skus: readonly string[],
): Promise<Set<string>> {
  const rows = await allAmong(skus, 512, (some) =>
    tx.all<{ sku: string }>(
      sql`select sku from stock where scope_id = ${scopeId} and sku in (${join(padded(some))})`,
    ),
  )
  return new Set(rows.map(({ sku }) => sku))
}
