import type { WebhookEventType } from '../../../contract/enums.ts'
import { assert } from '../../../domain/rejection.ts'
import { empty, insertRecords, type ScopedTx, type Sql, sql } from '../../database.ts'
import { skippingLocked } from '../row-locks.ts'
import { freeLease, type Lease, type WaitingRange } from './delivery-leases.ts'
import { type DeliveryKey, type DeliveryRow, isRow } from './delivery-row.ts'
import { countEvents, type EventRow, type Stretch, seqsIn } from './events.ts'

export type DeliveryRange = Stretch & {
  subscription_id: string
  id: string
  /** Null: the subscription's regular events, not a replay. */
  replay_id: string | null
  /** Grows with the log: `end` is the current end of the log. */
  is_open: boolean
  is_leased: boolean
}

export type RangeEvent = Omit<EventRow, 'created_at'> & { delivery_id: string }

type RangeRow = Omit<WaitingRange, 'scope_id'> & {
  id: string
  replay_id: string | null
  lease_owner: string | null
  last_seq: number
}

const columns = sql`
  r.subscription_id, r.id, r.replay_id, r.after_seq, r.end_seq, r.event_types, r.lease_owner, s.last_seq
  from delivery_ranges r join scopes s on s.id = r.scope_id`

/** Starts sending the events written from now on. */
export async function openRange(
  tx: ScopedTx,
  subscriptionId: string,
  id: string,
  types: readonly WebhookEventType[],
): Promise<void> {
  await tx.change(sql`
    insert into delivery_ranges (scope_id, subscription_id, id, after_seq, event_types)
    select id, ${subscriptionId}, ${id}, last_seq, ${JSON.stringify(types)} from scopes where id = ${tx.scope}`)
}

/** Events written from now on are not sent; waiting ones still are. */
export async function closeRange(tx: ScopedTx, subscriptionId: string): Promise<void> {
  await tx.change(sql`
    update delivery_ranges set end_seq = (select last_seq from scopes where id = ${tx.scope})
    where scope_id = ${tx.scope} and subscription_id = ${subscriptionId} and end_seq is null`)
  await tx.change(sql`
    delete from delivery_ranges
    where scope_id = ${tx.scope} and subscription_id = ${subscriptionId} and after_seq >= end_seq`)
}

export async function insertRange(
  tx: ScopedTx,
  range: Pick<DeliveryRange, 'subscription_id' | 'id' | 'replay_id'> & Stretch,
  lease?: Lease,
): Promise<void> {
  const { subscription_id, id, replay_id, after, end, types } = range
  assert(after >= 0 && end >= after, 'a range moves forward in the log', subscription_id, id, after, end)
  const row = {
    scope_id: tx.scope,
    subscription_id,
    id,
    replay_id,
    after_seq: after,
    end_seq: end,
    event_types: JSON.stringify(types),
    lease_owner: lease?.owner ?? null,
    lease_until: lease?.until ?? null,
  }
  await insertRecords(tx, 'delivery_ranges', [row])
}

/** All unsent ranges of a subscription, or of every subscription in the scope. */
export async function listRanges(tx: ScopedTx, subscriptionId?: string): Promise<DeliveryRange[]> {
  const only = subscriptionId === undefined ? empty : sql`and r.subscription_id = ${subscriptionId}`
  const rows = await tx.all<RangeRow>(sql`
    select ${columns} where r.scope_id = ${tx.scope} ${only} and r.after_seq < coalesce(r.end_seq, s.last_seq)
    order by r.subscription_id, r.id`)
  return rows.map(rangeOf)
}

/** Ranges without a lease: regular before replays, oldest first. */
export async function lockFreeRanges(
  tx: ScopedTx,
  subscriptionId: string,
  lease: Lease,
  limit: number,
): Promise<DeliveryRange[]> {
  const rows = await tx.all<RangeRow>(sql`
    select r.subscription_id, r.id, r.replay_id, r.after_seq, r.end_seq, r.event_types, r.lease_owner,
      (select last_seq from scopes where id = ${tx.scope}) as last_seq
    from delivery_ranges r
    where r.scope_id = ${tx.scope} and r.subscription_id = ${subscriptionId} and ${freeLease(lease.now)}
    order by case when r.replay_id is null then 0 else 1 end, r.after_seq, r.id limit ${limit} ${skippingLocked(tx)}`)
  return rows.map(rangeOf)
}

export async function listRangeEvents(
  tx: ScopedTx,
  range: DeliveryRange,
  limit: number,
): Promise<RangeEvent[]> {
  return tx.all<RangeEvent>(sql`
    select ${deliveryIdIn(range)} as delivery_id, seq, id, type, payload, trace from events
    where scope_id = ${tx.scope} and seq in (${seqsIn(tx.scope, range, limit)}) order by seq`)
}

