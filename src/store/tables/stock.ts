import type { InventoryLevel } from '../../contract/resources/item.ts'
import { assert } from '../../domain/invariant.ts'
import type { Tx } from '../database.ts'
import { insertRecords } from '../insert-records.ts'
import { allAmong, join, padded, sql } from '../sql.ts'

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

/** The stock of one SKU; undefined where the scope never had it. */
export async function findStock(tx: Tx, scopeId: number, sku: string): Promise<InventoryLevel | undefined> {
  return tx.get<InventoryLevel>(
    sql`select sku, on_hand, available, allocated from stock where scope_id = ${scopeId} and sku = ${sku}`,
  )
}

/** Stock levels in the order of their SKUs. */
export async function listStock(
  tx: Tx,
  scopeId: number,
  limit: number,
  offset: number,
): Promise<InventoryLevel[]> {
  return tx.all<InventoryLevel>(sql`
    select sku, on_hand, available, allocated from stock where scope_id = ${scopeId}
    order by sku limit ${limit} offset ${offset}`)
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
