import { type ItemStatus, itemStatuses } from '../../contract/enums.ts'
import { isHeld } from '../../domain/items/item-states.ts'
import { assert } from '../../domain/rejection.ts'
import { join, raw, type ScopedTx, type Sql, sql } from '../database.ts'

/**
 * Keys: `items` has `status|grader` (folded, empty for none); `items_by_intake` and `items_by_update` have `ten days|status`;
 * `deliveries` (those with a row) `subscription|status`; `events` `type|thousand`; the others the status, or one total.
 */
export const countKinds = [
  'items',
  'items_by_intake',
  'items_by_update',
  'products',
  'manifests',
  'fulfillments',
  'transfers',
  'intakes',
  'stock',
  'subscriptions',
  'deliveries',
  'events',
  'words',
] as const
export type CountKind = (typeof countKinds)[number]

export type CountChange = { kind: CountKind; key: string; by: number }

/** Changes many counters, each key at most once, in one statement. Inserts sums, not changes: a CHECK rejects negative rows. */
export async function bumpCounts(tx: ScopedTx, changes: readonly CountChange[]): Promise<void> {
  for (const { kind, key, by } of changes)
    assert(by !== 0 && Number.isSafeInteger(by), 'a count changes by a whole number', tx.scope, kind, key, by)
  const rows = changes.map(
    ({ kind, key, by }) => sql`(${tx.scope}, ${kind}, ${key}, ${by} + coalesce((
      select n from counts where scope_id = ${tx.scope} and kind = ${kind} and key = ${key}), 0))`,
  )
  await tx.change(sql`
    insert into counts (scope_id, kind, key, n) values ${join(rows)}
    on conflict (scope_id, kind, key) do update set n = excluded.n`)
}

export async function readCount(tx: ScopedTx, kind: CountKind, key: string): Promise<number> {
  return tx.number(sql`select n from counts where scope_id = ${tx.scope} and kind = ${kind} and key = ${key}`)
}

/** By key; counters that do not exist are left out. */
export async function findCounts(
  tx: ScopedTx,
  kind: CountKind,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.all<{ key: string; n: number }>(
    sql`select key, n from counts where scope_id = ${tx.scope} and kind = ${kind} and key in (${join(keys)})`,
  )
  return new Map(rows.map((row) => [row.key, row.n]))
}

/** Statuses hidden from lists without a status filter (decisions 7). */
const notHeld = itemStatuses.filter((status) => !isHeld(status))

/** How many items have `status`, or are held if it is undefined (decisions 7). */
export async function sumItemCounts(tx: ScopedTx, status: ItemStatus | undefined): Promise<number> {
  return tx.number(
    status === undefined
      ? sql`
          select coalesce(sum(n), 0) as n from counts where scope_id = ${tx.scope} and kind = 'items'
            and not (${join(
              notHeld.map((gone) => sql`key like ${`${gone}|%`}`),
              ' or ',
            )})`
      : sql`
          select coalesce(sum(n), 0) as n from counts where scope_id = ${tx.scope} and kind = 'items'
            and key like ${`${status}|%`}`,
  )
}

/** Sums the ten-day counters, because there are few; the number of graders has no limit. */
export async function sumItemsByStatus(tx: ScopedTx): Promise<Array<{ status: ItemStatus; n: number }>> {
  const rows = await tx.all<{ status: ItemStatus; n: number }>(sql`
    select substr(key, 11) as status, sum(n) as n from counts
    where scope_id = ${tx.scope} and kind = 'items_by_intake' group by substr(key, 11)`)
  return rows.map(({ status, n }) => ({ status, n: Number(n) }))
}

/** The start of an ISO time that names ten days of a month: the 1st to 9th, from the 10th, 20th, or 30th (UTC). */
export function tenDaysOf(time: string): string {
  return time.slice(0, 9)
}

/** The ten days with the item at `offset` of a list by `status` (default: held), and how many precede them: no walk needed. */
export async function findTenDays(
  tx: ScopedTx,
  status: ItemStatus | undefined,
  order: { by: 'intake_at' | 'updated_at'; dir: 'asc' | 'desc' },
  offset: number,
): Promise<{ days: string; before: number }> {
  const kind: CountKind = order.by === 'intake_at' ? 'items_by_intake' : 'items_by_update'
  const [dir, back] = order.dir === 'asc' ? [raw('asc'), raw('desc')] : [raw('desc'), raw('asc')]
  const [row] = (await tx.all(sql`
    select days, before from (
      select days, sum(n) over (order by days ${dir}) - n as before from (
        select substr(key, 1, 9) as days, sum(n) as n from counts
        where scope_id = ${tx.scope} and kind = ${kind} and ${ofStatus(status)} group by substr(key, 1, 9)
      ) counted
    ) starts
    where before <= ${offset} order by days ${back} limit 1`)) as [{ days: string; before: number }]
  return { days: row.days, before: Number(row.before) }
}

/** How many items of `status`, or of held items, had their intake in `tenDays` or later; `after`: later only. */
export async function sumItemsSince(
  tx: ScopedTx,
  status: ItemStatus | undefined,
  tenDays: string,
  after = false,
): Promise<number> {
  // `~` sorts after the bar that ends the ten days in a key.
  const from = after ? `${tenDays}~` : tenDays
  return tx.number(sql`
    select coalesce(sum(n), 0) as n from counts
    where scope_id = ${tx.scope} and kind = 'items_by_intake' and key > ${from} and ${ofStatus(status)}`)
}

function ofStatus(status: ItemStatus | undefined): Sql {
  if (status !== undefined) return sql`substr(key, 11) = ${status}`
  return sql`substr(key, 11) not in (${join(notHeld)})`
}

export async function sumCounts(tx: ScopedTx, kind: CountKind): Promise<number> {
  return tx.number(
    sql`select coalesce(sum(n), 0) as n from counts where scope_id = ${tx.scope} and kind = ${kind}`,
  )
}

export async function dropCount(tx: ScopedTx, kind: CountKind, key: string): Promise<void> {
  await tx.change(sql`delete from counts where scope_id = ${tx.scope} and kind = ${kind} and key = ${key}`)
}
