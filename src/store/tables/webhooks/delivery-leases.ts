import type { Environment, WebhookEventType } from '../../../contract/enums.ts'
import { assert } from '../../../domain/rejection.ts'
import type { AttemptOutcome } from '../../../domain/webhooks/webhook-schedule.ts'
import { empty, type ScopedTx, type Sql, sql, type Tx } from '../../database.ts'
import { lastLeaseEnd } from '../leases.ts'
import { skippingLocked } from '../row-locks.ts'
import type { ScopeClock } from '../scopes.ts'
import { type DeliveryKey, isRow } from './delivery-row.ts'

/** An active subscription with its scope's clock; the due time is null if no delivery waits. */
export type WaitingRow = ScopeClock & {
  scope_id: number
  subscription_id: string
  failing_since: string | null
  paused_until: string | null
  next_attempt_at: string | null
}

export type WaitingRange = {
  scope_id: number
  subscription_id: string
  after_seq: number
  end_seq: number | null
  event_types: string
}

/** `until`: when the lease ends; `now`: machine time, by which older leases have expired. */
export type Lease = { owner: string; until: string; now: string }

type LeasedRow = {
  id: string
  event_id: string
  seq: number | null
  payload: string | null
  event_type: WebhookEventType
  attempts: number
}

/** Condition: no lease is valid at `now` (machine time). */
export function freeLease(now: string): Sql {
  return sql`(lease_until is null or lease_until <= ${now} or lease_until > ${lastLeaseEnd(now)})`
}

/** Those of an environment or one scope. Only this and the key lookup read across scopes; both start at `scopes`. */
export async function listWaiting(
  tx: Tx,
  environment: Environment,
  machineNow: string,
  scopeId: number | undefined,
): Promise<WaitingRow[]> {
  const only: Sql = scopeId === undefined ? empty : sql`and s.id = ${scopeId}`
  return tx.all<WaitingRow>(sql`
    select s.id as scope_id, s.partner_id, s.environment, s.last_at, s.clock_offset_ms,
      w.id as subscription_id, w.failing_since, w.paused_until, (
        select min(d.next_attempt_at) from deliveries d
        where d.scope_id = w.scope_id and d.subscription_id = w.id and d.status = 'pending'
          and ${freeLease(machineNow)}
      ) as next_attempt_at
    from scopes s join webhook_subscriptions w on w.scope_id = s.id
    where s.environment = ${environment} and s.active_subscriptions > 0 and w.active = 1 ${only}
    order by s.id, w.id`)
}

export async function listWaitingRanges(
  tx: Tx,
  environment: Environment,
  machineNow: string,
  scopeId: number | undefined,
): Promise<WaitingRange[]> {
  const only: Sql = scopeId === undefined ? empty : sql`and s.id = ${scopeId}`
  return tx.all<WaitingRange>(sql`
    select r.scope_id, r.subscription_id, r.after_seq, r.end_seq, r.event_types
    from scopes s join webhook_subscriptions w on w.scope_id = s.id
      join delivery_ranges r on r.scope_id = w.scope_id and r.subscription_id = w.id
    where s.environment = ${environment} and s.active_subscriptions > 0 and w.active = 1 ${only}
      and r.after_seq < coalesce(r.end_seq, s.last_seq) and ${freeLease(machineNow)}
    order by r.scope_id, r.subscription_id, r.id`)
}

/** Leases up to `limit` deliveries that are due by the scope's clock. */
export async function leaseDeliveries(
  tx: ScopedTx,
  subscriptionId: string,
  lease: Lease,
  dueBy: string,
  limit: number,
): Promise<LeasedRow[]> {
  const rows = await tx.all<LeasedRow>(sql`
    select id, event_id, seq, payload, event_type, attempts from deliveries
    where scope_id = ${tx.scope} and subscription_id = ${subscriptionId} and status = 'pending'
      and next_attempt_at <= ${dueBy} and ${freeLease(lease.now)}
    order by next_attempt_at, id limit ${limit} ${skippingLocked(tx)}`)
  assert(lease.until > lease.now, 'a lease ends after it begins', subscriptionId, lease.owner, lease.until)
  for (const row of rows) {
    await tx.change(sql`
      update deliveries set lease_owner = ${lease.owner}, lease_until = ${lease.until}
      where scope_id = ${tx.scope} and subscription_id = ${subscriptionId} and id = ${row.id}`)
  }
  return rows
}

/** Undefined if the owner lost the lease, or the delivery is finished or deleted. */
export async function findLeased(
  tx: ScopedTx,
  key: DeliveryKey,
  owner: string,
): Promise<{ attempts: number; earlier_attempts: number } | undefined> {
  return tx.get(sql`
    select attempts, earlier_attempts from deliveries
    where ${isRow(tx, key)} and status = 'pending' and lease_owner = ${owner}`)
}

export async function saveAttempt(
  tx: ScopedTx,
  key: DeliveryKey,
  outcome: AttemptOutcome,
  startedAt: string,
): Promise<void> {
  const isDue = (outcome.status === 'pending') === (outcome.next_attempt_at !== null)
  assert(isDue, 'a pending delivery is due', tx.scope, key.subscriptionId, key.id, outcome.status)
  await tx.change(sql`
    update deliveries set status = ${outcome.status}, attempts = attempts + 1,
      response_code = ${outcome.response_code}, last_error = ${outcome.last_error},
      last_attempt_at = ${startedAt}, next_attempt_at = ${outcome.next_attempt_at},
      lease_owner = null, lease_until = null
    where ${isRow(tx, key)}`)
}

/** Returns a delivery whose attempt did not finish: it stays due. */
export async function releaseDelivery(tx: ScopedTx, key: DeliveryKey, owner: string): Promise<void> {
  await tx.change(sql`
    update deliveries set lease_owner = null, lease_until = null
    where ${isRow(tx, key)} and lease_owner = ${owner}`)
}
