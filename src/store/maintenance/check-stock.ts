import type { ItemStatus } from '../../contract/enums.ts'
import { stockByStatus } from '../../domain/items/item-states.ts'
import { sql, type Tx } from '../database.ts'
import { tenDaysOf } from '../tables/counts.ts'
import { itemColumns } from '../tables/items.ts'
import type { StockChange } from '../tables/stock.ts'
import { checkItemCounts } from './check-counts.ts'
import { compared, type Finding } from './check-findings.ts'
import { type Part, pagesOf, rowsOf, within } from './scoped-rows.ts'

type Stock = StockChange & { sku: string }

const nothing: StockChange = { on_hand: 0, available: 0, allocated: 0 }

/** Recounts every SKU's stock from its items. Every catalog SKU has a row, even without stock (decisions 7). */
export async function checkStock(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const { rows, part } of pagesOf<Stock>(tx, scopeId, 'stock')) {
    findings.push(...compareStock(rows, await recount(tx, scopeId, part)))
  }
  return findings
}

function compareStock(rows: readonly Stock[], counted: Map<string, StockChange>): Finding[] {
  const findings: Finding[] = []
  for (const { sku, ...kept } of rows) {
    const stock = counted.get(sku) ?? nothing
    counted.delete(sku)
    if (shown(kept) === shown(stock)) continue
    findings.push({ table: 'stock', key: sku, problem: `${shown(kept)} stored, ${shown(stock)} counted` })
  }
  for (const [sku, stock] of counted) {
    findings.push({ table: 'stock', key: sku, problem: `nothing stored, ${shown(stock)} counted` })
  }
  return findings
}

async function recount(tx: Tx, scopeId: number, part: Part): Promise<Map<string, StockChange>> {
  const stock = new Map<string, StockChange>()
  const catalog = await tx.all<{ sku: string }>(
    sql`select sku from products where scope_id = ${scopeId} ${within('sku', part)} order by sku`,
  )
  for (const { sku } of catalog) stock.set(sku, nothing)
  const rows = await tx.all<{ sku: string; status: ItemStatus; n: number }>(sql`
    select sku, status, count(*) as n from items where scope_id = ${scopeId} ${within('sku', part)}
    group by sku, status order by sku, status`)
  for (const { sku, status, n } of rows) {
    const before = stock.get(sku) ?? nothing
    // `checkItems` reports unknown statuses.
    const units = stockByStatus[status] ?? nothing
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

/** Documents match their columns, and the counters by status and grader, and by ten days and status, are right. */
export async function checkItems(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings: Finding[] = []
  const none = (): Map<string, number> => new Map()
  const counted = { items: none(), items_by_intake: none(), items_by_update: none() }
  for await (const row of rowsOf(tx, scopeId, 'items')) {
    countOne(counted.items, `${row.status}|${row.grader_key ?? ''}`)
    countOne(counted.items_by_intake, `${tenDaysOf(String(row.intake_at))}|${row.status}`)
    countOne(counted.items_by_update, `${tenDaysOf(String(row.updated_at))}|${row.status}`)
    findings.push(...compared('items', String(row.qid), row, itemColumns))
  }
  for (const kind of ['items', 'items_by_intake', 'items_by_update'] as const) {
    findings.push(...(await checkItemCounts(tx, scopeId, kind, counted[kind])))
  }
  return findings
}

function countOne(counted: Map<string, number>, key: string): void {
  counted.set(key, (counted.get(key) ?? 0) + 1)
}
