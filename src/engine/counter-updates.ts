import { assert } from '../domain/invariant.ts'
import type { Tx } from '../store/database.ts'
import { bumpCounts, type CountChange, type CountKind } from '../store/tables/counts.ts'
import { bumpStock, type StockChange } from '../store/tables/stock.ts'
import { inSlices, yieldToEventLoop } from './yield-to-event-loop.ts'

/** Up to `fewChanges` are one statement; more are statements of a power of two, so that each text stays prepared. */
const fewChanges = 16
const changesAtOnce = 128

/** SKUs that are asked for at the same time: a few milliseconds, and one round trip. */
const stockAtOnce = 128

/** Changes to kept counts and stock, gathered so that a work of thousands of rows writes each only once. */
type CounterUpdates = {
  count(kind: CountKind, key: string, by: number): void
  stock(sku: string, by: StockChange): void
  write(tx: Tx, scopeId: number): Promise<void>
}

export function counterUpdates(): CounterUpdates {
  const counts = new Map<string, CountChange>()
  const stock = new Map<string, StockChange>()
  const changes: CounterUpdates = {
    count(kind, key, by) {
      assert(Number.isSafeInteger(by), 'a count changes by a whole number', kind, key, by)
      const name = `${kind} ${key}`
      counts.set(name, { kind, key, by: (counts.get(name)?.by ?? 0) + by })
    },
    stock(sku, by) {
      assert(
        Number.isSafeInteger(by.on_hand + by.available + by.allocated),
        'stock changes by whole units',
        sku,
        by,
      )
      stock.set(sku, addStock(stock.get(sku), by))
    },
    async write(tx, scopeId) {
      await inSlices([...stock], stockAtOnce, async (some) => {
        const bumped = some.map(([sku, by]) => bumpStock(tx, scopeId, sku, by))
        // None is under way any more when one has failed: its second statement would come behind the rollback.
        await Promise.allSettled(bumped)
        const isNew = await Promise.all(bumped)
        for (const one of isNew) if (one) changes.count('stock', '', 1)
      })
      let changed = [...counts.values()].filter(({ by }) => by !== 0)
      while (changed.length > 0) {
        const few = changed.length <= fewChanges
        const some = few
          ? changed.length
          : Math.min(2 ** Math.floor(Math.log2(changed.length)), changesAtOnce)
        await bumpCounts(tx, scopeId, changed.slice(0, some))
        changed = changed.slice(some)
        await yieldToEventLoop()
      }
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
