import type { Answer, Client, Page } from '../../client/client.ts'
import { pageSizeMax } from '../../contract/limits.ts'
import type { Subscription } from '../../contract/resources/event.ts'
import type { Fulfillment, Transfer } from '../../contract/resources/fulfillment.ts'
import type { InventoryLevel } from '../../contract/resources/item.ts'
import type { Manifest, ManifestReport } from '../../contract/resources/manifest.ts'
import { daysBetween } from '../../domain/manifests/manifest-due.ts'
import { isPerhapsLacking } from '../connection/operation-support.ts'
import { closingDays } from '../connection/partner-terms.ts'
import { manifestTotals } from '../find/find-manifest.ts'

/** Each open manifest costs a request for its totals; a glance must not cost hundreds. */
const reportsMax = 20

type OpenManifest = Manifest & {
  /** Null beyond the first `reportsMax` manifests, or if the service offers no report. */
  totals: ManifestReport['totals'] | null
  /** The day on which the manifest closes by itself; null without an arrival window. */
  closes_on: string | null
  days_left: number | null
}

/** Every list is cut at 250 entries, the largest page. */
export type Morning = {
  now: string
  manifests: OpenManifest[]
  /** With an issue, or past `deliver_by`. */
  fulfillments: Array<Fulfillment & { is_late: boolean }>
  transfers: Transfer[]
  webhooks: Array<Pick<Subscription, 'id' | 'url' | 'active'> & { dead: number }>
  inventory: InventoryLevel[]
}

/** `now`: the time of the target's scope. */
export async function readMorning(client: Client, now: string): Promise<Morning> {
  return {
    now,
    manifests: await openManifests(client, now.slice(0, 10)),
    fulfillments: await troubledFulfillments(client, now.slice(0, 10)),
    transfers: await listed(client, client.listTransfers(page({ status: 'requested' }))),
    webhooks: await failingWebhooks(client),
    inventory: await soldOut(client),
  }
}

async function openManifests(client: Client, today: string): Promise<OpenManifest[]> {
  const receiving = await listed(client, client.listManifests(page({ status: 'receiving' })))
  const submitted = await listed(client, client.listManifests(page({ status: 'submitted' })))
  const all = [...receiving, ...submitted]
  const closes = all.length === 0 ? undefined : await closingDays(client)
  const open: OpenManifest[] = []
  for (const [at, manifest] of all.entries()) {
    const { closes_on = null } = closes?.(manifest) ?? {}
    open.push({
      ...manifest,
      totals: at < reportsMax ? await manifestTotals(client, manifest.id) : null,
      closes_on,
      days_left: closes_on === null ? null : daysBetween(today, closes_on),
    })
  }
  return open.sort((a, b) => (a.days_left ?? Number.MAX_VALUE) - (b.days_left ?? Number.MAX_VALUE))
}

async function troubledFulfillments(client: Client, today: string): Promise<Morning['fulfillments']> {
  const troubled: Morning['fulfillments'] = []
  for (const status of ['exception', 'pending', 'processing', 'shipped'] as const) {
    for (const fulfillment of await listed(client, client.listFulfillments(page({ status })))) {
      const is_late = fulfillment.deliver_by !== null && fulfillment.deliver_by < today
      if (is_late || status === 'exception') troubled.push({ ...fulfillment, is_late })
    }
  }
  return troubled
}

async function failingWebhooks(client: Client): Promise<Morning['webhooks']> {
  const failing: Morning['webhooks'] = []
  for (const { id, url, active } of await listed(client, client.listSubscriptions(page({})))) {
    const params = { subscription_id: id }
    const dead = await client.listDeliveries({ params, query: { status: 'dead', page_size: 1 } })
    if (!active || dead.data.total > 0) failing.push({ id, url, active, dead: dead.data.total })
  }
  return failing
}

/** Products whose last units are in orders or have left lately; those that were never in stock are no news. Slabs are one of a kind. */
async function soldOut(client: Client): Promise<InventoryLevel[]> {
  const levels = await listed(client, client.listInventory(page({})))
  const gone = levels.filter(({ sku, on_hand, allocated }) => on_hand === allocated && !sku.startsWith('GS-'))
  if (gone.every(({ on_hand }) => on_hand > 0)) return gone
  const left = new Set<string>()
  for (const status of ['in_transit', 'delivered'] as const)
    for (const { sku } of await listed(client, client.listItems(page({ status, sort_by: 'updated_at' }))))
      left.add(sku)
  return gone.filter(({ sku, on_hand }) => on_hand > 0 || left.has(sku))
}

function page<const T extends object>(filter: T): { query: T & { page_size: number } } {
  return { query: { ...filter, page_size: pageSizeMax } }
}

/** Empty if the service does not offer the operation. */
async function listed<T>(client: Client, answer: Promise<Answer<Page<T>>>): Promise<T[]> {
  try {
    return (await answer).data.results
  } catch (error) {
    if (await isPerhapsLacking(client, error)) return []
    throw error
  }
}
