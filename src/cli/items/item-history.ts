import type { Client } from '../../client/client.ts'
import { pageSizeMax } from '../../contract/limits.ts'
import type { WebhookEvent } from '../../contract/resources/event.ts'
import type { Item } from '../../contract/resources/item.ts'
import { graderOf, isSameCertificate } from '../../domain/graders/certificate.ts'
import { canonicalQid } from '../../domain/items/qid.ts'
import { CliError, usage } from '../base/cli-error.ts'
import { offered } from '../connection/operation-support.ts'
import { walkPages } from '../connection/paging.ts'
import { endOfLog, eventPages } from '../events/event-pages.ts'
import { type HistoryLine, historyLine, isAbout } from './history-lines.ts'
import { lineNames } from './line-names.ts'

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
    for (const { event } of page.events) if (isAbout(event, qids)) events.push(event)
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
  const fetch = (page: number, page_size: number) =>
    client.listIntakes({ query: { cert_number: given, page, page_size } })
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
