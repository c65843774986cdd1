import type { Json } from '../../contract/call.ts'
import type { ItemStatus } from '../../contract/enums.ts'
import type { Item } from '../../contract/resources/item.ts'
import type { Tx } from '../database.ts'
import { type Candidates, searchOf } from '../item-search.ts'
import { containing, join, raw, type Sql, sql } from '../sql.ts'

/** What items to list. Without `status`: those held. Texts as the columns keep them: folded, keyed, UTC. */
export type ItemFilter = {
  status?: ItemStatus | undefined
  cert_number?: string | undefined
  manifest_id?: string | undefined
  search?: string | undefined
  sku_part?: string | undefined
  grader_key?: string | undefined
  intake_after?: string | undefined
  intake_before?: string | undefined
}
export type ItemOrder = { by: 'intake_at' | 'updated_at'; dir: 'asc' | 'desc' }
export type Slice = { limit: number; offset: number }

/**
 * Items in order, by walking the index of that order until the slice is full, from its beginning or from ten days on:
 * skipping `offset` is index work alone where the filter is `status`, or the time of intake in an order by intake.
 * Anything else is looked up row by row.
 */
export async function walkItems(
  tx: Tx,
  scopeId: number,
  filter: ItemFilter,
  order: ItemOrder,
  slice: Slice & { fromDays?: string | undefined },
): Promise<Array<Json<Item>>> {
  const by = raw(order.by)
  const dir = raw(order.dir)
  const from = slice.fromDays === undefined ? [] : [notBefore(order, slice.fromDays)]
  const where = join([...conditions(scopeId, filter, walkedColumns(filter, order)), ...from], ' and ')
  if (slice.offset === 0) {
    // Nothing is skipped: the rows are read as they are met. A bare parameter as limit has SQLite plan anew each time.
    const first = await tx.all<{ doc: string }>(sql`
      select i.doc from items i where i.scope_id = ${scopeId} and ${where}
      order by i.${by} ${dir}, i.item_no ${dir} limit ${slice.limit} + 0`)
    return first.map((row) => row.doc)
  }
  const rows = await tx.all<{ doc: string }>(sql`
    select i.doc from (
      select i.item_no, i.${by} as at from items i where i.scope_id = ${scopeId} and ${where}
      order by i.${by} ${dir}, i.item_no ${dir} limit ${slice.limit} offset ${slice.offset}) page
    join items i on i.scope_id = ${scopeId} and i.item_no = page.item_no
    order by page.at ${dir}, page.item_no ${dir}`)
  return rows.map((row) => row.doc)
}

/** That an item comes in ten days or after them, in the order; a digit follows in every time, and comes before a colon. */
function notBefore(order: ItemOrder, tenDays: string): Sql {
  const at = raw(`i.${order.by}`)
  return order.dir === 'asc' ? sql`${at} >= ${tenDays}` : sql`${at} < ${`${tenDays}:`}`
}

/** How many items `walkItems` walks over in all: a count in the index where the filter is nothing else. */
export async function countItems(tx: Tx, scopeId: number, filter: ItemFilter): Promise<number> {
  const columns = walkedColumns(filter, { by: 'intake_at', dir: 'asc' })
  const where = join(conditions(scopeId, filter, columns), ' and ')
  const row = await tx.get<{ n: number }>(
    sql`select count(*) as n from items i where i.scope_id = ${scopeId} and ${where}`,
  )
  return row?.n ?? 0
}

/**
 * Items in order, by looking at all that the filter's narrowest part can mean, and how many there are in all. The time
 * taken grows with those, not with all items.
 */
