import { type Json, json } from '../../contract/call.ts'
import { itemStatuses } from '../../contract/enums.ts'
import type { Item } from '../../contract/resources/item.ts'
import { isHeld } from '../../domain/items/item-states.ts'
import {
  findCounts,
  findTenDays,
  sumItemCounts,
  sumItemsSince,
  tenDaysOf,
} from '../../store/tables/counts.ts'
import {
  countItems,
  findFewItems,
  gatherItems,
  hasText,
  type ItemFilter,
  type ItemOrder,
  isCounted,
  isWalkable,
  itemFilterOf,
  itemsInIndex,
  type Slice,
  walkItems,
} from '../../store/tables/item-lists.ts'
import { listStock } from '../../store/tables/stock.ts'
import { type Handler, offsetOf, type ReadContext, sliceOf } from '../context.ts'

/** `walked`: items that a walk of the whole list passes; `newer`: items after the filter's time span, if counted. */
type ListPlan = { total: number; walked: number; newer?: number }

/** Skipping this many index entries takes about a millisecond, like adding the counters of several years. */
const farOffset = 4_000

/** GET /items (4.3): held items or those of one status (decisions 7); filters as in decisions 11. */
export const listItems: Handler<'listItems', 'query'> = async (view, { query }) => {
  const { tx } = view
  const filter = itemFilterOf(query)
  if (!filter) return { docs: [], total: 0 }
  const order: ItemOrder = { by: query.sort_by, dir: query.sort_dir }
  const slice: Slice = { limit: query.page_size, offset: offsetOf(query) }
  const few = await findFewItems(tx, filter)
  if (few) return gatherItems(tx, few, order, slice)
  const plan = await planList(view, filter)
  const { total } = plan
  if (slice.offset >= total) return { docs: [], total }
  if (isWalkLonger(plan, filter, order, slice)) return gatherItems(tx, itemsInIndex(tx, filter), order, slice)
  const page = pageIn(filter, order, slice, plan)
  return { docs: await walkFromNearerEnd(view, page.filter, order, page.slice, page.length), total }
}

/** From counters; a time span adds whole ten-day periods and counts the rest. Other filters are counted by query. */
async function planList(view: ReadContext, filter: ItemFilter): Promise<ListPlan> {
  if (!isCounted(filter)) {
    const total = await countItems(view.tx, filter)
    const walked = hasText(filter) ? total : await sumItemCounts(view.tx, filter.status)
    return { total, walked }
  }
  if (filter.grader === undefined) return planRange(view, filter)
  const plan = await planOfGrader(view, filter)
  const isRange = (filter.intake_after ?? filter.intake_before) !== undefined
  return isRange ? { ...plan, total: await countItems(view.tx, filter) } : plan
}

async function planRange(view: ReadContext, filter: ItemFilter): Promise<ListPlan> {
  const { status, intake_after, intake_before } = filter
  // The database adds these up, because the unfiltered list is requested most.
  const walked = await sumItemCounts(view.tx, status)
  const isWithinTenDays =
    intake_after !== undefined &&
    intake_before !== undefined &&
    tenDaysOf(intake_after) === tenDaysOf(intake_before)
  // Within ten days, counting the span is cheaper than counting both sides: one day may have all the items.
  if (isWithinTenDays) return { total: await countItems(view.tx, filter), walked }
  const newer = intake_before === undefined ? 0 : await countSince(view, filter, intake_before)
  const since = intake_after === undefined ? walked : await countSince(view, filter, intake_after)
  return { total: Math.max(since - newer, 0), walked, newer }
}

/** How many items of a status, or held, had their intake at `time` or later: counts the shorter part of its ten days. */
async function countSince({ tx }: ReadContext, { status }: ItemFilter, time: string): Promise<number> {
  const days = tenDaysOf(time)
  const isLate = time.charAt(days.length) >= '5'
  const part = isLate
    ? { intake_after: time, intake_before: `${days}:` }
    : { intake_after: days, intake_before: time }
  const counted = await countItems(tx, { status, ...part })
  const sum = await sumItemsSince(tx, status, days, isLate)
  return isLate ? sum + counted : sum - counted
}

async function planOfGrader({ tx }: ReadContext, { status, grader }: ItemFilter): Promise<ListPlan> {
  const statuses = status === undefined ? itemStatuses.filter(isHeld) : [status]
  const keys = statuses.map((each) => `${each}|${grader}`)
  const counts = await findCounts(tx, 'items', keys)
  const total = [...counts.values()].reduce((sum, n) => sum + n, 0)
  return { total, walked: await sumItemCounts(tx, status), newer: 0 }
}

function isWalkLonger(
  { total, walked }: ListPlan,
  filter: ItemFilter,
  order: ItemOrder,
  { limit, offset }: Slice,
): boolean {
  if (isWalkable(filter, order)) return false
  const wanted = Math.min(offset, total - offset) + limit
  return (wanted * walked) / total > total
}

/** Far from both ends of a time span, a page is found in the whole list of that status, which has counters. */
function pageIn(
  filter: ItemFilter,
  order: ItemOrder,
  { limit, offset }: Slice,
  { total, walked, newer }: ListPlan,
): { filter: ItemFilter; slice: Slice; length: number } {
  const slice = { limit: Math.min(limit, total - offset), offset }
  const { status, intake_after: _, intake_before: __, ...others } = filter
  const isFar = Math.min(offset, total - offset) >= farOffset
  if (newer === undefined || !isFar || order.by !== 'intake_at' || !isEmpty(others))
    return { filter, slice, length: total }
  const before = order.dir === 'desc' ? newer : walked - newer - total
  return { filter: { status }, slice: { ...slice, offset: before + offset }, length: walked }
}

async function walkFromNearerEnd(
  view: ReadContext,
  filter: ItemFilter,
  order: ItemOrder,
  { limit, offset }: Slice,
  length: number,
): Promise<Array<Json<Item>>> {
  if (offset <= length / 2) return walk(view, filter, order, { limit, offset })
  const dir = order.dir === 'asc' ? 'desc' : 'asc'
  const slice = { limit, offset: length - offset - limit }
  return (await walk(view, filter, { ...order, dir }, slice)).reverse()
}

/** Far from the end, counters skip ten days at a time; they exist only for a status filter. */
async function walk(
  { tx }: ReadContext,
  filter: ItemFilter,
  order: ItemOrder,
  slice: Slice,
): Promise<Array<Json<Item>>> {
  const { status, ...others } = filter
  if (slice.offset < farOffset || !isEmpty(others)) return walkItems(tx, filter, order, slice)
  const start = await findTenDays(tx, status, order, slice.offset)
  const offset = slice.offset - start.before
  return walkItems(tx, filter, order, { ...slice, offset, fromDays: start.days })
}

function isEmpty(filter: ItemFilter): boolean {
  return Object.values(filter).every((part) => part === undefined)
}

/** GET /inventory (4.6): product SKUs, and slab SKUs that ever had stock (decisions 7). `sku` matches exactly (decisions 11). */
export const listInventory: Handler<'listInventory'> = async (view, { query }) => {
  const { tx } = view
  const { levels, total } = await listStock(tx, query, sliceOf(query))
  return { docs: levels.map(json), total }
}
