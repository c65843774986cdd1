import {
  bumpCount,
  bumpCounts,
  type CountChange,
  type CountKind,
  countChangesAtOnce,
} from '../store/counts.ts'
import type { Tx } from '../store/database.ts'
import { bumpStock, type StockChange } from '../store/stock.ts'
import { giveWay } from './give-way.ts'

/** Changes to kept counts and stock, gathered so that a work of thousands of rows writes each only once. */
export type KeptChanges = {
  count(kind: CountKind, key: string, by: number): void
  stock(sku: string, by: StockChange): void
  write(tx: Tx, scopeId: number): Promise<void>
}

export function keptChanges(): KeptChanges {
  const counts = new Map<string, CountChange>()
  const stock = new Map<string, StockChange>()
  const changes: KeptChanges = {
    count(kind, key, by) {
      const name = `${kind} ${key}`
      counts.set(name, { kind, key, by: (counts.get(name)?.by ?? 0) + by })
    },
    stock(sku, by) {
      stock.set(sku, addStock(stock.get(sku), by))
    },
    async write(tx, scopeId) {
      for (const [sku, by] of stock) {
        if (await bumpStock(tx, scopeId, sku, by)) changes.count('stock', '', 1)
        await giveWay()
      }
      const changed = [...counts.values()].filter(({ by }) => by !== 0)
      const whole = changed.length - (changed.length % countChangesAtOnce)
      for (let from = 0; from < whole; from += countChangesAtOnce) {
        await bumpCounts(tx, scopeId, changed.slice(from, from + countChangesAtOnce))
        await giveWay()
      }
      for (const { kind, key, by } of changed.slice(whole)) await bumpCount(tx, scopeId, kind, key, by)
    },
  }
  return changes
}

function addStock(before: StockChange | undefined, by: StockChange): StockChange {
  if (!before) return { ...by }
  return {
    on_hand: before.on_hand + by.on_hand,
    available: before.available + by.available,
    allocated: before.allocated + by.allocated,
  }
}
