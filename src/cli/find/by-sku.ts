import type { Answer, Client, Page } from '../../client/client.ts'
import { ServiceError } from '../../client/service-error.ts'
import { itemStatuses } from '../../contract/enums.ts'
import { pageSizeMax } from '../../contract/limits.ts'
import type { InventoryLevel, Item } from '../../contract/resources/item.ts'
import type { Product } from '../../contract/resources/product.ts'
import { isHeld } from '../../domain/items/item-states.ts'
import { patiently, walkPages } from '../connection/paging.ts'

type Query = { sku?: string; page: number; page_size: number }

/** The catalog's products of these SKUs. */
export function productsBySku(client: Client, skus: ReadonlySet<string>): Promise<Map<string, Product>> {
  return bySku(skus, (query) => client.listProducts({ query }))
}

/** Stock levels of these SKUs; a SKU of which there never was an item has none. */
export function stockBySku(client: Client, skus: ReadonlySet<string>): Promise<Map<string, InventoryLevel>> {
  return bySku(skus, (query) => client.listInventory({ query }))
}

/** By a request for each SKU, or by the whole list if that takes fewer. */
async function bySku<T extends { sku: string }>(
  skus: ReadonlySet<string>,
  fetch: (query: Query) => Promise<Answer<Page<T>>>,
): Promise<Map<string, T>> {
  const found = new Map<string, T>()
  const [one] = skus
  if (one === undefined) return found
  const take = (results: readonly T[]): void => {
    for (const result of results) if (skus.has(result.sku)) found.set(result.sku, result)
  }
  const { data } = await patiently(() => fetch({ page: 1, page_size: pageSizeMax }))
  take(data.results)
  if (data.next_page_number === null) return found
  if (skus.size < data.total / pageSizeMax) {
    for (const sku of skus)
      if (!found.has(sku)) take((await patiently(() => fetch({ sku, page: 1, page_size: 1 }))).data.results)
    return found
  }
  const keyOf = ({ sku }: T): string => sku
  for await (const { results } of walkPages({
    fetch: (page, page_size) => fetch({ page, page_size }),
    keyOf,
  }))
    take(results)
  return found
}

/** The partner's items of these QIDs: by a request for each, or by the lists if that takes fewer. */
export async function itemsByQid(client: Client, qids: ReadonlySet<string>): Promise<Map<string, Item>> {
  const found = new Map<string, Item>()
  if (qids.size === 0) return found
  const { total, by_status } = (await patiently(() => client.getItemSummary({}))).data
  if (qids.size > total / pageSizeMax + itemStatuses.length)
    for (const status of [undefined, ...itemStatuses.filter((each) => !isHeld(each))]) {
      if (status !== undefined && !by_status[status]) continue
      const fetch = (page: number, page_size: number) =>
        client.listItems({ query: { page, page_size, status } })
      for await (const { results } of walkPages({ fetch, keyOf: ({ qid }) => qid }))
        for (const item of results) if (qids.has(item.qid)) found.set(item.qid, item)
    }
  else
    for (const qid of qids) {
      const answer = await patiently(() => client.getItem({ params: { qid } })).catch((error: unknown) => {
        if (error instanceof ServiceError && error.status === 404) return undefined
        throw error
      })
      if (answer !== undefined) found.set(qid, answer.data)
    }
  return found
}
