import type { Answer, Client, Page } from '../../client/client.ts'
import { pageSizeMax } from '../../contract/limits.ts'
import type { Subscription } from '../../contract/resources/event.ts'
import type { Fulfillment, Transfer } from '../../contract/resources/fulfillment.ts'
import type { InventoryLevel } from '../../contract/resources/item.ts'
import type { Manifest, ManifestReport } from '../../contract/resources/manifest.ts'
import { daysBetween } from '../../domain/manifests/manifest.ts'
import { counted } from '../base/counted.ts'
import type { LoneCommand } from '../command.ts'
import { offered } from '../connection/operation-support.ts'
import { closingDays } from '../connection/partner-terms.ts'
import { scopeTime } from '../connection/scope-time.ts'
import { manifestTotals, receivedUnits } from '../find/find-by-reference.ts'
import { type WatchOptions, watchable, watched } from '../list/watch.ts'
import { type Column, columnsOf, type View } from '../output/columns.ts'
import { fulfillmentList, transferList } from '../views/fulfillments.ts'

export const command: LoneCommand<[WatchOptions]> = {
  details:
    'Shows open manifests with what has arrived and when they close, shipments with an issue or past their date, waiting transfers, failing webhooks, and sold-out products. In a terminal, `custody` alone does the same.',
  examples: ['status', 'status --watch 60', 'status --json'],
  define: watchable,
  view: () => statusView,
  async run(session, options) {
    await watched(session, options, async (own) => {
      const { client } = await own.target()
      const printer = await own.printer()
      const now = new Date(await scopeTime(own)).toISOString()
      const { morning, cut } = await readMorning(client, now)
      await printer.one(morning)
      if (cut.length > 0) own.notice(`Looked only at the first ${pageSizeMax} of ${cut.join(', ')}.`)
    })
  },
}

/** Each open manifest costs a request for its totals; `status` must not send hundreds. */
const reportsMax = 20

type OpenManifest = Manifest & {
  /** Null beyond the first `reportsMax` manifests, or if the service offers no report. */
  totals: ManifestReport['totals'] | null
  /** The day on which the manifest closes by itself; null without an arrival window. */
  closes_on: string | null
  days_left: number | null
}

type Morning = {
  now: string
  manifests: OpenManifest[]
  /** Fulfillments with an issue, or past `deliver_by`. */
  fulfillments: Array<Fulfillment & { is_late: boolean }>
  transfers: Transfer[]
  webhooks: Array<Pick<Subscription, 'id' | 'url' | 'active'> & { dead: number }>
  inventory: InventoryLevel[]
}

/** `cut`: lists of which only the first page was read, with their length, as in `1,240 SKUs`. */
type Look = { client: Client; cut: string[] }

/** `now`: the time of the target's scope. */
async function readMorning(client: Client, now: string): Promise<{ morning: Morning; cut: string[] }> {
  const look: Look = { client, cut: [] }
  const today = now.slice(0, 10)
  const morning = {
    now,
    manifests: await openManifests(look, today),
    fulfillments: await problemFulfillments(look, today),
    transfers: await listed(look, 'transfer', client.listTransfers(page({ status: 'requested' }))),
    webhooks: await failingWebhooks(look),
    inventory: await soldOut(look),
  }
  return { morning, cut: look.cut }
}

async function openManifests(look: Look, today: string): Promise<OpenManifest[]> {
  const { client } = look
  const receiving = await listed(look, 'manifest', client.listManifests(page({ status: 'receiving' })))
  const submitted = await listed(look, 'manifest', client.listManifests(page({ status: 'submitted' })))
  const all = [...receiving, ...submitted]
  const closes = await closingDays(client)(all)
  const open: OpenManifest[] = []
  for (const [at, manifest] of all.entries()) {
    const { closes_on } = closes(manifest)
    open.push({
      ...manifest,
      totals: at < reportsMax ? await manifestTotals(client, manifest.id) : null,
      closes_on,
      days_left: closes_on === null ? null : daysBetween(today, closes_on),
    })
  }
  return open.sort((a, b) => (a.days_left ?? Number.MAX_VALUE) - (b.days_left ?? Number.MAX_VALUE))
}

async function problemFulfillments(look: Look, today: string): Promise<Morning['fulfillments']> {
  const troubled: Morning['fulfillments'] = []
  for (const status of ['exception', 'pending', 'processing', 'shipped'] as const) {
    const answer = look.client.listFulfillments(page({ status }))
    for (const fulfillment of await listed(look, `${status} shipment`, answer)) {
      const is_late = fulfillment.deliver_by !== null && fulfillment.deliver_by < today
      if (is_late || status === 'exception') troubled.push({ ...fulfillment, is_late })
    }
  }
  return troubled
}

