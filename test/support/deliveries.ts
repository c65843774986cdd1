import type { WebhookEventType } from '../../src/contract/enums.ts'
import type { WebhookEvent } from '../../src/contract/resources/event.ts'
import type { UnitOfWork } from '../../src/engine/context.ts'
import { sql } from '../../src/store/database.ts'
import type { Scope } from '../../src/store/tables/scopes.ts'
import { deliveryCountKey, insertDeliveries } from '../../src/store/tables/webhooks/deliveries.ts'
import type { Harness } from './harness.ts'
import { withWork } from './with-work.ts'

export type Subscribed = { params: { subscription_id: string }; secret: string }

export type SubscribeOptions = { url?: string; types?: WebhookEventType[]; active?: boolean }

/** Creates a subscription, by default at an address to which nobody posts. */
export async function subscribeTo(
  { client }: Pick<Harness, 'client'>,
  {
    url = 'https://hooks.northgate.example/x',
    types = ['transfer.requested'],
    ...more
  }: SubscribeOptions = {},
): Promise<Subscribed> {
  const { data } = await client.createSubscription({ body: { url, event_types: types, ...more } })
  return { params: { subscription_id: data.id }, secret: data.secret }
}

/** Commits `count` events of a type like a write of the service, and wakes waiters. Returns their payloads. */
export async function emitEvents(
  harness: Harness,
  count = 1,
  type: WebhookEventType = 'transfer.requested',
  scope: Scope = harness.scope,
): Promise<WebhookEvent[]> {
  const data = { id: '019de2c4-2a80-7000-8000-000000000001', note: 'Pok\u00e9mon \u2728 "quoted"' }
  await withWork(
    harness,
    async (work) => {
      for (let n = 0; n < count; n++) work.emit(type, JSON.stringify({ ...data, n }))
    },
    scope,
  )
  harness.service.signal.notify(scope.id)
  return (await harness.events()).slice(-count)
}

/**
 * Gives the first event a waiting delivery with a row, for the first subscription, as in a database from before migration 5.
 */
export async function queueRow(harness: Harness): Promise<string> {
  const [event] = await harness.events()
  const subscription = (await harness.client.listSubscriptions({})).data.results.at(-1)
  if (!event || !subscription) throw new Error('there is no event, or nobody wants one')
  return withWork(harness, async (work) => {
    const [id = ''] = await insertRows(work, subscription.id, event, 'pending', 1)
    return id
  })
}

/** Gives the first event `count` completed deliveries. */
export async function queueDelivered(work: UnitOfWork, subscriptionId: string, count: number): Promise<void> {
  const event = await work.tx.get<WebhookEvent>(
    sql`select id, type from events where scope_id = ${work.scope.id} and seq = 1`,
  )
  if (event) await insertRows(work, subscriptionId, event, 'delivered', count)
}

async function insertRows(
  work: UnitOfWork,
  subscription_id: string,
  event: Pick<WebhookEvent, 'id' | 'type'>,
  status: 'pending' | 'delivered',
  count: number,
): Promise<string[]> {
  const of = { subscription_id, event_id: event.id, event_type: event.type, seq: 1, status }
  const result = { attempts: 0, response_code: null, last_error: null, last_attempt_at: null }
  const times = { created_at: work.now, next_attempt_at: status === 'pending' ? work.now : null }
  const rows = Array.from({ length: count }, () => ({ id: work.newId(), ...of, ...result, ...times }))
  await insertDeliveries(work.tx, rows)
  work.count('deliveries', deliveryCountKey(subscription_id, status), count)
  return rows.map(({ id }) => id)
}
