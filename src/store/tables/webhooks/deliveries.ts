import { deliveryStatuses, type Environment } from '../../../contract/enums.ts'
import type { FiltersOf } from '../../../contract/operations.ts'
import type { Delivery } from '../../../contract/resources/event.ts'
import { assert } from '../../../domain/rejection.ts'
import { empty, joinOnce, type ScopedTx, type Sql, sql, type Tx } from '../../database.ts'
import { findCounts } from '../counts.ts'
import { countRows, type FilterRules, narrowing } from '../documents.ts'
import type { ScopeClock } from '../scopes.ts'
import {
  countQueued,
  type DeliveryRange,
  findQueued,
  listRanges,
  queuedDeliveries,
} from './delivery-ranges.ts'
import { type DeliveryKey, type DeliveryRow, isRow } from './delivery-row.ts'

export type DeliveryCreate = Delivery & {
  subscription_id: string
  /** The event's place in the log; null for a sample, which has its own payload. */
  seq: number | null
  payload?: string
  lease_owner?: string
  lease_until?: string
}

const columns = sql`
  subscription_id, id, event_id, event_type, status, attempts, earlier_attempts, response_code, last_error,
  last_attempt_at, next_attempt_at, created_at`

export async function insertDeliveries(tx: ScopedTx, deliveries: readonly DeliveryCreate[]): Promise<void> {
  for (const {
    id,
    attempts,
    lease_owner,
    lease_until,
    seq,
    payload,
    status,
    next_attempt_at,
  } of deliveries) {
    assert(attempts >= 0, 'attempts are counted from 0', tx.scope, id, attempts)
    assert((lease_owner === undefined) === (lease_until === undefined), 'a lease has an owner and an end', id)
    assert(seq !== null || payload !== undefined, 'a delivery has something to deliver', tx.scope, id)
    assert(
      (status === 'pending') === (next_attempt_at != null),
      'a pending delivery is due',
      tx.scope,
      id,
      status,
    )
  }
  const names = `subscription_id id event_id seq payload event_type status attempts response_code last_error
    last_attempt_at next_attempt_at lease_owner lease_until created_at`.split(/\s+/) as Array<
    keyof DeliveryCreate
  >
  await tx.insert(
    'deliveries',
    ['scope_id', ...names],
    deliveries.map((delivery) => [tx.scope, ...names.map((name) => delivery[name] ?? null)]),
  )
}

export async function findDelivery(tx: ScopedTx, key: DeliveryKey): Promise<DeliveryRow | undefined> {
  const row = await tx.get<DeliveryRow>(sql`select ${columns} from deliveries where ${isRow(tx, key)}`)
  return row ?? (await findQueued(tx, key))
}

type Filters = FiltersOf<'listDeliveries'>

/** `waiting`: the part of a range that can match. All deliveries that wait in the log are pending. */
const deliveryFilters: {
  readonly [Name in keyof Filters]-?: FilterRules<'listDeliveries'>[Name] & {
    waiting: (value: NonNullable<Filters[Name]>, range: DeliveryRange) => DeliveryRange | undefined
  }
} = {
  status: {
    where: (status) => sql`status = ${status}`,
    isCounted: true,
    waiting: (status, range) => (status === 'pending' ? range : undefined),
  },
}

export function deliveryCountKey(subscriptionId: string, status: string): string {
  return `${subscriptionId}|${status}`
}