async function failingWebhooks(look: Look): Promise<Morning['webhooks']> {
  const { client } = look
  const failing: Morning['webhooks'] = []
  for (const { id, url, active } of await listed(look, 'webhook', client.listSubscriptions(page({})))) {
    const params = { subscription_id: id }
    const dead = await client.listDeliveries({ params, query: { status: 'dead', page_size: 1 } })
    if (!active || dead.data.total > 0) failing.push({ id, url, active, dead: dead.data.total })
  }
  return failing
}

/** Products whose last units are in orders or left recently. Omits products never in stock, and slabs, which are unique. */
async function soldOut(look: Look): Promise<InventoryLevel[]> {
  const { client } = look
  const levels = await listed(look, 'SKU', client.listInventory(page({})))
  const gone = levels.filter(({ sku, on_hand, allocated }) => on_hand === allocated && !sku.startsWith('GS-'))
  if (gone.every(({ on_hand }) => on_hand > 0)) return gone
  const left = new Set<string>()
  for (const status of ['in_transit', 'delivered'] as const) {
    const items = await offered(client, client.listItems(page({ status, sort_by: 'updated_at' })))
    for (const { sku } of items?.data.results ?? []) left.add(sku)
  }
  return gone.filter(({ sku, on_hand }) => on_hand > 0 || left.has(sku))
}

function page<const T extends object>(filter: T): { query: T & { page_size: number } } {
  return { query: { ...filter, page_size: pageSizeMax } }
}

async function listed<T>({ client, cut }: Look, one: string, answer: Promise<Answer<Page<T>>>): Promise<T[]> {
  const { results = [], total = 0 } = (await offered(client, answer))?.data ?? {}
  if (total > results.length) cut.push(counted(total, one))
  return results
}

type Open = Morning['manifests'][number]
type Troubled = Morning['fulfillments'][number]

const counts: ReadonlyArray<[keyof Omit<Morning, 'now'>, string]> = [
  ['manifests', 'open manifests'],
  ['fulfillments', 'fulfillments with problems'],
  ['transfers', 'transfers waiting'],
  ['webhooks', 'webhooks failing'],
  ['inventory', 'products sold out'],
]

const statusView: View = {
  columns: columnsOf<Morning>(
    ...counts.map(([name, title]) => ({ name, title, of: (morning: Morning) => morning[name].length })),
  ),
  parts: [
    {
      name: 'manifests',
      title: 'Open manifests',
      columns: columnsOf<Open>(
        { name: 'reference', kind: 'id' },
        'status',
        { name: 'received', of: received },
        { name: 'closes', of: closes },
        'source',
      ),
    },
    {
      name: 'fulfillments',
      title: 'Fulfillments with problems',
      columns: [
        ...named(fulfillmentList, ['external_ref', 'status']),
        ...columnsOf<Troubled>({ name: 'trouble', title: 'problem', kind: 'long', of: trouble }),
        ...named(fulfillmentList, ['recipient', 'tracking_number', 'id']),
      ],
    },
    { name: 'transfers', title: 'Transfers waiting', columns: transferList.columns },
    {
      name: 'webhooks',
      title: 'Webhooks failing',
      columns: columnsOf<Morning['webhooks'][number]>(
        { name: 'url', kind: 'long' },
        'active',
        { name: 'dead', title: 'given up', kind: 'number' },
        { name: 'id', kind: 'id' },
      ),
    },
    {
      name: 'inventory',
      title: 'Products sold out',
      columns: columnsOf<Morning['inventory'][number]>(
        { name: 'sku', kind: 'id' },
        { name: 'on_hand', kind: 'number' },
        { name: 'allocated', kind: 'number' },
      ),
    },
  ],
}

function received({ totals }: Open): string {
  if (totals === null) return ''
  return `${receivedUnits(totals)} of ${totals.expected}`
}

function closes({ days_left, closes_on }: Open): string {
  if (days_left === null) return 'when you close it'
  if (days_left <= 0) return 'today'
  return `${closes_on}, in ${days_left} ${days_left === 1 ? 'day' : 'days'}`
}

function trouble({ issue, is_late, deliver_by }: Troubled): string {
  const late = is_late ? `was due ${deliver_by}` : ''
  return [issue && `${issue.code}: ${issue.message}`, late].filter(Boolean).join('; ')
}

function named({ columns }: View, names: readonly string[]): Column[] {
  return columns.filter(({ name }) => names.includes(name))
}
