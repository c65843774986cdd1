import { type Json, json } from '../../contract/call.ts'
import { subscriptionsMax } from '../../contract/limits.ts'
import type { BodyOf, ResultOf } from '../../contract/operations.ts'
import type { Subscription, SubscriptionUpdate } from '../../contract/resources/event.ts'
import { existing, invalid } from '../../domain/rejection.ts'
import { after } from '../../domain/webhooks/webhook-schedule.ts'
import { makeSecret, secretBytes } from '../../domain/webhooks/webhook-signature.ts'
import { readCount } from '../../store/tables/counts.ts'
import { bumpActiveSubscriptions } from '../../store/tables/scopes.ts'
import {
  deleteSubscriptionRow,
  findSubscription,
  insertSubscription,
  listSubscriptionDocs,
  type SubscriptionRecord,
  updateSubscriptionRow,
} from '../../store/tables/webhooks/subscriptions.ts'
import type { ReadContext, Rest, UnitOfWork } from '../context.ts'
import { type Listing, offsetOf, type Paging } from '../listing.ts'
import { dropDeliveries } from './delivery-upkeep.ts'
import { followLog } from './outbox.ts'

type Params = { params: { subscription_id: string } }
type WithSecret = ResultOf<'createSubscription'>

/** GET /webhook-subscriptions (decisions 10): newest first, without secrets. */
export async function listSubscriptions(
  { tx, scope }: ReadContext,
  { query }: { query: Paging },
): Promise<Listing<Subscription>> {
  const [docs, total] = await Promise.all([
    listSubscriptionDocs(tx, scope.id, query.page_size, offsetOf(query)),
    readCount(tx, scope.id, 'subscriptions', ''),
  ])
  return { docs, total }
}

/** GET /webhook-subscriptions/{subscription_id} (decisions 10) */
export async function getSubscription(view: ReadContext, { params }: Params): Promise<Json<Subscription>> {
  return json((await loadSubscription(view, params.subscription_id)).subscription)
}

/** POST /webhook-subscriptions (decisions 10): besides a rotation's, the only answer that shows the secret. */
export async function createSubscription(
  work: UnitOfWork,
  { body }: { body: BodyOf<'createSubscription'> },
): Promise<Json<WithSecret>> {
  const { tx, scope } = work
  if ((await readCount(tx, scope.id, 'subscriptions', '')) >= subscriptionsMax) {
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
  await insertSubscription(tx, scope.id, { subscription, secret, ...fresh }, json(subscription))
  work.count('subscriptions', '', 1)
  await bumpActiveSubscriptions(tx, scope.id, Number(subscription.active))
  await followLog(work, undefined, subscription)
  return json({ ...subscription, secret })
}

/** PATCH …/{subscription_id} (4.7): a new address or activation resets health; waiting deliveries go to the latest address. */
export async function updateSubscription(
  work: UnitOfWork,
  { params, body }: Params & { body: SubscriptionUpdate },
): Promise<Json<Subscription>> {
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
export async function deleteSubscription(
  { tx, scope }: ReadContext,
  { params }: Params,
): Promise<Rest<Json<never>>> {
  const found = await findSubscription(tx, scope.id, params.subscription_id)
  return async (work) => {
    const { subscription } = existing(found)
    // First: it waits for transactions that lease deliveries, and prevents new ones, so that everything left can be deleted.
    await deleteSubscriptionRow(tx, scope.id, subscription.id)
    await dropDeliveries(work, subscription.id)
    work.count('subscriptions', '', -1)
    work.wake()
    await bumpActiveSubscriptions(tx, scope.id, -Number(subscription.active))
    return ''
  }
}

/** POST /webhook-subscriptions/{subscription_id}/rotate-secret (decisions 9): two signatures during the grace period. */
export async function rotateSubscriptionSecret(
  work: UnitOfWork,
  { params, body }: Params & { body: BodyOf<'rotateSubscriptionSecret'> },
): Promise<Json<WithSecret>> {
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
export async function loadSubscription(view: ReadContext, id: string): Promise<SubscriptionRecord> {
  return existing(await findSubscription(view.tx, view.scope.id, id))
}

/** Also adjusts the subscription's ranges of the log and the scope's count of active subscriptions. */
export async function saveSubscription(
  work: UnitOfWork,
  before: Subscription,
  record: SubscriptionRecord,
): Promise<Json<Subscription>> {
  const doc = json(record.subscription)
  const by = Number(record.subscription.active) - Number(before.active)
  await updateSubscriptionRow(work.tx, work.scope.id, record, doc)
  await bumpActiveSubscriptions(work.tx, work.scope.id, by)
  await followLog(work, before, record.subscription)
  return doc
}

/** Stores a checked URL (url-check.ts) with a lower-case scheme, as documented: its case has no meaning (RFC 3986, 3.1). */
function spelled(url: string): string {
  return `https://${url.slice('https://'.length)}`
}
