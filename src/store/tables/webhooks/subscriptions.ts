import type { Json } from '../../../contract/call.ts'
import type { Subscription } from '../../../contract/resources/event.ts'
import { empty, insertRecords, type ScopedTx, type Sql, sql } from '../../database.ts'
import type { FilterRules } from '../documents.ts'

export type SubscriptionRecord = {
  subscription: Subscription
  secret: string
  /** Also signs, until `previous_until` by the scope's clock. */
  previous_secret: string | null
  previous_until: string | null
  /** Since when no attempt has succeeded; null after a success. */
  failing_since: string | null
  /** Until when the receiver asked for a pause. */
  paused_until: string | null
}

type SubscriptionRow = Omit<SubscriptionRecord, 'subscription'> & { doc: string }

export async function insertSubscription(
  tx: ScopedTx,
  record: SubscriptionRecord,
  doc: Json<Subscription>,
): Promise<void> {
  const { subscription, secret } = record
  const row = { scope_id: tx.scope, ...subscriptionColumns(subscription), secret, doc }
  await insertRecords(tx, 'webhook_subscriptions', [row])
}

export function subscriptionColumns({ id, active }: Subscription) {
  return { id, active: active ? 1 : 0 }
}

export async function updateSubscriptionRow(
  tx: ScopedTx,
  record: SubscriptionRecord,
  doc: Json<Subscription>,
): Promise<void> {
  const { subscription } = record
  await tx.change(sql`
    update webhook_subscriptions set active = ${subscriptionColumns(subscription).active}, secret = ${record.secret},
      previous_secret = ${record.previous_secret}, previous_until = ${record.previous_until},
      failing_since = ${record.failing_since}, paused_until = ${record.paused_until}, doc = ${doc}
    where scope_id = ${tx.scope} and id = ${subscription.id}`)
}

export async function deleteSubscriptionRow(tx: ScopedTx, id: string): Promise<void> {
  await tx.change(sql`delete from webhook_subscriptions where scope_id = ${tx.scope} and id = ${id}`)
}

export async function findSubscription(
  tx: ScopedTx,
  id: string,
  lock: Sql = empty,
): Promise<SubscriptionRecord | undefined> {
  const row = await tx.get<SubscriptionRow>(sql`
    select secret, previous_secret, previous_until, failing_since, paused_until, doc
    from webhook_subscriptions where scope_id = ${tx.scope} and id = ${id} ${lock}`)
  return row && recordOf(row)
}

export const subscriptionFilters: FilterRules<'listSubscriptions'> = {}

/** Oldest first; at most `subscriptionsMax`. */
export async function listSubscriptionIds(tx: ScopedTx): Promise<string[]> {
  return tx.values(sql`select id from webhook_subscriptions where scope_id = ${tx.scope} order by id`)
}

function recordOf({ doc, ...facts }: SubscriptionRow): SubscriptionRecord {
  return { ...facts, subscription: JSON.parse(doc) }
}
