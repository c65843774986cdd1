import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify'
import { stockChange } from '../../src/domain/items/item-states.ts'
import { makeQid } from '../../src/domain/items/qid.ts'
import { defaultSettings } from '../../src/engine/context.ts'
import { countItem } from '../../src/engine/items/items.ts'
import { openWork, readContext } from '../../src/engine/unit-of-work.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import { type Database, inScope } from '../../src/store/database.ts'
import { type ItemRecord, insertItems } from '../../src/store/tables/items.ts'
import { listScopes } from '../../src/store/tables/scopes.ts'
import { itemOf } from '../../test/support/stored-items.ts'
import { uuidOf } from './item-data.ts'
import { numbersFrom } from './random.ts'

const skus = 2000
const itemsAtOnce = 10_000

/** Gives the first partner of a database `units` available units of 2,000 SKUs. */
export async function fillShelves(db: Database, units: number): Promise<void> {
  const [scope] = await db.read(listScopes)
  if (!scope) throw new Error('the database has no partner')
  for (let from = 0; from < units; from += itemsAtOnce) {
    await db.write(async (tx) => {
      const work = await openWork(readContext(tx, scope, { sources: runtime, settings: defaultSettings }))
      const entries = Array.from({ length: Math.min(itemsAtOnce, units - from) }, () => {
        const record = unit(work.nextItemNo(), work.now)
        countItem(work, record.item, 1)
        work.stock(record.item.sku, stockChange(null, record.item.status), true)
        return { record, doc: JSON.stringify(record.item) }
      })
      await insertItems(inScope(tx, scope.id), entries)
      await work.finish()
    })
  }
}

function unit(no: number, now: string): ItemRecord {
  const next = numbersFrom(no * 7919 + 17)
  const qid = makeQid(Uint8Array.from({ length: 11 }, () => Math.floor(next() * 256)))
  const item = itemOf({ name: `Sealed product ${no % skus}`, sku: skuOf(no) }, qid, now)
  return { item, item_no: no, manifest_id: uuidOf(1, 1), transfer_id: null, condition_flags: [] }
}

function skuOf(no: number): string {
  return `SKU-${no % skus}`
}

/** A file of `orders` orders of `lines` rows each: one unit per row, with different SKUs in an order. */
export async function writeOrders(file: string, orders: number, lines = 1): Promise<void> {
  await pipeline(orderRows(orders, lines), stringify({ columns, header: true }), createWriteStream(file))
}

const address = ['street', 'city', 'state', 'zip', 'country']
const columns = ['sku', 'quantity', 'recipient_name', ...address, 'external_ref']

function* orderRows(orders: number, lines: number): Generator<string[]> {
  for (let no = 0; no < orders; no++)
    for (let line = 0; line < lines; line++) {
      const place = [`${no} Elm Street`, 'Portland', 'OR', '97201', 'US']
      yield [skuOf(no * 7 + line), '1', `Ann Lee ${no}`, ...place, `WEB-${no}`]
    }
}
