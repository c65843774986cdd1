import type { RequestedItems } from '../../domain/fulfillments/fulfillment-csv.ts'
import { orderShortage, type Shortage } from '../../domain/fulfillments/shortage.ts'
import { canonicalQid } from '../../domain/items/qid.ts'
import { assert, existing } from '../../domain/rejection.ts'
import {
  findItems,
  findOldestAvailable,
  type IntakePlace,
  type ItemRecord,
  listAvailableOfSku,
} from '../../store/tables/items.ts'
import { findStockedSkus } from '../../store/tables/stock.ts'
import type { ReadContext } from '../context.ts'

/**
 * All items of an order: those by QID first, then the oldest intake of each SKU (decisions 5, 10, 13). Throws `not_found` for a
 * QID without an item, and a conflict that names what is unavailable.
 */
export async function takeAll(
  view: ReadContext,
  shelf: Shelf,
  wanted: readonly RequestedItems[],
): Promise<ItemRecord[]> {
  const taken: ItemRecord[] = []
  const shortages: Shortage[] = []
  const named = new Set(wanted.flatMap((each) => ('qid' in each ? each.qid : [])))
  for (const each of wanted) {
    const filled = await fill(view, shelf, each, named)
    if ('items' in filled) taken.push(...filled.items)
    else shortages.push(filled.shortage)
  }
  if (shortages.length > 0) throw orderShortage(shortages)
  const units = wanted.reduce((sum, each) => sum + ('sku' in each ? each.quantity : 1), 0)
  assert(taken.length === units, 'an order gets as many items as it wants', units, taken.length)
  return taken
}

/** Items in the order of `sent`. Throws `not_found` if a QID is not the partner's. */
export async function itemsOf(view: ReadContext, sent: readonly string[]): Promise<ItemRecord[]> {
  const qids = sent.map((text) => existing(canonicalQid(text)))
  const found = new Map<string, ItemRecord>()
  for (const record of await findItems(view.tx, qids)) found.set(record.item.qid, record)
  assert(found.size <= qids.length, 'no more items are found than are named', qids)
  return qids.map((qid) => existing(found.get(qid)))
}

/** Items that some rows ask for. The claimed scope keeps other writers from taking them. */
export type Shelf = {
  items: Map<string, ItemRecord>
  /** Null if the partner has no such SKU. */
  skus: Map<string, SkuShelf | null>
}

type SkuShelf = {
  /** The last item taken: none up to here is available any more. */
  after: IntakePlace | undefined
  /** The next available items that are already loaded. */
  ahead: ItemRecord[]
  /** Number of available items; known once more were requested than exist. */
  left: number | undefined
}

/** Maximum items loaded ahead: a megabyte or two, more only for files of many rows. */
const aheadMax = 1000

type Filled = { items: ItemRecord[] } | { shortage: Shortage }

export async function stockShelf(
  view: ReadContext,
  asked: ReadonlyArray<{ wanted: RequestedItems }>,
): Promise<Shelf> {
  const { tx } = view
  const qids = new Set<string>()
  const units = new Map<string, number>()
  for (const { wanted } of asked) {
    if ('qid' in wanted) qids.add(wanted.qid)
    else units.set(wanted.sku, (units.get(wanted.sku) ?? 0) + wanted.quantity)
  }
  const shelf: Shelf = { items: new Map(), skus: new Map() }
  for (const sku of units.keys()) shelf.skus.set(sku, { after: undefined, ahead: [], left: undefined })
  const [found] = await Promise.all([findItems(tx, [...qids]), lookAhead(view, shelf, units, asked.length)])
  for (const record of found) shelf.items.set(record.item.qid, record)
  const without = [...shelf.skus].flatMap(([sku, of]) => (of?.ahead.length === 0 ? [sku] : []))
  const known = await findStockedSkus(tx, without)
  for (const sku of without) if (!known.has(sku)) shelf.skus.set(sku, null)
  return shelf
}

/** Whether `fill` needs no query. Only then may earlier orders be unsaved. */
export function isOnShelf({ skus }: Shelf, wanted: RequestedItems): boolean {
  if (!('sku' in wanted)) return true
  const units = skus.get(wanted.sku)
  return !units || units.ahead.length >= Math.min(wanted.quantity, units.left ?? wanted.quantity)
}

