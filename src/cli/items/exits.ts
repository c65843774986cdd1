import type { Answer, Client, Page } from '../../client/client.ts'
import type { Item } from '../../contract/resources/item.ts'
import { offered } from '../connection/operation-support.ts'
import { byId, patiently, walkPages } from '../connection/paging.ts'

/** Up to this many orders are requested one by one; more are found by reading the list. */
const askedMax = 10

type Found = { answer: string; item: Item | null; reference: string | null }

type Named = { qids: readonly string[]; external_ref: string | null; id: string }

/** Fills in the partner's reference of the order or transfer that each item left with, or its id if it has none. */
export async function nameExits(client: Client, found: readonly Found[]): Promise<void> {
  const left = found.filter(({ answer }) => answer === 'left')
  const sold = left.filter(({ item }) => item?.status === 'released')
  const shipped = left.filter(({ item }) => item?.status !== 'released')
  const delivered = (query: { page: number; page_size: number }) =>
    client.listFulfillments({ query: { ...query, status: 'delivered' } })
  // A service without this extension cannot name the order.
  await offered(
    client,
    shipped.length <= askedMax ? askForOrders(client, shipped) : scanPages(shipped, delivered),
  )
  await scanPages(sold, (query) => client.listTransfers({ query: { ...query, status: 'completed' } }))
}

async function askForOrders(client: Client, shipped: readonly Found[]): Promise<void> {
  for (const each of shipped) {
    const query = { qid: each.item?.qid ?? '', status: 'delivered' } as const
    const [newest] = (await patiently(() => client.listFulfillments({ query }))).data.results
    if (newest) each.reference = newest.external_ref ?? newest.id
  }
}

/** Newest first, so the first exit that has an item is the one it left with. */
async function scanPages<Exit extends Named>(
  left: readonly Found[],
  fetch: (query: { page: number; page_size: number }) => Promise<Answer<Page<Exit>>>,
): Promise<void> {
  const open = Map.groupBy(left, ({ item }) => item?.qid ?? '')
  if (open.size === 0) return
  const pages = walkPages({ fetch: (page, page_size) => fetch({ page, page_size }), keyOf: byId })
  for await (const { results } of pages) {
    for (const { qids, external_ref, id } of results)
      for (const qid of qids) {
        for (const each of open.get(qid) ?? []) each.reference = external_ref ?? id
        open.delete(qid)
      }
    if (open.size === 0) return
  }
}
