import type { ItemStatus } from '../contract/enums.ts'
import { stockByStatus } from '../domain/item-states.ts'
import type { Finding } from './check-findings.ts'
import type { Tx } from './database.ts'
import { sql } from './sql.ts'
import type { StockChange } from './stock.ts'

/** Recounts the stock of every SKU from its items; a catalog SKU has a row, of zeros if need be (decisions 7). */
export async function checkStock(tx: Tx, scopeId: number): Promise<Finding[]> {
  const counted = await recount(tx, scopeId)
  const findings: Finding[] = []
  const rows = await tx.all<StockChange & { sku: string }>(sql`
    select sku, on_hand, available, allocated from stock where scope_id = ${scopeId} order by sku`)
  for (const { sku, ...kept } of rows) {
    const stock = counted.get(sku) ?? { on_hand: 0, available: 0, allocated: 0 }
    counted.delete(sku)
    if (shown(kept) === shown(stock)) continue
    findings.push({ table: 'stock', key: sku, problem: `${shown(kept)} is kept, ${shown(stock)} counted` })
  }
  for (const [sku, stock] of counted) {
    findings.push({ table: 'stock', key: sku, problem: `nothing is kept, ${shown(stock)} counted` })
  }
  return findings
}

async function recount(tx: Tx, scopeId: number): Promise<Map<string, StockChange>> {
  const stock = new Map<string, StockChange>()
  const catalog = await tx.all<{ sku: string }>(
    sql`select sku from products where scope_id = ${scopeId} order by sku`,
  )
  for (const { sku } of catalog) stock.set(sku, { on_hand: 0, available: 0, allocated: 0 })
  const rows = await tx.all<{ sku: string; status: ItemStatus; n: number }>(sql`
    select sku, status, count(*) as n from items where scope_id = ${scopeId} group by sku, status order by sku`)
  for (const { sku, status, n } of rows) {
    const before = stock.get(sku) ?? { on_hand: 0, available: 0, allocated: 0 }
    const units = stockByStatus[status]
    stock.set(sku, {
      on_hand: before.on_hand + units.on_hand * n,
      available: before.available + units.available * n,
      allocated: before.allocated + units.allocated * n,
    })
  }
  return stock
}

function shown({ on_hand, available, allocated }: StockChange): string {
  return `${on_hand} on hand, ${available} available, ${allocated} allocated`
}
