import type { Json } from '../../contract/call.ts'
import type { ItemStatus } from '../../contract/enums.ts'
import { nameMax } from '../../contract/limits.ts'
import type { FiltersOf } from '../../contract/operations.ts'
import type { Item } from '../../contract/resources/item.ts'
import { certKey, gradersOf } from '../../domain/graders/certificate.ts'
import { graderKey } from '../../domain/graders/graders.ts'
import { isHeld } from '../../domain/items/item-states.ts'
import { searchForms, searchTerm } from '../../domain/items/search-text.ts'
import { utcTime } from '../../domain/utc-time.ts'
import { empty, join, raw, type ScopedTx, type Sql, sql } from '../database.ts'
import type { Candidates } from '../item-search.ts'
import { searchOf } from '../search-of.ts'

type Column = 'held' | 'status' | 'grader_key' | 'intake_at'
/** A column as it is if its index should be used; otherwise wrapped in an expression, so that SQLite does not use it. */
type At = (column: Column) => Sql

type ItemRule<Sent, Form> = {
  /** The value in its column's form: folded, keyed, UTC. Null: no item has it. */
  form: (sent: Sent) => Form | null
  where: (form: Form, at: At, tx: ScopedTx) => Sql
  /** The counters know the total (planList in engine/items/item-list.ts). Other filters are counted by query. */
  isCounted?: true
  /** Few items have each value, so an index finds them best. */
  isFew?: true
  /** Matches part of a text, in any of its forms. */
  isText?: true
}

type AnyRule = Pick<ItemRule<never, never>, 'where' | 'isCounted' | 'isFew' | 'isText'> & {
  form: (sent: never) => unknown
}

function rule<Sent extends string, Form>(of: ItemRule<Sent, Form>): ItemRule<Sent, Form> {
  return of
}

/** Every filter of GET /items (4.3); a missing rule does not compile. The items are `i`. */
const itemRules = {
  status: rule({
    form: (status: ItemStatus) => status,
    where: (status, at) => sql`${at('status')} = ${status}`,
    isCounted: true,
  }),
  sku: rule({
    form: (text: string) => ofPossibleLength(searchForms(text)),
    where: (forms, _, tx) => containingAny(tx, sql`i.sku_fold`, forms),
    isText: true,
  }),
  cert_number: rule({
    form: (text: string) => ({ key: certKey(text), graders: gradersOf({ cert_number: text }) }),
    where: ({ key, graders }) => sql`i.cert_key = ${key} ${ofGraders(raw('i.grader_key'), graders)}`,
    isFew: true,
  }),
  grader: rule({
    form: (name: string) => graderKey(name) || null,
    where: (key, at) => sql`${at('grader_key')} = ${key}`,
    isCounted: true,
  }),
  manifest_id: rule({
    form: (id: string) => id.toLowerCase(),
    where: (id, _, { scope }) => sql`i.line_id in (
      select id from manifest_lines where scope_id = ${scope} and manifest_id = ${id})`,
    isFew: true,
  }),
  search: rule({
    form: (text: string) => ofPossibleLength(searchTerm(text)),
    where: (forms, _, tx) => containingAny(tx, sql`i.search_text`, forms),
    isText: true,
  }),
  intake_after: rule({
    form: utcTime,
    where: (time, at) => sql`${at('intake_at')} >= ${time}`,
    isCounted: true,
  }),
  intake_before: rule({
    form: utcTime,
    where: (time, at) => sql`${at('intake_at')} < ${time}`,
    isCounted: true,
  }),
} satisfies { [Name in keyof FiltersOf<'listItems'>]-?: AnyRule }

type Rules = typeof itemRules
type RuleName = keyof Rules
const ruleNames = Object.keys(itemRules) as RuleName[]

/** Values in their columns' form. Without `status`: held items. */
export type ItemFilter = { [Name in RuleName]?: Exclude<ReturnType<Rules[Name]['form']>, null> | undefined }

/** Composing and folding lengthen a name at most by this factor. */
const foldGrowth = 18

/** The address of a certificate names its grader. */
export function ofGraders(graderKey: Sql, graders: readonly string[]): Sql {
  return graders.length === 0 ? empty : sql`and (${graderKey} is null or ${graderKey} in (${join(graders)}))`
}