/** Deliveries with a row and those waiting in the log, newest first: ids ascend with time. */
export async function listDeliveryRows(
  tx: ScopedTx,
  subscriptionId: string,
  query: Filters,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  const { where, counted } = narrowing<'listDeliveries'>(deliveryFilters, query, tx.scope)
  const ofSubscription = sql`and subscription_id = ${subscriptionId} ${where}`
  const withRow = sql`
    select ${columns} from deliveries where scope_id = ${tx.scope} ${ofSubscription} order by id desc`
  const ranges = (await listRanges(tx, subscriptionId)).flatMap((range) => waitingIn(range, query) ?? [])
  const keys = (typeof counted === 'object' ? [counted.key] : deliveryStatuses).map((status) =>
    deliveryCountKey(subscriptionId, status),
  )
  const some = limit + offset
  const queries = [sql`${withRow} limit ${some}`, ...ranges.map((range) => queuedDeliveries(tx, range, some))]
  const parts = queries.map((part) => sql`select * from (${part}) part`)
  const all =
    ranges.length === 0
      ? withRow
      : sql`select * from (${joinOnce(parts, ' union all ')}) found order by id desc`
  const [rows, queued, counts] = await Promise.all([
    tx.all<DeliveryRow>(sql`${all} limit ${limit} offset ${offset}`),
    countQueued(tx, ranges),
    counted === 'by query'
      ? countRows(tx, 'deliveries', ofSubscription).then((n) => [n])
      : findCounts(tx, 'deliveries', keys).then((found) => [...found.values()]),
  ])
  return { rows, total: counts.reduce((sum, n) => sum + n, queued) }
}

function waitingIn(range: DeliveryRange, query: Filters): DeliveryRange | undefined {
  let left: DeliveryRange | undefined = range
  for (const [name, { waiting }] of Object.entries(deliveryFilters)) {
    const value = query[name as keyof Filters]
    if (left && value !== undefined) left = waiting(value, left)
  }
  return left
}

/** Queues a finished delivery again, due at `now` with a fresh retry schedule. */
export async function requeueDelivery(tx: ScopedTx, key: DeliveryKey, now: string): Promise<void> {
  await tx.change(sql`
    update deliveries set status = 'pending', earlier_attempts = attempts, next_attempt_at = ${now},
      lease_owner = null, lease_until = null
    where ${isRow(tx, key)}`)
}

/** The first subscription after `id` that has deliveries with a row; the subscription itself may be deleted. */
export async function nextWithDeliveries(tx: ScopedTx, id: string): Promise<string | undefined> {
  return tx.value(sql`
    select subscription_id from deliveries where scope_id = ${tx.scope} and subscription_id > ${id}
    order by subscription_id limit 1`)
}

type Ended = { status: 'delivered' | 'dead'; before?: string; beforeId?: string }

/** Deletes up to `limit`: all, or those that ended, not attempted since `before` and created before `beforeId`. Returns how many. */
export async function deleteDeliveries(
  tx: ScopedTx,
  subscriptionId: string,
  limit: number,
  ended?: Ended,
): Promise<number> {
  const ofSubscription = sql`scope_id = ${tx.scope} and subscription_id = ${subscriptionId}`
  return tx.run(sql`
    delete from deliveries where ${ofSubscription} and id in (
      select id from deliveries where ${ofSubscription} ${conditionOf(ended)} order by id limit ${limit})`)
}

function conditionOf(ended: Ended | undefined): Sql {
  if (ended === undefined) return empty
  const { status, before, beforeId } = ended
  if (before === undefined) return sql`and status = ${status}`
  return sql`and status = ${status} and id < ${beforeId} and (last_attempt_at is null or last_attempt_at < ${before})`
}

/** `oldest`: when the oldest delivery with a row and no attempt was queued. */
export type BacklogRow = ScopeClock & {
  scope_id: number
  subscription_id: string
  /** Active and not failing: a backlog caused by the receiver is not this service's fault. */
  is_healthy: number
  oldest: string | null
}

export async function listBacklogs(tx: Tx, environment: Environment): Promise<BacklogRow[]> {
  return tx.all<BacklogRow>(sql`
    select s.id as scope_id, s.partner_id, s.environment, s.last_at, s.clock_offset_ms, w.id as subscription_id,
      case when w.active = 1 and w.failing_since is null then 1 else 0 end as is_healthy, (
        select d.created_at from deliveries d
        where d.scope_id = w.scope_id and d.subscription_id = w.id and d.status = 'pending' and d.attempts = 0
        order by d.id limit 1) as oldest
    from scopes s join webhook_subscriptions w on w.scope_id = s.id
    where s.environment = ${environment} order by s.id, w.id`)
}

export async function countPending(tx: Tx, environment: Environment): Promise<number> {
  return tx.number(sql`
    select coalesce(sum(c.n), 0) as n from scopes s join counts c on c.scope_id = s.id
    where s.environment = ${environment} and c.kind = 'deliveries' and c.key like '%pending'`)
}
