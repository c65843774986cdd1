import type { Json } from '../contract/call.ts'
import { nameMax } from '../contract/limits.ts'
import type { QueryOf } from '../contract/operations.ts'
import type { Item } from '../contract/resources/item.ts'
import { isHeld } from '../domain/item-states.ts'
import { foldText, graderKey } from '../domain/normalise.ts'
import { searchTerm } from '../domain/search-text.ts'
import { utcTime } from '../domain/utc-time.ts'
import { sumItemCounts } from '../store/counts.ts'
import {
  countItems,
  gatherItems,
  type ItemFilter,
  type ItemOrder,
  isWalkable,
  type Slice,
  walkItems,
} from '../store/item-lists.ts'
import { readItemCounts } from './items.ts'
import { type Listing, offsetOf } from './listing.ts'
import type { View } from './work.ts'

type ItemsQuery = QueryOf<'listItems'>
/** How many items a filter means, and how many a walk in the list's order passes to find them all. */
type Reckoning = { total: number; walked: number }

/** Folding makes a name longer, at most so many times. */
const foldGrowth = 4

/** GET /items (4.3): held items, or those of a status (decisions 7); the filters as decisions 11 explains them. */
export async function listItems(view: View, { query }: { query: ItemsQuery }): Promise<Listing<Item>> {
  const { tx, scope } = view
  const filter = filterOf(query)
  if (meansNothing(filter)) return { docs: [], total: 0 }
  const order: ItemOrder = { by: query.sort_by, dir: query.sort_dir }
  const slice: Slice = { limit: query.page_size, offset: offsetOf(query) }
  if (namesItems(filter)) return gatherItems(tx, scope.id, filter, order, slice)
  const reckoning = await reckon(view, filter)
  const { total } = reckoning
  if (slice.offset >= total) return { docs: [], total }
  if (isWalkLonger(reckoning, filter, order, slice)) return gatherItems(tx, scope.id, filter, order, slice)
  return { docs: await walkFromNearerEnd(view, filter, order, slice, total), total }
}

function filterOf(query: ItemsQuery): ItemFilter {
  const { status, cert_number, manifest_id, search, sku, grader, intake_after, intake_before } = query
  return {
    status,
    cert_number,
    manifest_id: manifest_id?.toLowerCase(),
    search: search === undefined ? undefined : searchTerm(search),
    sku_part: sku === undefined ? undefined : foldText(sku),
    grader_key: grader === undefined ? undefined : graderKey(grader),
    intake_after: intake_after === undefined ? undefined : utcTime(intake_after),
    intake_before: intake_before === undefined ? undefined : utcTime(intake_before),
  }
}

/** No item has a blank grader, nor a name or SKU as long as this. */
function meansNothing({ grader_key, search = '', sku_part = '' }: ItemFilter): boolean {
  return grader_key === '' || Math.max(search.length, sku_part.length) > foldGrowth * nameMax
}

/** Whether the filter speaks of particular items, few among all. Nobody keeps counts of those. */
function namesItems({ cert_number, manifest_id, search, sku_part }: ItemFilter): boolean {
  return [cert_number, manifest_id, search, sku_part].some((part) => part !== undefined)
}

/** From kept counts; a span of time alone is counted, in its index. */
async function reckon(view: View, filter: ItemFilter): Promise<Reckoning> {
  const { intake_after, intake_before } = filter
  const reckoning = await (filter.grader_key === undefined ? reckonAll : reckonOfGrader)(view, filter)
  if (intake_after === undefined && intake_before === undefined) return reckoning
  return { ...reckoning, total: await countItems(view.tx, view.scope.id, filter) }
}

/** Summed by the database: of all lists the one that is asked for most. */
async function reckonAll({ tx, scope }: View, { status }: ItemFilter): Promise<Reckoning> {
  const total = await sumItemCounts(tx, scope.id, status)
  return { total, walked: total }
}

async function reckonOfGrader(view: View, { status, grader_key }: ItemFilter): Promise<Reckoning> {
  const reckoning = { total: 0, walked: 0 }
  for (const kept of await readItemCounts(view)) {
    if (status === undefined ? !isHeld(kept.status) : kept.status !== status) continue
    reckoning.walked += kept.n
    if (kept.grader_key === grader_key) reckoning.total += kept.n
  }
  return reckoning
}

/** Whether walking to the slice would pass more items than the filter means. */
function isWalkLonger(
  { total, walked }: Reckoning,
  filter: ItemFilter,
  order: ItemOrder,
  { limit, offset }: Slice,
): boolean {
  if (isWalkable(filter, order)) return false
  const wanted = Math.min(offset, total - offset) + limit
  return (wanted * walked) / total > total
}

/** The page's items, walking from the end of the list that is nearer to them. */
async function walkFromNearerEnd(
  { tx, scope }: View,
  filter: ItemFilter,
  order: ItemOrder,
  { limit, offset }: Slice,
  total: number,
): Promise<Array<Json<Item>>> {
  if (offset <= total / 2) return walkItems(tx, scope.id, filter, order, { limit, offset })
  const left = Math.min(limit, total - offset)
  const dir = order.dir === 'asc' ? 'desc' : 'asc'
  const slice = { limit: left, offset: total - offset - left }
  return (await walkItems(tx, scope.id, filter, { ...order, dir }, slice)).reverse()
}
