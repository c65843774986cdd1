import { type Json, json } from '../../contract/call.ts'
import type { WebhookEventType } from '../../contract/enums.ts'
import { subscriptionsMax } from '../../contract/limits.ts'
import type { BodyOf } from '../../contract/operations.ts'
import type { Delivery, Subscription } from '../../contract/resources/event.ts'
import { conflict, existing, type FieldErrors, type Given, invalid } from '../../domain/rejection.ts'
import { utcTime } from '../../domain/utc-time.ts'
import { firstUuidAt, timeOfUuid } from '../../domain/uuid.ts'
import { sampleEvent } from '../../domain/webhooks/webhook-sample.ts'
import { after } from '../../domain/webhooks/webhook-schedule.ts'
import { makeSecret, secretBytes } from '../../domain/webhooks/webhook-signature.ts'
import { readCount } from '../../store/tables/counts.ts'
import { listDocs } from '../../store/tables/documents.ts'
import { bumpActiveSubscriptions } from '../../store/tables/scopes.ts'
import {
  deliveryCountKey,
  findDelivery,
  insertDeliveries,
  listDeliveryRows,
  requeueDelivery,
} from '../../store/tables/webhooks/deliveries.ts'
import type { DeliveryRow } from '../../store/tables/webhooks/delivery-row.ts'
import { findEventSeq, findFirstSeqFrom } from '../../store/tables/webhooks/events.ts'
import {
  deleteSubscriptionRow,
  findSubscription,
  insertSubscription,
  type SubscriptionRecord,
  subscriptionFilters,
  updateSubscriptionRow,
} from '../../store/tables/webhooks/subscriptions.ts'
import type { Handler, Opener, ReadContext, UnitOfWork } from '../context.ts'
import { sliceOf } from '../context.ts'
import { dropDeliveries } from './delivery-upkeep.ts'
import { unknownCursor } from './events.ts'
import { followLog, replayLog } from './outbox.ts'

/** GET /webhook-subscriptions (decisions 10): newest first, without secrets. */
export const listSubscriptions: Handler<'listSubscriptions', 'query'> = ({ tx }, { query }) =>
  listDocs(tx, 'webhook_subscriptions', subscriptionFilters, query, sliceOf(query))

/** GET /webhook-subscriptions/{subscription_id} (decisions 10) */
export const getSubscription: Handler<'getSubscription'> = async (view, { params }) => {
  return json((await loadSubscription(view, params.subscription_id)).subscription)
}

/** POST /webhook-subscriptions (decisions 10): besides a rotation's, the only answer that shows the secret. */
export const createSubscription: Handler<'createSubscription', 'body'> = async (work, { body }) => {
  const { tx } = work
  if ((await readCount(tx, 'subscriptions', '')) >= subscriptionsMax) {
    throw invalid({ url: [`cannot be added: there are ${subscriptionsMax} subscriptions; delete one first`] })
  }
  const subscription: Subscription = {
    id: work.newId(),
    url: spelled(body.url),
    event_types: [...new Set(body.event_types)],
    active: body.active,
    created_at: work.now,
  }
  const secret = makeSecret(work.random(secretBytes))
  const fresh = { previous_secret: null, previous_until: null, failing_since: null, paused_until: null }
  await insertSubscription(tx, { subscription, secret, ...fresh }, json(subscription))
  work.count('subscriptions', '', 1)
  await bumpActiveSubscriptions(tx, Number(subscription.active))
  await followLog(work, undefined, subscription)
  return json({ ...subscription, secret })
}

/** PATCH …/{subscription_id} (4.7): a new address or activation resets health; waiting deliveries go to the latest address. */
export const updateSubscription: Handler<'updateSubscription', 'params' | 'body'> = async (
  work,
  { params, body },
) => {
  const record = await loadSubscription(work, params.subscription_id)
  const before = record.subscription
  const subscription: Subscription = {
    ...before,
    url: body.url === undefined ? before.url : spelled(body.url),
    event_types: body.event_types ? [...new Set(body.event_types)] : before.event_types,
    active: body.active ?? before.active,
  }
  const isNew = subscription.url !== before.url || (subscription.active && !before.active)
  const health = isNew ? { failing_since: null, paused_until: null } : {}
  work.wake()
  return saveSubscription(work, before, { ...record, ...health, subscription })
}

/** DELETE /webhook-subscriptions/{subscription_id} (decisions 10): deletes its deliveries, too. */
export const deleteSubscription: Opener<'deleteSubscription'> = async ({ tx }, { params }) => {
  const found = await findSubscription(tx, params.subscription_id)
  return async (work) => {
    const { subscription } = existing(found)
    // First: it waits for transactions that lease deliveries, and prevents new ones, so that everything left can be deleted.
    await deleteSubscriptionRow(tx, subscription.id)
    await dropDeliveries(work, subscription.id)
    work.count('subscriptions', '', -1)
    work.wake()
    await bumpActiveSubscriptions(tx, -Number(subscription.active))
    return ''
  }
}