/** Null if no item's name or SKU can be this long. */
function ofPossibleLength(forms: readonly string[]): readonly string[] | null {
  return forms.some((form) => form.length > foldGrowth * nameMax) ? null : forms
}

function containingAny(tx: ScopedTx, text: Sql, forms: readonly string[]): Sql {
  return sql`(${join(
    forms.map((form) => searchOf(tx).holds(text, form)),
    ' or ',
  )})`
}

/** Null if no item can match. */
export function itemFilterOf(query: FiltersOf<'listItems'>): ItemFilter | null {
  const filter: Record<string, unknown> = {}
  for (const name of ruleNames) {
    const sent = query[name]
    if (sent === undefined) continue
    const form = (itemRules[name].form as (sent: string) => unknown)(sent)
    if (form === null) return null
    filter[name] = form
  }
  return filter as ItemFilter
}

function asksFor(filter: ItemFilter, isMeant: (rule: AnyRule) => boolean | undefined): boolean {
  return ruleNames.some((name) => filter[name] !== undefined && isMeant(itemRules[name]))
}

export function isCounted(filter: ItemFilter): boolean {
  return !asksFor(filter, (rule) => !rule.isCounted)
}

export function hasText(filter: ItemFilter): boolean {
  return asksFor(filter, (rule) => rule.isText)
}

export type ItemOrder = { by: 'intake_at' | 'updated_at'; dir: 'asc' | 'desc' }
export type Slice = { limit: number; offset: number }

/**
 * Walks the index of the order until the slice is full, from the start or from given ten days. Skipping `offset` reads only the
 * index if the filter is `status`, or intake time in intake order; other filters read each row.
 */
export async function walkItems(
  tx: ScopedTx,
  filter: ItemFilter,
  order: ItemOrder,
  slice: Slice & { fromDays?: string | undefined },
): Promise<Array<Json<Item>>> {
  const by = raw(order.by)
  const dir = raw(order.dir)
  const from = slice.fromDays === undefined ? [] : [notBefore(order, slice.fromDays)]
  const where = join([...conditions(tx, filter, walkedColumns(filter, order)), ...from], ' and ')
  if (slice.offset === 0) {
    // Nothing to skip: read rows directly. `+ 0`: with a bare parameter as limit, SQLite would replan the query each time.
    return tx.values(sql`
      select i.doc from items i where i.scope_id = ${tx.scope} and ${where}
      order by i.${by} ${dir}, i.item_no ${dir} limit ${slice.limit} + 0`)
  }
  return tx.values(sql`
    select i.doc from (
      select i.item_no, i.${by} as at from items i where i.scope_id = ${tx.scope} and ${where}
      order by i.${by} ${dir}, i.item_no ${dir} limit ${slice.limit} offset ${slice.offset}) page
    join items i on i.scope_id = ${tx.scope} and i.item_no = page.item_no
    order by page.at ${dir}, page.item_no ${dir}`)
}

/** Whether an item is in the ten days or later in the list's order: the digit that follows sorts before a colon. */
function notBefore(order: ItemOrder, tenDays: string): Sql {
  const at = raw(`i.${order.by}`)
  return order.dir === 'asc' ? sql`${at} >= ${tenDays}` : sql`${at} < ${`${tenDays}:`}`
}

/** How many items `walkItems` would list; uses only the index if it covers the filter. */
export async function countItems(tx: ScopedTx, filter: ItemFilter): Promise<number> {
  const columns = walkedColumns(filter, { by: 'intake_at', dir: 'asc' })
  const where = join(conditions(tx, filter, columns), ' and ')
  return tx.number(sql`select count(*) as n from items i where i.scope_id = ${tx.scope} and ${where}`)
}

