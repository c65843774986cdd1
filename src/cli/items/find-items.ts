import type { Client } from '../../client/client.ts'
import { pagesOf } from '../../client/pages.ts'
import { ServiceError } from '../../client/service-error.ts'
import { itemStatuses } from '../../contract/enums.ts'
import { linesPageMax, pageSizeMax } from '../../contract/limits.ts'
import type { Item } from '../../contract/resources/item.ts'
import {
  certKey,
  type Grading,
  graderOf,
  gradersOf,
  isSameCertificate,
} from '../../domain/graders/certificate.ts'
import { isHeld } from '../../domain/items/item-states.ts'
import { offered } from '../connection/operation-support.ts'
import { byId, patiently, walkPages } from '../connection/paging.ts'
import { nameExits } from './exits.ts'
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

const isFinal: ReadonlySet<string> = new Set(['held', 'ambiguous', 'damaged', 'empty'])

/** `at`: when it arrived or left. `reference`: the manifest or order. */
export type Found = Pick<SlabRow, 'row' | 'given'> & {
  answer: (typeof answers)[number]
  at: string | null
  reference: string | null
  item: Item | null
  /** The grader of the slab with this number; all of them if the answer is `ambiguous`. */
  grader: string | null
}

/** A row to look up; its line and value do not matter. */
type Sought = Omit<SlabRow, 'line' | 'value'>

type Search = {
  found: readonly Found[]
  isOpen(): boolean
  /** A row names no grader, so that several graders' slabs may have its number. */
  hasBare: boolean
  meet(slab: Grading & { qid?: string }, answer: 'held' | 'expected' | 'left', more: Partial<Found>): void
}

/** One or two requests per row, or one pass over the lists if that takes fewer. `withLeft`: includes items that have left. */
export async function findItems(client: Client, rows: readonly Sought[], withLeft = true): Promise<Found[]> {
  const search = searchFor(rows)
  const { total, by_status } = (await client.getItemSummary({})).data
  if (2 * rows.length < total / pageSizeMax) await askForEach(client, rows, search)
  else
    for (const status of [undefined, ...itemStatuses.filter((each) => withLeft && !isHeld(each))])
      if (search.isOpen() && (status === undefined || (by_status[status] ?? 0) > 0))
        await scanItems(client, status, search)
  if (search.isOpen()) await searchManifests(client, search)
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
    hasBare: rows.some((row) => row.qid === null && gradersOf(row).length === 0),
    isOpen: () => found.some(({ answer }) => !isFinal.has(answer)),
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

async function scanItems(client: Client, status: (typeof itemStatuses)[number] | undefined, search: Search) {
  const fetch = (page: number, page_size: number) => client.listItems({ query: { page, page_size, status } })
  for await (const { results } of walkPages({ fetch, keyOf: ({ qid }) => qid })) {
    for (const item of results) matchItem(search, item)
    if (!search.isOpen() && !(status === undefined && search.hasBare)) return
  }
}

async function askForEach(client: Client, rows: readonly Sought[], search: Search): Promise<void> {
  const qids = new Set<string>()
  for (const { qid, cert_number } of rows) {
    if (qid !== null) qids.add(qid)
    if (cert_number === null) continue
    const fetch = (page: number, page_size: number) =>
      client.listIntakes({ query: { cert_number, page, page_size } })
    for await (const { results } of walkPages({ fetch, keyOf: (intake) => intake.qid + intake.intake_at }))
      for (const intake of results) qids.add(intake.qid)
  }
  for (const qid of qids) {
    const item = await patiently(() => client.getItem({ params: { qid } })).catch((error: unknown) => {
      if (error instanceof ServiceError && error.status === 404) return undefined
      throw error
    })
    if (item !== undefined) matchItem(search, item.data)
  }
}

async function searchManifests(client: Client, search: Search): Promise<void> {
  for (const status of ['receiving', 'submitted'] as const) {
    const fetch = (page: number, page_size: number) =>
      client.listManifests({ query: { status, page, page_size } })
    for await (const { results } of walkPages({ fetch, keyOf: byId }))
      for (const { id, reference, expected_arrival_end } of results) {
        if (!search.isOpen()) return
        const more = { reference, at: expected_arrival_end }
        if (!(await offered(client, matchLines(client, id, search, more)))) return
      }
  }
}

async function matchLines(
  client: Client,
  manifest_id: string,
  search: Search,
  more: Pick<Found, 'reference' | 'at'>,
): Promise<true> {
  const params = { manifest_id }
  const pages = pagesOf((query) =>
    patiently(() => client.getManifest({ params, query: { ...query, page_size: linesPageMax } })),
  )
  for await (const { data } of pages)
    for (const line of data.lines)
      if (line.matched_qids.length < line.quantity) search.meet(line, 'expected', more)
  return true
}