/** The items of a row or line, or its shortage (4.4, decisions 5, 11). `except`: QIDs named in the same order. */
export async function fill(
  view: ReadContext,
  shelf: Shelf,
  wanted: RequestedItems,
  except: ReadonlySet<string> = none,
): Promise<Filled> {
  if ('sku' in wanted) return fillUnits(view, shelf, wanted, except)
  const record = shelf.items.get(wanted.qid)
  if (!record) return { shortage: { kind: 'unknown_qid' } }
  const { qid, status } = record.item
  return status === 'available' ? { items: [record] } : { shortage: { kind: 'unavailable', qid, status } }
}

const none: ReadonlySet<string> = new Set()

export function takeFromShelf(shelf: Shelf, moved: readonly ItemRecord[]): void {
  for (const record of moved) {
    const { qid, sku, intake_at, status } = record.item
    assert(status !== 'available', 'taken items are no longer available', qid)
    shelf.items.set(qid, record)
    const units = shelf.skus.get(sku)
    if (!units) continue
    if (units.left !== undefined) units.left -= 1
    assert((units.left ?? 0) >= 0, 'no more units are taken than exist', sku, units.left)
    const at = units.ahead.findIndex(({ item }) => item.qid === qid)
    if (at >= 0) units.ahead.splice(at, 1)
    if (at === 0) units.after = { intake_at, item_no: record.item_no }
  }
}

/** Loads each SKU's total for all rows at once; a row that needs more loads it itself. */
async function lookAhead(
  view: ReadContext,
  { skus }: Shelf,
  wanted: ReadonlyMap<string, number>,
  rows: number,
): Promise<void> {
  const looking: Array<Promise<void>> = []
  const single: Array<[string, SkuShelf]> = []
  let room = Math.max(aheadMax, 4 * rows)
  for (const [sku, quantity] of wanted) {
    const units = skus.get(sku)
    if (!units || quantity > room) continue
    room -= quantity
    if (quantity === 1) single.push([sku, units])
    else looking.push(lookUp(view, sku, units, quantity))
  }
  if (single.length > 0) looking.push(lookUpSingle(view, single))
  await Promise.all(looking)
}

async function lookUpSingle({ tx }: ReadContext, single: Array<[string, SkuShelf]>): Promise<void> {
  const found = await findOldestAvailable(
    tx,
    single.map(([sku]) => sku),
  )
  for (const [sku, units] of single) {
    const record = found.get(sku)
    if (record) addAhead(units, sku, [record])
    else units.left = 0
  }
}

function addAhead(units: SkuShelf, sku: string, items: readonly ItemRecord[]): void {
  for (const { item } of items) {
    assert(item.sku === sku, 'units have the requested SKU', item.qid, item.sku, sku)
    assert(item.status === 'available', 'units on the shelf are available', item.qid, item.status)
  }
  units.ahead.push(...items)
}

async function lookUp({ tx }: ReadContext, sku: string, units: SkuShelf, quantity: number): Promise<void> {
  const missing = Math.min(quantity, units.left ?? quantity) - units.ahead.length
  if (missing <= 0) return
  const last = units.ahead.at(-1)
  const after = last ? { intake_at: last.item.intake_at, item_no: last.item_no } : units.after
  const items = await listAvailableOfSku(tx, sku, missing, after)
  addAhead(units, sku, items)
  if (items.length < missing) units.left = units.ahead.length
}

async function fillUnits(
  view: ReadContext,
  shelf: Shelf,
  { sku, quantity }: { sku: string; quantity: number },
  except: ReadonlySet<string>,
): Promise<Filled> {
  const units = shelf.skus.get(sku)
  if (!units) return { shortage: { kind: 'unknown_sku', sku } }
  const most = quantity + except.size
  if (units.left === undefined || units.left >= quantity) await lookUp(view, sku, units, most)
  const free = except.size === 0 ? units.ahead : units.ahead.filter(({ item }) => !except.has(item.qid))
  if (free.length >= quantity) return { items: free.slice(0, quantity) }
  // A failed lookup has set `left`. Drops the rest: otherwise each failing row would keep items that no later row may need.
  const available = except.size === 0 ? (units.left as number) : free.length
  units.ahead = []
  return { shortage: { kind: 'too_few', sku, requested: quantity, available } }
}
