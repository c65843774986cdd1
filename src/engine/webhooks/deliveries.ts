import { type Json, json } from '../../contract/call.ts'
import type { WebhookEventType } from '../../contract/enums.ts'
import type { BodyOf, QueryOf } from '../../contract/operations.ts'
import type { Delivery } from '../../contract/resources/event.ts'
import type { Given } from '../../domain/given.ts'
import { conflict, existing, type FieldErrors, invalid } from '../../domain/rejection.ts'
import { utcTime } from '../../domain/utc-time.ts'
import { firstUuidAt, timeOfUuid } from '../../domain/uuid.ts'
import { sampleEvent } from '../../domain/webhooks/webhook-sample.ts'
import {
  deliveryCountKey,
  findDelivery,
  insertDeliveries,
  listDeliveryRows,
  requeueDelivery,
} from '../../store/tables/webhooks/deliveries.ts'
import type { DeliveryRow } from '../../store/tables/webhooks/delivery-row.ts'
import { findEventSeq, findFirstSeqFrom } from '../../store/tables/webhooks/events.ts'
import { findSubscription, type SubscriptionRecord } from '../../store/tables/webhooks/subscriptions.ts'
import type { ReadContext, Rest, UnitOfWork } from '../context.ts'
import { type Listing, sliceOf } from '../listing.ts'
import { unknownCursor } from './events.ts'
import { replayLog } from './outbox.ts'
import { loadSubscription } from './subscriptions.ts'

type Params = { params: { subscription_id: string } }

/** GET /webhook-subscriptions/{subscription_id}/deliveries (decisions 10): newest first. */
export async function listDeliveries(
  view: ReadContext,
  { params, query }: Params & { query: QueryOf<'listDeliveries'> },
): Promise<Listing<Delivery>> {
  const { tx, scope } = view
  const { id } = (await loadSubscription(view, params.subscription_id)).subscription
  const { rows, total } = await listDeliveryRows(tx, scope.id, id, query, sliceOf(query))
  return { docs: rows.map((row) => json(deliveryOf(row))), total }
}

/** POST /webhook-subscriptions/{subscription_id}/test (decisions 10): sends a signed sample of a subscribed type. */
export async function testSubscription(work: UnitOfWork, { params }: Params): Promise<Json<Delivery>> {
  const { subscription } = await loadActive(work, params.subscription_id)
  const [type] = subscription.event_types as [WebhookEventType]
  const event = sampleEvent(type, work.newId(), work.now)
  const delivery: Delivery = {
    id: work.newId(),
    event_id: event.id,
    event_type: type,
    status: 'pending',
    attempts: 0,
    response_code: null,
    last_error: null,
    last_attempt_at: null,
    next_attempt_at: work.now,
    created_at: work.now,
  }
  const row = { subscription_id: subscription.id, seq: null, payload: json(event), ...delivery }
  await insertDeliveries(work.tx, work.scope.id, [row])
  work.count('deliveries', deliveryCountKey(subscription.id, 'pending'), 1)
  work.wake()
  return json(delivery)
}

/** POST …/deliveries/{delivery_id}/redeliver (decisions 9): queues a delivered or dead delivery again. */
export async function redeliver(
  { tx, scope }: ReadContext,
  { params }: { params: { subscription_id: string; delivery_id: string } },
): Promise<Rest<Json<Delivery>>> {
  const { subscription_id, delivery_id } = params
  const [subscription, delivery] = await Promise.all([
    findSubscription(tx, scope.id, subscription_id),
    findDelivery(tx, scope.id, subscription_id, delivery_id),
  ])
  return async (work) => {
    const record = existing(subscription)
    const row = existing(delivery)
    rejectInactive(record)
    if (row.status === 'pending') throw conflict('This delivery is already queued.', { status: row.status })
    await requeueDelivery(tx, scope.id, row.subscription_id, row.id, work.now)
    work.count('deliveries', deliveryCountKey(row.subscription_id, row.status), -1)
    work.count('deliveries', deliveryCountKey(row.subscription_id, 'pending'), 1)
    work.wake()
    return json(deliveryOf({ ...row, status: 'pending', next_attempt_at: work.now }))
  }
}

/** POST …/replay (decisions 10): queues past events of its types again. Throws `invalid` unless exactly one start is given. */
export async function replaySubscription(
  view: ReadContext,
  { params, body }: Params & { body: BodyOf<'replaySubscription'> },
): Promise<Rest<Json<{ queued: number }>>> {
  const [start, subscription] = await Promise.all([
    findStart(view, body),
    findSubscription(view.tx, view.scope.id, params.subscription_id),
  ])
  return async (work) => {
    const faults = startFaults(body, start)
    if (Object.keys(faults).length > 0) throw invalid(faults)
    const record = existing(subscription)
    rejectInactive(record)
    return json({ queued: await replayLog(work, record.subscription, start as number) })
  }
}

/** Faults beyond the schema. A field with a schema fault is present without a value. */
export async function replayFaults(
  view: ReadContext,
  body: Given<BodyOf<'replaySubscription'>>,
): Promise<FieldErrors> {
  return startFaults(body, await findStart(view, body))
}

function startFaults(body: Given<BodyOf<'replaySubscription'>>, start: number | undefined): FieldErrors {
  if (!('starting_after' in body))
    return 'since' in body ? {} : { starting_after: ['is required when there is no since'] }
  return {
    ...('since' in body && { since: ['cannot be combined with starting_after'] }),
    ...(body.starting_after !== undefined && start === undefined && unknownCursor),
  }
}

async function loadActive(view: ReadContext, id: string): Promise<SubscriptionRecord> {
  const record = await loadSubscription(view, id)
  rejectInactive(record)
  return record
}

function rejectInactive({ subscription }: SubscriptionRecord): void {
  if (subscription.active) return
  throw conflict('This subscription is not active; activate it first.', { active: false })
}

/** The sequence number before the first event to replay. Undefined if the body names none that exists. */
async function findStart(
  { tx, scope }: ReadContext,
  { starting_after, since }: Given<BodyOf<'replaySubscription'>>,
): Promise<number | undefined> {
  if (starting_after !== undefined) return findEventSeq(tx, scope.id, starting_after.toLowerCase())
  if (since === undefined) return undefined
  // The id contains `created_at`, even if the machine's clock was set.
  const first = await findFirstSeqFrom(tx, scope.id, firstUuidAt(utcTime(since)))
  return first === undefined ? Number.MAX_SAFE_INTEGER : first - 1
}

/** A delivery waiting in the log is due since its event was written or requested again. */
function deliveryOf(row: DeliveryRow): Delivery {
  const queuedAt = row.created_at ?? timeOfUuid(row.id)
  return {
    id: row.id,
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.status,
    attempts: row.attempts,
    response_code: row.response_code,
    last_error: row.last_error,
    last_attempt_at: row.last_attempt_at,
    next_attempt_at: row.created_at === null ? queuedAt : row.next_attempt_at,
    created_at: queuedAt,
  }
}