/** POST /webhook-subscriptions/{subscription_id}/rotate-secret (decisions 9): two signatures during the grace period. */
export const rotateSubscriptionSecret: Handler<'rotateSubscriptionSecret'> = async (
  work,
  { params, body },
) => {
  const record = await loadSubscription(work, params.subscription_id)
  const secret = makeSecret(work.random(secretBytes))
  const rotated = {
    ...record,
    secret,
    previous_secret: record.secret,
    previous_until: after(work.now, body.grace_seconds * 1000),
  }
  work.wake()
  await saveSubscription(work, record.subscription, rotated)
  return json({ ...record.subscription, secret })
}

/** Throws `not_found`. */
async function loadSubscription(view: ReadContext, id: string): Promise<SubscriptionRecord> {
  return existing(await findSubscription(view.tx, id))
}

/** Also adjusts the subscription's ranges of the log and the scope's count of active subscriptions. */
export async function saveSubscription(
  work: UnitOfWork,
  before: Subscription,
  record: SubscriptionRecord,
): Promise<Json<Subscription>> {
  const doc = json(record.subscription)
  const by = Number(record.subscription.active) - Number(before.active)
  await updateSubscriptionRow(work.tx, record, doc)
  await bumpActiveSubscriptions(work.tx, by)
  await followLog(work, before, record.subscription)
  return doc
}

/** Stores a checked URL with a lower-case scheme, as documented: its case has no meaning (RFC 3986, 3.1). */
function spelled(url: string): string {
  return `https://${url.slice('https://'.length)}`
}

/** GET /webhook-subscriptions/{subscription_id}/deliveries (decisions 10): newest first. */
export const listDeliveries: Handler<'listDeliveries'> = async (view, { params, query }) => {
  const [found, { rows, total }] = await Promise.all([
    findSubscription(view.tx, params.subscription_id),
    listDeliveryRows(view.tx, params.subscription_id, query, sliceOf(query)),
  ])
  const record = existing(found)
  return { docs: rows.map((row) => json(deliveryOf(row, record))), total }
}

/** POST /webhook-subscriptions/{subscription_id}/test (decisions 10): sends a signed sample of a subscribed type. */
export const testSubscription: Handler<'testSubscription', 'params'> = async (work, { params }) => {
  const record = await loadSubscription(work, params.subscription_id)
  rejectInactive(record)
  const { subscription } = record
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
  await insertDeliveries(work.tx, [row])
  work.count('deliveries', deliveryCountKey(subscription.id, 'pending'), 1)
  work.wake()
  return json(deliveryOf(delivery, record))
}

/** POST …/deliveries/{delivery_id}/redeliver (decisions 9): queues a delivered or dead delivery again. */
export const redeliver: Opener<'redeliver', 'params'> = async ({ tx }, { params }) => {
  const { subscription_id, delivery_id } = params
  const [subscription, delivery] = await Promise.all([
    findSubscription(tx, subscription_id),
    findDelivery(tx, { subscriptionId: subscription_id, id: delivery_id }),
  ])
  return async (work) => {
    const record = existing(subscription)
    const row = existing(delivery)
    rejectInactive(record)
    if (row.status === 'pending') throw conflict('This delivery is already queued.', { status: row.status })
    await requeueDelivery(tx, { subscriptionId: row.subscription_id, id: row.id }, work.now)
    work.count('deliveries', deliveryCountKey(row.subscription_id, row.status), -1)
    work.count('deliveries', deliveryCountKey(row.subscription_id, 'pending'), 1)
    work.wake()
    return json(deliveryOf({ ...row, status: 'pending', next_attempt_at: work.now }, record))
  }
}

/** POST …/replay (decisions 10): queues past events of its types again. Throws `invalid` unless exactly one start is given. */
export const replaySubscription: Opener<'replaySubscription', 'params' | 'body'> = async (
  view,
  { params, body },
) => {
  const [start, subscription] = await Promise.all([
    findStart(view, body),
    findSubscription(view.tx, params.subscription_id),
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

function rejectInactive({ subscription }: SubscriptionRecord): void {
  if (subscription.active) return
  throw conflict('This subscription is not active; activate it first.', { active: false })
}

/** The sequence number before the first event to replay. Undefined if the body names none that exists. */
async function findStart(
  { tx }: ReadContext,
  { starting_after, since }: Given<BodyOf<'replaySubscription'>>,
): Promise<number | undefined> {
  if (starting_after !== undefined) return findEventSeq(tx, starting_after.toLowerCase())
  if (since === undefined) return undefined
  // The id contains `created_at`, even if the machine's clock was set.
  const first = await findFirstSeqFrom(tx, firstUuidAt(utcTime(since)))
  return first === undefined ? Number.MAX_SAFE_INTEGER : first - 1
}

type Due = Omit<Delivery, 'created_at'> & Pick<DeliveryRow, 'created_at'>

/** A delivery waiting in the log is due since its event was written or requested again, unless the receiver asked for a pause. */
function deliveryOf(row: Due, { paused_until }: SubscriptionRecord): Delivery {
  const queuedAt = row.created_at ?? timeOfUuid(row.id)
  const due = row.created_at === null ? queuedAt : row.next_attempt_at
  return {
    id: row.id,
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.status,
    attempts: row.attempts,
    response_code: row.response_code,
    last_error: row.last_error,
    last_attempt_at: row.last_attempt_at,
    next_attempt_at: due !== null && (paused_until ?? '') > due ? paused_until : due,
    created_at: queuedAt,
  }
}