export async function gatherItems(
  tx: Tx,
  scopeId: number,
  filter: ItemFilter,
  order: ItemOrder,
  slice: Slice,
): Promise<{ docs: Array<Json<Item>>; total: number }> {
  const { from, where } = await narrowest(tx, scopeId, filter)
  const dir = raw(order.dir)
  const rows = await tx.all<{ total: number; doc: string | null }>(sql`
    with found as materialized (
      select i.item_no, i.${raw(order.by)} as at from ${from}
      where ${where}
    ), page as (
      select item_no, at from found order by at ${dir}, item_no ${dir} limit ${slice.limit} offset ${slice.offset}
    )
    select (select count(*) from found) as total, i.doc
    from (select 1 as one) one left join page on true
      left join items i on i.scope_id = ${scopeId} and i.item_no = page.item_no
    order by page.at ${dir}, page.item_no ${dir}`)
  return { docs: rows.flatMap((row) => row.doc ?? []), total: rows[0]?.total ?? 0 }
}

type Column = 'status' | 'grader_key' | 'intake_at'

/** What the index of a walk knows by itself. */
function walkedColumns(filter: ItemFilter, order: ItemOrder): Column[] {
  if (order.by !== 'intake_at') return ['status']
  return filter.status === undefined ? ['status', 'grader_key', 'intake_at'] : ['status', 'intake_at']
}

/** Whether a walk passes no item but those that the filter means. */
export function isWalkable(filter: ItemFilter, order: ItemOrder): boolean {
  const { grader_key, intake_after, intake_before } = filter
  const columns = walkedColumns(filter, order)
  if (grader_key !== undefined && !columns.includes('grader_key')) return false
  return (intake_after ?? intake_before) === undefined || columns.includes('intake_at')
}

/** The items to look at: those of the part of the filter that means the fewest. */
async function narrowest(tx: Tx, scopeId: number, filter: ItemFilter): Promise<Candidates> {
  const { cert_number, manifest_id, search, sku_part, grader_key } = filter
  const by = (...columns: Column[]): Candidates => ({
    from: sql`items i`,
    where: sql`i.scope_id = ${scopeId} and ${join(conditions(scopeId, filter, columns), ' and ')}`,
  })
  if (cert_number !== undefined || manifest_id !== undefined) return by()
  // What is searched for candidates is text on one line.
  const terms = [search, sku_part?.replaceAll('\n', ' ')].filter((term) => term !== undefined)
  const found = await searchOf(tx).candidates(tx, scopeId, terms)
  if (found)
    return { from: found.from, where: join([found.where, ...conditions(scopeId, filter, [])], ' and ') }
  return grader_key === undefined ? by('status', 'intake_at') : by('grader_key', 'status')
}

/** The filter as conditions: plain on the columns of the index to be used, disguised on the others. */
function conditions(scopeId: number, filter: ItemFilter, indexed: readonly Column[]): Sql[] {
  const { status, cert_number, manifest_id, search, sku_part, grader_key } = filter
  const { intake_after, intake_before } = filter
  const column = (name: Column): Sql => raw(indexed.includes(name) ? `i.${name}` : `coalesce(i.${name}, '')`)
  const found: Sql[] = []
  if (status !== undefined) found.push(sql`${column('status')} = ${status}`)
  else found.push(indexed.includes('status') ? sql`i.held = 1` : sql`i.held + 0 = 1`)
  if (cert_number !== undefined) found.push(sql`i.cert_number = ${cert_number}`)
  if (grader_key !== undefined) found.push(sql`${column('grader_key')} = ${grader_key}`)
  if (intake_after !== undefined) found.push(sql`${column('intake_at')} >= ${intake_after}`)
  if (intake_before !== undefined) found.push(sql`${column('intake_at')} < ${intake_before}`)
  // Disguised: what an index can tell of it, the candidates say.
  if (search !== undefined)
    found.push(sql`coalesce(i.search_text, '') like ${containing(search)} escape '\\'`)
  if (sku_part !== undefined) found.push(sql`i.sku_fold like ${containing(sku_part)} escape '\\'`)
  if (manifest_id !== undefined) {
    found.push(sql`i.line_id in (
      select id from manifest_lines where scope_id = ${scopeId} and manifest_id = ${manifest_id})`)
  }
  return found
}
