import type { Client } from '../../client/client.ts'
import { refsAtOnceMax } from '../../contract/limits.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import { tooFewAvailable, unavailableItem, unknownQid, unknownSku } from '../../domain/csv/csv-row-errors.ts'
import type { FulfillmentRow } from '../../domain/fulfillments/fulfillment-csv.ts'
import { byId, walkPages } from '../connection/paging.ts'
import { itemsByQid, productsBySku, stockBySku } from '../find/by-key.ts'

type AskedRow = Pick<FulfillmentRow, 'items' | 'external_ref'> & { row: number }

type Stock = {
  skus: ReadonlySet<string>
  available: ReadonlyMap<string, number>
  items: Awaited<ReturnType<typeof itemsByQid>>
}

/**
 * Errors in the service's words, and the number of orders with errors. Skips references that were ordered before. `groups`: rows of one
 * reference are one order.
 */
export async function faultsAtTarget(
  client: Client,
  rows: readonly AskedRow[],
  groups: boolean,
): Promise<{ faults: CsvRowError[]; failed: number; ordered: number }> {
  const stock = await stockFor(client, rows)
  const orders = groups
    ? [...Map.groupBy(rows, ({ external_ref, row }) => external_ref ?? `row ${row}`).values()]
    : rows.map((row) => [row])
  const faults = shortages(stock, orders)
  if (faults.length === 0) return { faults, failed: 0, ordered: 0 }
  // Queried only if something is short: rows that were ordered before need no stock.
  const known = await orderedReferences(client, rows)
  const fresh = orders.filter(([first]) => first?.external_ref == null || !known.has(first.external_ref))
  const left = fresh.reduce((sum, order) => sum + order.length, 0)
  const found = shortages(stock, fresh)
  const isFaulty = new Set(found.map(({ row }) => row))
  const failed = fresh.filter((order) => order.some(({ row }) => isFaulty.has(row))).length
  return { faults: found, failed, ordered: rows.length - left }
}

async function stockFor(client: Client, rows: readonly AskedRow[]): Promise<Stock> {
  const qids = new Set(rows.flatMap(({ items }) => ('qid' in items ? items.qid : [])))
  const asked = new Set(rows.flatMap(({ items }) => ('sku' in items ? items.sku : [])))
  const items = await itemsByQid(client, qids)
  const levels = await stockBySku(client, asked)
  const unseen = new Set([...asked].filter((sku) => !levels.has(sku)))
  const products = await productsBySku(client, unseen)
  const available = new Map([...levels].map(([sku, level]) => [sku, level.available]))
  return { skus: new Set([...levels.keys(), ...products.keys()]), available, items }
}

function shortages(
  { skus, available, items }: Stock,
  orders: ReadonlyArray<readonly AskedRow[]>,
): CsvRowError[] {
  const left = new Map(available)
  const taken = new Set<string>()
  const faultOf = ({ row, items: asked }: AskedRow, before: number): CsvRowError | undefined => {
    if ('sku' in asked) {
      const there = (left.get(asked.sku) ?? 0) - before
      if (!skus.has(asked.sku)) return unknownSku(row, asked.sku)
      return there < asked.quantity ? tooFewAvailable(row, asked.sku, asked.quantity, there) : undefined
    }
    const item = items.get(asked.qid)
    if (item === undefined) return unknownQid(row)
    const status = taken.has(asked.qid) ? 'in_fulfillment' : item.status
    return status === 'available' ? undefined : unavailableItem(row, asked.qid, status)
  }
  return orders.flatMap((order) => {
    const units = new Map<string, number>()
    const faults = order.flatMap((asked) => {
      const sku = 'sku' in asked.items ? asked.items.sku : ''
      const fault = faultOf(asked, units.get(sku) ?? 0)
      if ('sku' in asked.items) units.set(sku, (units.get(sku) ?? 0) + asked.items.quantity)
      return fault ?? []
    })
    if (faults.length > 0) {
      const [first] = faults
      const isFaulty = new Set(faults.map(({ row }) => row))
      const others = order.filter(({ row }) => !isFaulty.has(row))
      return [...faults, ...others.map(({ row }) => ({ ...first, row }) as CsvRowError)]
    }
    for (const { items: asked } of order) {
      const sku = 'sku' in asked ? asked.sku : (items.get(asked.qid)?.sku ?? '')
      if ('qid' in asked) taken.add(asked.qid)
      if (left.has(sku)) left.set(sku, (left.get(sku) ?? 0) - ('sku' in asked ? asked.quantity : 1))
    }
    return []
  })
}

async function orderedReferences(client: Client, rows: readonly AskedRow[]): Promise<Set<string>> {
  const asked = [...new Set(rows.flatMap(({ external_ref }) => external_ref ?? []))]
  const found = new Set<string>()
  for (let from = 0; from < asked.length; from += refsAtOnceMax) {
    const external_refs = JSON.stringify(asked.slice(from, from + refsAtOnceMax))
    const fetch = (page: number, page_size: number) =>
      client.listFulfillments({ query: { external_refs, page, page_size } })
    for await (const { results } of walkPages({ fetch, keyOf: byId }))
      for (const { external_ref } of results) if (external_ref !== null) found.add(external_ref)
  }
  return found
}
