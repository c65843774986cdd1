import type { Client } from '../../client/client.ts'
import { pagesOf } from '../../client/pages.ts'
import { linesPageMax, pageSizeMax } from '../../contract/limits.ts'
import type { WebhookEvent } from '../../contract/resources/event.ts'
import type { Fulfillment, Transfer } from '../../contract/resources/fulfillment.ts'
import type { IntakeEvent, Item } from '../../contract/resources/item.ts'
import type { ManifestLine } from '../../contract/resources/manifest.ts'
import { graderOf, isSameCertificate } from '../../domain/graders/certificate.ts'
import { canonicalQid } from '../../domain/items/qid.ts'
import { CliError, usage } from '../base/cli-error.ts'
import { offered } from '../connection/operation-support.ts'
import { type PageQuery, walkPages } from '../connection/paging.ts'
import { endOfLog, eventPages } from '../events/event-pages.ts'
import { changeOf } from '../events/event-view.ts'

/** `qids`: every QID that the slab or product has had. */
export type ItemHistory = Item & { qids: string[]; history: HistoryLine[] }

/** Throws `not_found`, or `usage` if several slabs have the certificate number. */
export async function itemHistory(
  client: Client,
  given: string,
  grader: string | undefined,
  onEvents: (more: number) => Promise<void>,
): Promise<ItemHistory> {
  const items = await itemsNamed(client, given, grader)
  const qids = new Set(items.map(({ qid }) => qid))
  const { start, end } = await spanOf(client, items)
  const before = start === undefined ? undefined : await endOfLog(client, 1, { before: start })
  const events: WebhookEvent[] = []
  for await (const page of eventPages(client, { after: before?.after })) {
    await onEvents(page.events.length)
    for (const { event } of page.events) if (qidsOf(event).some((qid) => qids.has(qid))) events.push(event)
    if ((page.events.at(-1)?.event.created_at ?? '') > end) break
  }
  const nameOf = await lineNames(client, events)
  return {
    ...latestOf(items),
    qids: [...qids],
    history: events.map((event) => historyLine(event, qids, nameOf)),
  }
}

export function latestOf(items: readonly Item[]): Item {
  return items.reduce((last, item) => (item.intake_at > last.intake_at ? item : last))
}

/** Each arrival of a slab with this certificate, as one that left and returned has another QID. Throws like `itemHistory`. */
export async function itemsNamed(client: Client, given: string, grader: string | undefined): Promise<Item[]> {
  const qid = canonicalQid(given)
  if (qid !== null) return [(await client.getItem({ params: { qid } })).data]
  const found = new Map<string, Item>()
  const fetch = (query: PageQuery) => client.listIntakes({ query: { cert_number: given, ...query } })
  // Newest intake first.
  for await (const { results } of walkPages({ fetch, keyOf: ({ qid, intake_at }) => qid + intake_at }))
    for (const { item } of results) if (!found.has(item.qid)) found.set(item.qid, item)
  const slabs = [...found.values()].filter((item) => isSameCertificate(item, { grader, cert_number: given }))
  if (slabs.length === 0) {
    throw new CliError('not_found', `No item has the QID or certificate "${given}".`, {
      hint: 'See: custody items ls --search TEXT',
    })
  }
  const graders = new Set(slabs.map(graderOf))
  if (graders.size > 1)
    throw usage(
      `${[...graders].join(' and ')} slabs have the certificate "${given}".`,
      'Add --grader, or give the QID.',
    )
  return Promise.all(slabs.map(async ({ qid }) => (await client.getItem({ params: { qid } })).data))
}

/** The part of the log that can contain events of these items. `start` is undefined if that may be the whole log. */
async function spanOf(
  client: Client,
  items: readonly Item[],
): Promise<{ start: string | undefined; end: string }> {
  const starts: Array<string | undefined> = []
  let end = ''
  for (const item of items) {
    const orders = await ordersOf(client, item.qid)
    const isReturned = orders === undefined || orders.some(({ status }) => status === 'returned')
    // A returned item has the time of its last intake only.
    starts.push(isReturned ? undefined : item.intake_at)
    for (const { updated_at } of [item, ...(orders ?? [])]) if (updated_at > end) end = updated_at
  }
  const isCertain = starts.every((start) => start !== undefined)
  return { start: isCertain ? starts.toSorted()[0] : undefined, end }
}

async function ordersOf(client: Client, qid: string) {
  const orders = await offered(client, client.listFulfillments({ query: { qid, page_size: pageSizeMax } }))
  return orders?.data.results
}

/** `reference`: the event's manifest, order or transfer. */
export type HistoryLine = {
  at: string
  qid: string
  what: string
  status: string | null
  reference: string | null
  details: string
  event_type: string
  event_id: string
}