/** Moves the start of a range past events that have been taken. */
export async function moveRange(
  tx: ScopedTx,
  { subscription_id, id, after: before }: DeliveryRange,
  after: number,
): Promise<void> {
  assert(after >= before, 'a range moves forward in the log', subscription_id, id, before, after)
  await tx.change(sql`
    update delivery_ranges set after_seq = ${after}, lease_owner = null, lease_until = null
    where scope_id = ${tx.scope} and subscription_id = ${subscription_id} and id = ${id}`)
}

export async function deleteRange(
  tx: ScopedTx,
  { subscription_id, id }: Pick<DeliveryRange, 'subscription_id' | 'id'>,
): Promise<void> {
  await tx.change(sql`
    delete from delivery_ranges where scope_id = ${tx.scope} and subscription_id = ${subscription_id} and id = ${id}`)
}

/**
 * Ends a lease; events after `rest` still wait (null: none). False if the lease was lost: each lease has its own id, so that a
 * worker that slept cannot end a later one, even its own.
 */
export async function endRangeLease(
  tx: ScopedTx,
  key: DeliveryKey,
  owner: string,
  rest: number | null,
): Promise<boolean> {
  const held = sql`where ${isRow(tx, key)} and lease_owner = ${owner}`
  const ended =
    rest === null
      ? await tx.run(sql`delete from delivery_ranges ${held}`)
      : await tx.run(sql`
          update delivery_ranges set after_seq = ${rest}, lease_owner = null, lease_until = null ${held}`)
  assert(ended <= 1, 'a range has one lease', key.subscriptionId, key.id, ended)
  return ended === 1
}

export async function deleteRanges(tx: ScopedTx, subscriptionId: string): Promise<void> {
  await tx.change(
    sql`delete from delivery_ranges where scope_id = ${tx.scope} and subscription_id = ${subscriptionId}`,
  )
}

export async function countQueued(tx: ScopedTx, ranges: readonly DeliveryRange[]): Promise<number> {
  const counts = await Promise.all(ranges.map((range) => countEvents(tx, range)))
  return counts.reduce((sum, n) => sum + n, 0)
}

/** Selects the last `limit` deliveries of a range, with the columns of `deliveries`. */
export function queuedDeliveries({ scope }: ScopedTx, range: DeliveryRange, limit: number): Sql {
  return sql`
    select cast(${range.subscription_id} as varchar) as subscription_id, ${deliveryIdIn(range)} as id,
      id as event_id, type as event_type, 'pending' as status, 0 as attempts, 0 as earlier_attempts,
      cast(null as bigint) as response_code, cast(null as varchar) as last_error,
      cast(null as varchar) as last_attempt_at, cast(null as varchar) as next_attempt_at,
      cast(null as varchar) as created_at
    from events where scope_id = ${scope} and seq in (${seqsIn(scope, range, limit, 'last')})`
}

export async function findQueued(
  tx: ScopedTx,
  { subscriptionId, id }: DeliveryKey,
): Promise<DeliveryRow | undefined> {
  const [head, tail] = [id.slice(0, idPrefixLength), id.slice(idPrefixLength)]
  for (const range of await listRanges(tx, subscriptionId)) {
    const seq = await tx.value<number>(
      range.replay_id === null
        ? sql`select seq from events
            where scope_id = ${tx.scope} and id >= ${`${head}0000000000`} and id <= ${`${head}ffffffffff`}`
        : sql`select seq from events where scope_id = ${tx.scope} and seq = ${Number(tail) || 0}`,
    )
    if (seq === undefined) continue
    const alone = { ...range, after: Math.max(range.after, seq - 1), end: Math.min(range.end, seq) }
    const [row] = await tx.all<DeliveryRow>(queuedDeliveries(tx, alone, 1))
    if (row?.id === id) return row
  }
  return undefined
}

/** The characters of a UUIDv7 that encode time and order; the other 10 are random. */
const idPrefixLength = 26

/** Derived, so that it stays the same when the delivery gets a row. Ascends by event; for a replay, by replay and event. */
function deliveryIdIn({ replay_id, subscription_id }: DeliveryRange): Sql {
  if (replay_id === null)
    return sql`substr(id, 1, ${idPrefixLength}) || ${subscription_id.slice(idPrefixLength)}`
  return sql`${replay_id.slice(0, idPrefixLength)} || substr(cast(10000000000 + seq as varchar), 2)`
}

function rangeOf(row: RangeRow): DeliveryRange {
  return {
    subscription_id: row.subscription_id,
    id: row.id,
    replay_id: row.replay_id,
    after: row.after_seq,
    end: row.end_seq ?? row.last_seq,
    types: JSON.parse(row.event_types),
    is_open: row.end_seq === null,
    is_leased: row.lease_owner !== null,
  }
}
