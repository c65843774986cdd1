import { stockChange } from '../../src/domain/items/item-states.ts'
import { defaultSettings } from '../../src/engine/context.ts'
import { countItem } from '../../src/engine/items/items.ts'
import { ensureScope } from '../../src/engine/partners.ts'
import { openWork, readContext } from '../../src/engine/unit-of-work.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import { type Database, inScope } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { insertItems } from '../../src/store/tables/items.ts'
import type { Scope } from '../../src/store/tables/scopes.ts'
import { itemRecord } from './item-data.ts'

const itemsAtOnce = 20_000

/** Fills an empty database with `total` items of one partner and everything stored with them except their history. */
export async function fillWithItems(db: Database, total: number, partner = 'Bench'): Promise<Scope> {
  await migrate(db)
  const scope = await db.write((tx) => ensureScope(tx, runtime, partner, 'sandbox'))
  for (let from = 1; from <= total; from += itemsAtOnce) {
    await db.write(async (tx) => {
      const work = await openWork(readContext(tx, scope, { sources: runtime, settings: defaultSettings }))
      const entries = []
      for (let no = from; no < Math.min(from + itemsAtOnce, total + 1); no++) {
        const record = itemRecord(work.nextItemNo(), total)
        entries.push({ record, doc: JSON.stringify(record.item) })
        countItem(work, record.item, 1)
        work.stock(record.item.sku, stockChange(null, record.item.status), true)
      }
      await insertItems(inScope(tx, scope.id), entries)
      await work.finish()
    })
  }
  return scope
}