type Words = Pick<HistoryLine, 'what' | 'status' | 'reference' | 'details'>

function historyLine(event: WebhookEvent, qids: ReadonlySet<string>, nameOf: LineNames): HistoryLine {
  const { created_at, type, id } = event
  const qid = qidsOf(event).find((each) => qids.has(each)) ?? ''
  const words = wordsOf(event, nameOf)
  // If a slab has had several QIDs, each arrival says which it got, and with which label.
  if (words.what === 'arrival' && qids.size > 1) {
    const { grader, grade } = (event.data as IntakeEvent).item
    words.details = `as ${qid} (${grader} ${grade}); ${words.details}`
  }
  return { at: created_at, qid, ...words, event_type: type, event_id: id }
}

function qidsOf({ data }: WebhookEvent): readonly string[] {
  const { qid, qids = [] } = data as { qid?: string; qids?: string[] }
  return qid === undefined ? qids : [qid]
}

function wordsOf(event: WebhookEvent, nameOf: LineNames): Words {
  const { type, data } = event
  if (type === 'item.intake.completed') return arrival(data as IntakeEvent, nameOf)
  if (type === 'item.status.changed') {
    const { status } = data as Item
    return { what: 'status', status, reference: null, details: `→ ${status}` }
  }
  if (type.startsWith('fulfillment.')) return order(event, data as Fulfillment)
  if (type.startsWith('transfer.')) {
    const { id, status, external_ref, qids } = data as Transfer
    return { what: 'transfer', status, reference: external_ref ?? id, details: shared(`→ ${status}`, qids) }
  }
  return { what: type, status: null, reference: null, details: changeOf(event) }
}

function arrival({ manifest_id, manifest_line_id, condition_flags, item }: IntakeEvent, nameOf: LineNames) {
  const { reference, line } = nameOf(manifest_id, manifest_line_id)
  const onLine = manifest_line_id === null ? 'on no manifest line' : `line ${line}`
  const flags = condition_flags.length > 0 ? `flags: ${condition_flags.join(', ')}` : 'no flags'
  return { what: 'arrival', status: item.status, reference, details: `${onLine}; ${flags}` }
}

function order({ type }: WebhookEvent, fulfillment: Fulfillment): Words {
  const { id, external_ref, status, carrier, tracking_number, issue, qids } = fulfillment
  const reference = external_ref ?? id
  if (type === 'fulfillment.issue.raised' && issue)
    return { what: 'issue', status, reference, details: `${issue.code}: ${issue.message}` }
  const parcel = status === 'shipped' && carrier ? ` by ${carrier} ${tracking_number ?? ''}` : ''
  const what =
    type === 'fulfillment.returned' ? 'return' : fulfillment.type === 'withdrawal' ? 'withdrawal' : 'order'
  return { what, status, reference, details: shared(`→ ${status}${parcel}`, qids) }
}

function shared(text: string, { length }: readonly string[]): string {
  return length > 1 ? `${text}, one of ${length} items` : text
}

/** The partner's names of a manifest and a line, or their ids if the service does not show manifests. */
type LineNames = (
  manifestId: string | null | undefined,
  lineId: string | null | undefined,
) => { reference: string | null; line: string | null }

async function lineNames(client: Client, events: readonly WebhookEvent[]): Promise<LineNames> {
  const references = new Map<string, string>()
  const lines = new Map<string, string>()
  for (const { type, data } of events) {
    if (type !== 'item.intake.completed') continue
    const { manifest_id, manifest_line_id } = data as IntakeEvent
    if (!manifest_id || references.has(manifest_id)) continue
    const found = await offered(client, lineOf(client, manifest_id, manifest_line_id ?? undefined))
    const { reference = manifest_id, line } = found ?? {}
    references.set(manifest_id, reference)
    if (line !== undefined) lines.set(line.id, nameOf(line))
  }
  return (manifestId, lineId) => ({
    reference: manifestId ? (references.get(manifestId) ?? manifestId) : null,
    line: lineId ? (lines.get(lineId) ?? lineId) : null,
  })
}

async function lineOf(client: Client, manifest_id: string, wanted: string | undefined) {
  const found: { reference: string; line?: ManifestLine | undefined } = { reference: manifest_id }
  const pages = pagesOf((query) =>
    client.getManifest({ params: { manifest_id }, query: { page_size: linesPageMax, ...query } }),
  )
  for await (const { data } of pages) {
    found.reference = data.reference
    found.line = data.lines.find(({ id }) => id === wanted)
    if (found.line !== undefined || wanted === undefined) break
  }
  return found
}

function nameOf({ external_ref, description }: ManifestLine): string {
  return [external_ref, description && `"${description}"`].filter(Boolean).join(' ')
}
