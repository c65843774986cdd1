import type { Answer, Client, Page } from '../../client/client.ts'
import { certsAtOnceMax } from '../../contract/limits.ts'
import type { Item } from '../../contract/resources/item.ts'
import { certKey, type Grading, graderOf, isSameCertificate } from '../../domain/graders/certificate.ts'
import { isHeld } from '../../domain/items/item-states.ts'
import { offered } from '../connection/operation-support.ts'
import { byId, type PageQuery, severalAtOnce, walkPages } from '../connection/paging.ts'
import { itemsByQid, jsonLists } from '../find/by-key.ts'
import type { SlabRow } from './slab-rows.ts'

export const answers = [
  'held',
  'ambiguous',
  'expected',
  'left',
  'other_grader',
  'unknown',
  'damaged',
  'empty',
] as const

/** `at`: when it arrived or left. `reference`: the manifest or order. */
export type Found = Pick<SlabRow, 'row' | 'given'> & {
  answer: (typeof answers)[number]
  at: string | null
  reference: string | null
  item: Item | null
  /** The grader of the slab with this number; all of them if the answer is `ambiguous`. */
  grader: string | null
}

type Sought = Omit<SlabRow, 'line' | 'value'>

type Search = {
  found: readonly Found[]
  meet(slab: Grading & { qid?: string }, answer: 'held' | 'expected' | 'left', more: Partial<Found>): void
}

/** Throws `not_offered` if the service cannot look up certificates. `withLeft`: says with which order an item has left. */
export async function findItems(client: Client, rows: readonly Sought[], withLeft = true): Promise<Found[]> {
  const search = searchFor(rows)
  const certs = new Set(rows.map(({ cert_number }) => certKey(cert_number ?? '')))
  certs.delete('')
  for (const cert_numbers of jsonLists(certs, certsAtOnceMax)) {
    const { items, lines } = (await client.findSlabs({ query: { cert_numbers } })).data
    for (const item of items) matchItem(search, item)
    for (const { reference, expected_arrival_end, ...line } of lines)
      search.meet(line, 'expected', { reference, at: expected_arrival_end })
  }
  const qids = new Set(rows.flatMap(({ qid }) => qid ?? []))
  for (const item of (await itemsByQid(client, qids)).values()) matchItem(search, item)
  if (withLeft) await nameExits(client, search.found)
  return [...search.found]
}

function searchFor(rows: readonly Sought[]): Search {
  const found: Found[] = rows.map(({ row, given, qid, cert_number, damage }) => ({
    row,
    given,
    answer: damage !== undefined ? 'damaged' : (qid ?? cert_number) === null ? 'empty' : 'unknown',
    at: null,
    reference: null,
    item: null,
    grader: null,
  }))
  const wanted = Map.groupBy(
    rows.map((row, at) => ({ ...row, at })),
    ({ qid, cert_number }) => qid ?? certKey(cert_number ?? ''),
  )
  return {
    found,
    meet(slab, answer, more) {
      const byCert = slab.cert_number ? wanted.get(certKey(slab.cert_number)) : undefined
      const byQid = slab.qid === undefined ? undefined : wanted.get(slab.qid)
      for (const row of [...(byQid ?? []), ...(byCert ?? [])]) {
        const is = row.qid !== null || isSameCertificate(row, slab) ? answer : 'other_grader'
        const known = found[row.at] as Found
        const isHeldToo = is === 'held' && (known.answer === 'held' || known.answer === 'ambiguous')
        if (isHeldToo && row.qid === null && graderOf(known) !== graderOf(slab)) {
          const grader = `${known.grader}, ${slab.grader}`
          Object.assign(known, { answer: 'ambiguous', item: null, at: null, grader })
          continue
        }
        // Of several departures the newest counts.
        const isBetter = answers.indexOf(is) < answers.indexOf(known.answer)
        const isNewer = is === 'left' && known.answer === is && (more.at ?? '') > (known.at ?? '')
        if (isBetter || isNewer)
          Object.assign(known, {
            item: null,
            reference: null,
            at: null,
            grader: slab.grader ?? null,
            ...more,
            answer: is,
          })
      }
    },
  }
}

function matchItem(search: Search, item: Item): void {
  const isHere = isHeld(item.status as never)
  search.meet(item, isHere ? 'held' : 'left', { item, at: isHere ? item.intake_at : item.updated_at })
}

/** Up to this many orders are requested one by one; more are found by reading the list. */
const askedMax = 10

type Named = { qids: readonly string[]; external_ref: string | null; id: string }

/** Fills in the partner's reference of the order or transfer that each item left with, or its id if it has none. */
async function nameExits(client: Client, found: readonly Found[]): Promise<void> {
  const left = found.filter(({ answer }) => answer === 'left')
  const sold = left.filter(({ item }) => item?.status === 'released')
  const shipped = left.filter(({ item }) => item?.status !== 'released')
  const delivered = (query: PageQuery) =>
    client.listFulfillments({ query: { status: 'delivered', ...query } })
  // A service without this extension cannot name the order.
  await offered(
    client,
    shipped.length <= askedMax ? askForOrders(client, shipped) : scanPages(shipped, delivered),
  )
  await scanPages(sold, (query) => client.listTransfers({ query: { status: 'completed', ...query } }))
}

async function askForOrders(client: Client, shipped: readonly Found[]): Promise<void> {
  await severalAtOnce(shipped, async (each) => {
    const query = { qid: each.item?.qid ?? '', status: 'delivered' } as const
    const [newest] = (await client.listFulfillments({ query })).data.results
    if (newest) each.reference = newest.external_ref ?? newest.id
  })
}

/** Newest first, so the first exit that has an item is the one it left with. */
async function scanPages<Exit extends Named>(
  left: readonly Found[],
  fetch: (query: PageQuery) => Promise<Answer<Page<Exit>>>,
): Promise<void> {
  const open = Map.groupBy(left, ({ item }) => item?.qid ?? '')
  if (open.size === 0) return
  for await (const { results } of walkPages({ fetch, keyOf: byId })) {
    for (const { qids, external_ref, id } of results)
      for (const qid of qids) {
        for (const each of open.get(qid) ?? []) each.reference = external_ref ?? id
        open.delete(qid)
      }
    if (open.size === 0) return
  }
}
