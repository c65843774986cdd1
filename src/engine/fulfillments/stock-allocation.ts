import { faultsMax } from '../../contract/limits.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import {
  tooFewAvailable,
  unavailableItem,
  unknownQid,
  unknownQidMessage,
  unknownSku,
} from '../../domain/csv/csv-row-errors.ts'
import type { RequestedItems } from '../../domain/fulfillments/fulfillment-csv.ts'
import { canonicalQid } from '../../domain/items/qid.ts'
import { conflict, type FieldErrors, notFound, type Refusal } from '../../domain/refusal.ts'
import { findItems, type IntakePlace, type ItemRecord, listAvailableOfSku } from '../../store/tables/items.ts'
import { findStockedSkus } from '../../store/tables/stock.ts'
import type { ReadContext } from '../context.ts'

/**
 * The partner's items of these QIDs, in their order, all of them available. Throws not_found where one is no item of the
 * partner's, however it fails to be, and a conflict that names those which are not available (decisions 10).
 */
export async function takeQids(view: ReadContext, sent: readonly string[]): Promise<ItemRecord[]> {
  const records = await itemsOf(view, sent)
  const taken = records.filter(({ item }) => item.status !== 'available')
  if (taken.length > 0) throw unavailable(taken)
  return records
}

/** So many available items of a SKU, oldest intake first. Throws a conflict where there are fewer (decisions 5, 10). */
export async function takeUnits(
  view: ReadContext,
  { sku, quantity }: { sku: string; quantity: number },
): Promise<ItemRecord[]> {
  const records = await listAvailableOfSku(view.tx, view.scope.id, sku, quantity)
  if (records.length === quantity) return records
  const available = records.length
  throw conflict(`${sku} has ${available} of the ${quantity} items asked for available.`, {
    availability: [{ sku, requested: quantity, available }],
  })
}

/** The partner's items of these QIDs, in their order. Throws not_found where one is no item of the partner's. */
export async function itemsOf(view: ReadContext, sent: readonly string[]): Promise<ItemRecord[]> {
  const qids = sent.map((text) => canonicalQid(text) ?? refuseUnknown())
  const found = new Map<string, ItemRecord>()
  for (const record of await findItems(view.tx, view.scope.id, qids)) found.set(record.item.qid, record)
  return qids.map((qid) => found.get(qid) ?? refuseUnknown())
}

/** The QIDs that name none of the partner's items, worded as in a CSV; at most as many as an answer lists. */
export async function unknownQidFaults(
  view: ReadContext,
  sent: ReadonlyArray<string | undefined> = [],
): Promise<FieldErrors> {
  const qids = sent.map((text) => (text === undefined ? null : canonicalQid(text)))
  const found = await findItems(
    view.tx,
    view.scope.id,
    qids.filter((qid) => qid !== null),
  )
  const known = new Set(found.map(({ item }) => item.qid))
  const unknown = sent.flatMap((text, at) =>
    text === undefined || known.has(qids[at] ?? '') ? [] : [[`qids[${at}]`, [unknownQidMessage]] as const],
  )
  return Object.fromEntries(unknown.slice(0, faultsMax).map(([path, messages]) => [path, [...messages]]))
}

function refuseUnknown(): never {
  throw notFound()
}

function unavailable(records: readonly ItemRecord[]): Refusal {
  const [first] = records
  const message =
    records.length === 1
      ? `${first?.item.qid} is ${first?.item.status}, not available.`
      : `${records.length} of these items are not available.`
  const availability = records.map(({ item: { qid, status } }) => {
    return { qid, status, requested: 1, available: 0 }
  })
  return conflict(message, { availability })
}

/** The items that some rows ask for, as looked up. The scope is claimed, so nobody else takes any meanwhile. */
export type Shelf = {
  /** The items that these rows name, in their current state. */
  items: Map<string, ItemRecord>
  /** The SKUs that they name; null where the partner has none such. */
  skus: Map<string, SkuShelf | null>
}

