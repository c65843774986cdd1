import { assert } from '../domain/rejection.ts'
import type { Tx } from '../store/database.ts'
import { bumpCounts, type CountChange, type CountKind } from '../store/tables/counts.ts'
import { bumpStock, countNewStock, type StockChange } from '../store/tables/stock.ts'
import { yieldToEventLoop } from './yield-to-event-loop.ts'

/** More changes than this are split by powers of two, so that each statement's text stays prepared. */
const fewChanges = 16
const changesAtOnce = 128

/** Gathers changes, so that a write of thousands of rows updates each counter once. */
type CounterUpdates = {
  count(kind: CountKind, key: string, by: number): void
  stock(sku: string, by: StockChange, mayBeFirst?: boolean): void
  write(tx: Tx, scopeId: number): Promise<void>
}

export function counterUpdates(): CounterUpdates {
  const counts = new Map<CountKind, Map<string, CountChange>>()
  const stock = new Map<string, StockChange & { sku: string }>()
  const maybeNew = new Set<string>()
  return {
    count(kind, key, by) {
      assert(Number.isSafeInteger(by), 'a count changes by a whole number', kind, key, by)
      const ofKind = counts.get(kind) ?? new Map<string, CountChange>()
      counts.set(kind, ofKind)
      const sum = ofKind.get(key)
      if (sum) sum.by += by
      else ofKind.set(key, { kind, key, by })
    },
    stock(sku, by, mayBeFirst = false) {
      assert(
        Number.isSafeInteger(by.on_hand + by.available + by.allocated),
        'stock changes by whole units',
        sku,
        by,
      )
      if (mayBeFirst) maybeNew.add(sku)
      const sum = stock.get(sku)
      if (sum) {
        sum.on_hand += by.on_hand
        sum.available += by.available
        sum.allocated += by.allocated
      } else stock.set(sku, { sku, ...by })
    },
    async write(tx, scopeId) {
      await inStatements([...stock.values()], async (some) => {
        const arrived = some.map(({ sku }) => sku).filter((sku) => maybeNew.has(sku))
        if (arrived.length > 0) await countNewStock(tx, scopeId, arrived)
        await bumpStock(tx, scopeId, some)
      })
      const changed = [...counts.values()].flatMap((ofKind) =>
        [...ofKind.values()].filter(({ by }) => by !== 0),
      )
      await inStatements(changed, (some) => bumpCounts(tx, scopeId, some))
    },
  }
}

async function inStatements<T>(all: readonly T[], write: (some: T[]) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; ) {
    const left = all.length - from
    const some = left <= fewChanges ? left : Math.min(2 ** Math.floor(Math.log2(left)), changesAtOnce)
    await write(all.slice(from, from + some))
    from += some
    await yieldToEventLoop()
  }
}