/** Reads all of `among`, sorts it, and returns the slice and the total. Time grows with the number read. */
export async function gatherItems(
  tx: ScopedTx,
  among: Candidates,
  order: ItemOrder,
  slice: Slice,
): Promise<{ docs: Array<Json<Item>>; total: number }> {
  const dir = raw(order.dir)
  const rows = await tx.all<{ total: number; doc: string | null }>(sql`
    with found as materialized (
      select i.item_no, i.${raw(order.by)} as at from ${among.from}
      where ${among.where}
    ), page as (
      select item_no, at from found order by at ${dir}, item_no ${dir} limit ${slice.limit} offset ${slice.offset}
    )
    select (select count(*) from found) as total, i.doc
    from (select 1 as one) one left join page on true
      left join items i on i.scope_id = ${tx.scope} and i.item_no = page.item_no
    order by page.at ${dir}, page.item_no ${dir}`)
  return { docs: rows.flatMap((row) => row.doc ?? []), total: rows[0]?.total ?? 0 }
}

/** Columns in the index of a walk. On SQLite, it also has the texts and all filtered columns. */
function walkedColumns(filter: ItemFilter, order: ItemOrder): Column[] {
  if (hasText(filter)) return order.by === 'intake_at' ? ['held', 'intake_at'] : ['held']
  if (order.by !== 'intake_at') return ['status']
  return filter.status === undefined ? ['status', 'grader_key', 'intake_at'] : ['status', 'intake_at']
}

/** Whether a walk meets only matching items, or nothing is faster than a walk. */
export function isWalkable(filter: ItemFilter, order: ItemOrder): boolean {
  if (hasText(filter)) return true
  if (!isCounted(filter)) return false
  const { grader, intake_after, intake_before } = filter
  const columns = walkedColumns(filter, order)
  if (grader !== undefined && !columns.includes('grader_key')) return false
  return (intake_after ?? intake_before) === undefined || columns.includes('intake_at')
}

/** Candidates by the most selective condition. Null if a walk is as fast: no condition is selective, or too many texts match. */
export async function findFewItems(tx: ScopedTx, filter: ItemFilter): Promise<Candidates | null> {
  if (asksFor(filter, (rule) => rule.isFew)) return itemsBy(tx, filter, [])
  if (!hasText(filter)) return null
  // The index has texts on one line. A term with two forms cannot narrow, because an item may contain either.
  const { search = [], sku = [] } = filter
  const terms = [search, sku].flatMap(([form = [], other]) => (other === undefined ? form : []))
  const lines = terms.map((term) => term.replaceAll('\n', ' '))
  const found = await searchOf(tx).candidates(tx, lines)
  if (!found) return searchOf(tx).isInWalks ? null : itemsInIndex(tx, filter)
  return { from: found.from, where: join([found.where, ...conditions(tx, filter, [])], ' and ') }
}

export function itemsInIndex(tx: ScopedTx, filter: ItemFilter): Candidates {
  return itemsBy(tx, filter, filter.grader === undefined ? ['status', 'intake_at'] : ['grader_key', 'status'])
}

function itemsBy(tx: ScopedTx, filter: ItemFilter, columns: readonly Column[]): Candidates {
  const where = join(conditions(tx, filter, columns), ' and ')
  return { from: sql`items i`, where: sql`i.scope_id = ${tx.scope} and ${where}` }
}

function conditions(tx: ScopedTx, filter: ItemFilter, indexed: readonly Column[]): Sql[] {
  const at: At = (name) => raw(indexed.includes(name) ? `i.${name}` : `coalesce(i.${name}, '')`)
  const { status } = filter
  const found: Sql[] = []
  if (indexed.includes('held')) found.push(sql`i.held = ${status === undefined || isHeld(status) ? 1 : 0}`)
  else if (status === undefined)
    found.push(indexed.includes('status') ? sql`i.held = 1` : sql`i.held + 0 = 1`)
  for (const name of ruleNames) {
    const form = filter[name]
    if (form !== undefined) found.push(itemRules[name].where(form as never, at, tx))
  }
  return found
}

/** Items in custody, except those in transit to a customer, in intake order after `afterNo`: up to 1,000. */
export async function listStored(
  tx: ScopedTx,
  afterNo: number,
): Promise<Array<{ item_no: number; item: Item }>> {
  const rows = await tx.all<{ item_no: number; doc: string }>(sql`
    select item_no, doc from items where scope_id = ${tx.scope} and held = 1 and status <> 'in_transit' and item_no > ${afterNo}
    order by item_no limit 1000`)
  return rows.map(({ item_no, doc }) => ({ item_no, item: JSON.parse(doc) }))
}
