import type { CsvRowError } from '../contract/resources/error.ts'
import { tooFewAvailable, unavailableItem, unknownQid, unknownSku } from '../domain/csv-row-errors.ts'
import type { RequestedItems } from '../domain/fulfillment-csv.ts'
import { findItems, type IntakePlace, type ItemRecord, listAvailableOfSku } from '../store/items.ts'
import { findStockedSkus } from '../store/stock.ts'
import type { View } from './work.ts'

/** What an import knows of the items its rows ask for; the scope is claimed, so nobody else takes any meanwhile. */
export type Shelf = {
  /** The items that the rows at hand name, as they are by now. */
  items: Map<string, ItemRecord>
  /** Every SKU met so far; null where the partner has none such. */
  skus: Map<string, SkuShelf | null>
}

type SkuShelf = {
  /** The last one taken: every available item up to here is gone. */
  after: IntakePlace | undefined
  /** How many are available, once a row has asked for more than there were. */
  left: number | undefined
}

export type Filled = { items: ItemRecord[] } | { error: CsvRowError }

export function emptyShelf(): Shelf {
  return { items: new Map(), skus: new Map() }
}

/** Looks up at once what some rows ask for. */
export async function stockShelf(view: View, shelf: Shelf, wanted: readonly RequestedItems[]): Promise<void> {
  const { tx, scope } = view
  const qids = new Set<string>()
  const skus = new Set<string>()
  for (const items of wanted) {
    if ('qid' in items) qids.add(items.qid)
    else if (!shelf.skus.has(items.sku)) skus.add(items.sku)
  }
  const found = await findItems(tx, scope.id, [...qids])
  shelf.items = new Map(found.map((record) => [record.item.qid, record]))
  const known = await findStockedSkus(tx, scope.id, [...skus])
  for (const sku of skus) shelf.skus.set(sku, known.has(sku) ? { after: undefined, left: undefined } : null)
}

/** The items for a row, or why it cannot have them (4.4, decisions 5, 11). */
export async function fillRow(
  view: View,
  shelf: Shelf,
  row: number,
  wanted: RequestedItems,
): Promise<Filled> {
  if ('sku' in wanted) return fillUnits(view, shelf, row, wanted)
  const record = shelf.items.get(wanted.qid)
  if (!record) return { error: unknownQid(row) }
  const { qid, status } = record.item
  return status === 'available' ? { items: [record] } : { error: unavailableItem(row, qid, status) }
}

/** Notes that items were taken; `moved` are they afterwards. */
export function takeFromShelf(shelf: Shelf, moved: readonly ItemRecord[]): void {
  for (const record of moved) {
    const { qid, sku } = record.item
    if (shelf.items.has(qid)) shelf.items.set(qid, record)
    const units = shelf.skus.get(sku)
    if (units?.left !== undefined) units.left -= 1
  }
}

async function fillUnits(
  { tx, scope }: View,
  shelf: Shelf,
  row: number,
  { sku, quantity }: { sku: string; quantity: number },
): Promise<Filled> {
  const units = shelf.skus.get(sku)
  if (!units) return { error: unknownSku(row, sku) }
  if (units.left !== undefined && units.left < quantity) {
    return { error: tooFewAvailable(row, sku, quantity, units.left) }
  }
  const items = await listAvailableOfSku(tx, scope.id, sku, quantity, units.after)
  if (items.length < quantity) {
    units.left = items.length
    return { error: tooFewAvailable(row, sku, quantity, items.length) }
  }
  const last = items.at(-1)
  if (last) units.after = { intake_at: last.item.intake_at, item_no: last.item_no }
  return { items }
}