type SkuShelf = {
  /** The last item taken: every available one up to here is gone. */
  after: IntakePlace | undefined
  /** The next available items behind it, as far as they were looked up. */
  ahead: ItemRecord[]
  /** How many are available; known once more were asked for than there are. */
  left: number | undefined
}

/** How many items are looked up ahead: a megabyte or two. */
const aheadMax = 1000

type Filled = { items: ItemRecord[] } | { error: CsvRowError }

/** Looks up at once what some rows ask for. */
export async function stockShelf(view: ReadContext, wanted: readonly RequestedItems[]): Promise<Shelf> {
  const { tx, scope } = view
  const qids = new Set<string>()
  const skus = new Set<string>()
  const units = new Map<string, number>()
  for (const items of wanted) {
    if ('qid' in items) qids.add(items.qid)
    else {
      skus.add(items.sku)
      units.set(items.sku, (units.get(items.sku) ?? 0) + items.quantity)
    }
  }
  const [found, known] = await Promise.all([
    findItems(tx, scope.id, [...qids]),
    findStockedSkus(tx, scope.id, [...skus]),
  ])
  const shelf: Shelf = { items: new Map(found.map((record) => [record.item.qid, record])), skus: new Map() }
  for (const sku of skus)
    shelf.skus.set(sku, known.has(sku) ? { after: undefined, ahead: [], left: undefined } : null)
  await lookAhead(view, shelf, units)
  return shelf
}

/** The items for a row, or why it cannot have them (4.4, decisions 5, 11). */
export async function fillRow(
  view: ReadContext,
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
    const { qid, sku, intake_at } = record.item
    shelf.items.set(qid, record)
    const units = shelf.skus.get(sku)
    if (!units) continue
    if (units.left !== undefined) units.left -= 1
    const at = units.ahead.findIndex(({ item }) => item.qid === qid)
    if (at >= 0) units.ahead.splice(at, 1)
    if (at === 0) units.after = { intake_at, item_no: record.item_no }
  }
}

/** Looks up what rows want of each SKU, all at once; a row that wants more looks that up itself. */
async function lookAhead(
  view: ReadContext,
  { skus }: Shelf,
  wanted: ReadonlyMap<string, number>,
): Promise<void> {
  const looking: Array<Promise<void>> = []
  let room = aheadMax
  for (const [sku, quantity] of wanted) {
    const units = skus.get(sku)
    if (!units || quantity > room) continue
    room -= quantity
    looking.push(lookUp(view, sku, units, quantity))
  }
  await Promise.all(looking)
}

/** Loads the next `quantity` available items of a SKU, or all there are. */
async function lookUp(
  { tx, scope }: ReadContext,
  sku: string,
  units: SkuShelf,
  quantity: number,
): Promise<void> {
  const missing = Math.min(quantity, units.left ?? quantity) - units.ahead.length
  if (missing <= 0) return
  const last = units.ahead.at(-1)
  const after = last ? { intake_at: last.item.intake_at, item_no: last.item_no } : units.after
  const items = await listAvailableOfSku(tx, scope.id, sku, missing, after)
  units.ahead.push(...items)
  if (items.length < missing) units.left = units.ahead.length
}

async function fillUnits(
  view: ReadContext,
  shelf: Shelf,
  row: number,
  { sku, quantity }: { sku: string; quantity: number },
): Promise<Filled> {
  const units = shelf.skus.get(sku)
  if (!units) return { error: unknownSku(row, sku) }
  if (units.left === undefined || units.left >= quantity) await lookUp(view, sku, units, quantity)
  const { ahead } = units
  if (ahead.length >= quantity) return { items: ahead.slice(0, quantity) }
  // Looking for more than there are has told how many are left. Otherwise every failing row would keep its remainder in memory, and perhaps no row wants so few.
  units.ahead = []
  return { error: tooFewAvailable(row, sku, quantity, units.left as number) }
}
