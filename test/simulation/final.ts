import type { Client } from '../../src/client/client.ts'
import { getWholeReport } from '../../src/client/whole-manifest.ts'
import type { Environment } from '../../src/contract/enums.ts'
import type { WebhookEvent } from '../../src/contract/resources/event.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import { type Database, sql } from '../../src/store/database.ts'

/** An event from the log, with the trace of the request that caused it. */
export type Logged = { seq: number; trace: string | null; event: WebhookEvent; text: string }

type All<T extends (...given: never[]) => Promise<{ data: { results: unknown[] } }>> = Awaited<
  ReturnType<T>
>['data']['results']

/** What a partner finds at the end with its own key. */
export type Final = {
  /** The time of the check by a correct clock, and the partner's own advance. */
  at: number
  offset_seconds: number
  manifests: All<Client['listManifests']>
  reports: Awaited<ReturnType<typeof getWholeReport>>[]
  items: All<Client['listItems']>
  fulfillments: All<Client['listFulfillments']>
  transfers: All<Client['listTransfers']>
  products: All<Client['listProducts']>
  inventory: All<Client['listInventory']>
  summary: Awaited<ReturnType<Client['getItemSummary']>>['data']
  subscriptions: All<Client['listSubscriptions']>
  deliveries: Array<All<Client['listDeliveries']>[number] & { subscription_id: string }>
  events: WebhookEvent[]
}

const gone = ['delivered', 'released', 'withdrawn'] as const

export async function finalOf(client: Client, environment: Environment): Promise<Final> {
  const isSandbox = environment === 'sandbox'
  const manifests = await Array.fromAsync(client.listManifests.all())
  const subscriptions = await Array.fromAsync(client.listSubscriptions.all())
  const items = await Array.fromAsync(client.listItems.all())
  for (const status of gone)
    items.push(...(await Array.fromAsync(client.listItems.all({ query: { status } }))))
  const deliveries: Final['deliveries'] = []
  for (const { id: subscription_id } of subscriptions) {
    const params = { subscription_id }
    for await (const one of client.listDeliveries.all({ params }))
      deliveries.push({ ...one, subscription_id })
  }
  const reports: Final['reports'] = []
  for (const { id } of manifests) reports.push(await getWholeReport(client, id))
  return {
    at: runtime.clock(),
    offset_seconds: isSandbox ? (await client.getClock({})).data.offset_seconds : 0,
    manifests,
    reports,
    items,
    fulfillments: await Array.fromAsync(client.listFulfillments.all()),
    transfers: await Array.fromAsync(client.listTransfers.all()),
    products: await Array.fromAsync(client.listProducts.all()),
    inventory: await Array.fromAsync(client.listInventory.all()),
    summary: (await client.getItemSummary({})).data,
    subscriptions,
    deliveries,
    events: await Array.fromAsync(client.listEvents.all()),
  }
}

/** The only look behind the interface: the request that caused an event. */
export async function logOf(db: Database, partner: number): Promise<Logged[]> {
  const rows = await db.read((tx) =>
    tx.all<{ seq: number; trace: string | null; payload: string }>(sql`
      select e.seq, e.trace, e.payload from events e
      join scopes s on s.id = e.scope_id join partners p on p.id = s.partner_id
      where p.name = ${`Partner ${partner}`} order by e.seq`),
  )
  return rows.map(({ payload, ...row }) => ({ ...row, event: JSON.parse(payload), text: payload }))
}
