import type { WebhookEventType } from '../../contract/enums.ts'
import type { Delivery } from '../../contract/resources/event.ts'
import type { Tx } from '../database.ts'
import { empty, type Sql, sql } from '../sql.ts'

/** A new delivery, due at once. */
export type DeliveryCreate = {
  subscription_id: string
  id: string
  event_id: string
  /** Where its payload stands in the log; null for a sample, which brings its own. */
  seq: number | null
  payload: string | null
  event_type: WebhookEventType
  created_at: string
}

/** A delivery by its columns; `earlier_attempts` were made before it was queued again. */
export type DeliveryRow = Delivery & { subscription_id: string; earlier_attempts: number }

const columns = sql`
  subscription_id, id, event_id, event_type, status, attempts, earlier_attempts, response_code, last_error,
  last_attempt_at, next_attempt_at, created_at`

export async function insertDeliveries(
  tx: Tx,
  scopeId: number,
  deliveries: readonly DeliveryCreate[],
): Promise<void> {
  await tx.insert(
    'deliveries',
    'scope_id subscription_id id event_id seq payload event_type status next_attempt_at created_at'.split(
      ' ',
    ),
    deliveries.map((delivery) => [
      scopeId,
      delivery.subscription_id,
      delivery.id,
      delivery.event_id,
      delivery.seq,
      delivery.payload,
      delivery.event_type,
      'pending',
      delivery.created_at,
      delivery.created_at,
    ]),
  )
}

export async function findDelivery(
  tx: Tx,
  scopeId: number,
  subscriptionId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  return tx.get<DeliveryRow>(sql`
    select ${columns} from deliveries
    where scope_id = ${scopeId} and subscription_id = ${subscriptionId} and id = ${id}`)
}

/** Newest first: identifiers ascend with time. */
export async function listDeliveryRows(
  tx: Tx,
  scopeId: number,
  subscriptionId: string,
  status: Delivery['status'] | undefined,
  limit: number,
  offset: number,
): Promise<DeliveryRow[]> {
  const only: Sql = status === undefined ? empty : sql`and status = ${status}`
  return tx.all<DeliveryRow>(sql`
    select ${columns} from deliveries
    where scope_id = ${scopeId} and subscription_id = ${subscriptionId} ${only}
    order by id desc limit ${limit} offset ${offset}`)
}

/** Queues a delivery that is over again: due at `now`, its schedule from the start. */
export async function requeueDelivery(
  tx: Tx,
  scopeId: number,
  subscriptionId: string,
  id: string,
  now: string,
): Promise<void> {
  await tx.change(sql`
    update deliveries set status = 'pending', earlier_attempts = attempts, next_attempt_at = ${now},
      lease_owner = null, lease_until = null
    where scope_id = ${scopeId} and subscription_id = ${subscriptionId} and id = ${id}`)
}

/** Deletes up to `limit` deliveries of a subscription; answers how many. */
export async function deleteDeliveries(
  tx: Tx,
  scopeId: number,
  subscriptionId: string,
  limit: number,
): Promise<number> {
  return tx.run(sql`
    delete from deliveries where scope_id = ${scopeId} and subscription_id = ${subscriptionId} and id in (
      select id from deliveries where scope_id = ${scopeId} and subscription_id = ${subscriptionId}
      order by id limit ${limit})`)
}

/** Deletes up to `limit` deliveries of a status made before `beforeId` and not attempted since `before`; answers how many. */
export async function forgetDeliveryRows(
  tx: Tx,
  scopeId: number,
  subscriptionId: string,
  status: 'delivered' | 'dead',
  { before, beforeId }: { before: string; beforeId: string },
  limit: number,
): Promise<number> {
  return tx.run(sql`
    delete from deliveries where scope_id = ${scopeId} and subscription_id = ${subscriptionId} and id in (
      select id from deliveries
      where scope_id = ${scopeId} and subscription_id = ${subscriptionId} and status = ${status}
        and id < ${beforeId} and (last_attempt_at is null or last_attempt_at < ${before})
      order by id limit ${limit})`)
}
