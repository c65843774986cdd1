import { type Answer, type Client, type Page, ServiceError } from '../../client/client.ts'
import { NetworkError } from '../../client/network-error.ts'
import { itemStatuses } from '../../contract/enums.ts'
import { pageSizeMax } from '../../contract/limits.ts'
import type { InventoryLevel, Item } from '../../contract/resources/item.ts'
import type { Manifest } from '../../contract/resources/manifest.ts'
import type { Product } from '../../contract/resources/product.ts'
import { isHeld } from '../../domain/items/item-states.ts'
import { canonicalQid } from '../../domain/items/qid.ts'
import { CliError } from '../base/cli-error.ts'
import { byId, type PageQuery, severalAtOnce, walkPages } from '../connection/paging.ts'

/** `one` requests a single key, if the list has such a filter. `rowKey` is given if several rows may share a key. */
type Lookup<T> = {
  keyOf: (row: T) => string
  rowKey?: ((row: T) => string) | undefined
  fetch: (query: PageQuery) => Promise<Answer<Page<T>>>
  one?: (key: string) => Promise<Answer<Page<T>>>
}

type SkuQuery = { page_size: number; page?: number; sku?: string }

export function productsBySku(client: Client, skus: ReadonlySet<string>): Promise<Map<string, Product>> {
  return bySku(skus, (query) => client.listProducts({ query }))
}

/** A SKU that never had an item has no level. */
export function stockBySku(client: Client, skus: ReadonlySet<string>): Promise<Map<string, InventoryLevel>> {
  return bySku(skus, (query) => client.listInventory({ query }))
}

export function heldBySku(client: Client, skus: ReadonlySet<string>): Promise<Map<string, Item>> {
  return bySku(
    skus,
    (query) => client.listItems({ query }),
    ({ qid }) => qid,
  )
}

function bySku<T extends { sku: string }>(
  skus: ReadonlySet<string>,
  list: (query: SkuQuery) => Promise<Answer<Page<T>>>,
  rowKey?: (row: T) => string,
): Promise<Map<string, T>> {
  return byKey(skus, {
    keyOf: ({ sku }) => sku,
    rowKey,
    fetch: list,
    one: (sku) => list({ sku, page_size: 1 }),
  })
}

/** Requests each key if that takes fewer requests than the list's pages, else reads these until all keys are found. */
async function byKey<T>(
  wanted: ReadonlySet<string>,
  { keyOf, rowKey = keyOf, fetch, one }: Lookup<T>,
): Promise<Map<string, T>> {
  const found = new Map<string, T>()
  if (wanted.size === 0) return found
  const take = (results: readonly T[]): void => {
    for (const result of results) if (wanted.has(keyOf(result))) found.set(keyOf(result), result)
  }
  // Counts the rows: a page of many costs as much as ten keys.
  const { total } = (await fetch({ page: 1, page_size: 1 })).data
  if (one !== undefined && wanted.size < total / pageSizeMax)
    for (const { data } of await severalAtOnce(wanted, one)) take(data.results)
  else
    for await (const { results } of walkPages({ fetch, keyOf: rowKey })) {
      take(results)
      if (found.size === wanted.size) break
    }
  return found
}

/** A request's head has at most 16 KiB, and a reference or certificate 255 characters. */
const queryCharactersMax = 12_000

/** JSON arrays for a filter that takes many values: at most `most` in each, fewer if they are long. */
export function jsonLists(values: Iterable<string>, most: number): string[] {
  const lists: string[][] = []
  let left = 0
  for (const value of values) {
    const length = encodeURIComponent(`"${value}",`).length
    const last = lists.at(-1)
    if (last === undefined || left < length || last.length === most) {
      lists.push([value])
      left = queryCharactersMax - length
    } else {
      last.push(value)
      left -= length
    }
  }
  return lists.map((list) => JSON.stringify(list))
}

/** Requests each item, or reads the lists if that takes fewer requests. */
export async function itemsByQid(client: Client, qids: ReadonlySet<string>): Promise<Map<string, Item>> {
  const found = new Map<string, Item>()
  if (qids.size === 0) return found
  const { total, by_status } = (await client.getItemSummary({})).data
  if (qids.size > total / pageSizeMax + itemStatuses.length)
    for (const status of [undefined, ...itemStatuses.filter((each) => !isHeld(each))]) {
      if (status !== undefined && !by_status[status]) continue
      const fetch = (query: PageQuery) => client.listItems({ query: { status, ...query } })
      for await (const { results } of walkPages({ fetch, keyOf: ({ qid }) => qid }))
        for (const item of results) if (qids.has(item.qid)) found.set(item.qid, item)
    }
  else {
    const answers = await severalAtOnce(qids, (qid) =>
      client.getItem({ params: { qid } }).catch((error: unknown) => {
        if (error instanceof ServiceError && error.status === 404) return undefined
        throw error
      }),
    )
    for (const answer of answers) if (answer !== undefined) found.set(answer.data.qid, answer.data)
  }
  return found
}

type ManifestId = string | null | undefined

/** Looks up each manifest's reference once; if the service cannot answer now, shows ids instead. */
export function createReferences(
  client: Client,
): (ids: readonly ManifestId[]) => Promise<(id: ManifestId) => string | null> {
  const known = new Map<string, string>()
  return async (ids) => {
    const missing = new Set(ids.flatMap((id) => (id && !known.has(id) ? [id] : [])))
    const fetch = (query: PageQuery) => client.listManifests({ query })
    const found = await byKey(missing, { keyOf: byId, fetch }).catch(noneIfUnanswered)
    for (const [id, { reference }] of found) known.set(id, reference)
    return (id) => (id ? (known.get(id) ?? id) : null)
  }
}

function noneIfUnanswered(error: unknown): Map<string, Manifest> {
  if (error instanceof NetworkError || error instanceof ServiceError) return new Map()
  throw error
}

/** Names the items of a request that the service does not know: it answers only that there is one. */
export async function namingUnknown<T>(
  client: Client,
  qids: readonly string[],
  answer: Promise<T>,
): Promise<T> {
  return answer.catch(async (error) => {
    if (qids.length < 2 || !(error instanceof ServiceError && error.code === 'not_found')) throw error
    const found = await itemsByQid(client, new Set(qids.flatMap((qid) => canonicalQid(qid) ?? []))).catch(
      () => {
        throw error
      },
    )
    const unknown = qids.filter((qid) => !found.has(canonicalQid(qid) ?? ''))
    if (unknown.length === 0) throw error
    throw new CliError('not_found', `No item has the QID ${unknown.join(' or ')}.`, {
      hint: 'See: custody items ls --search TEXT',
    })
  })
}
