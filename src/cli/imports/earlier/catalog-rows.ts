import type { Client } from '../../../client/client.ts'
import { pageSizeMax } from '../../../contract/limits.ts'
import type { CsvRowError } from '../../../contract/resources/error.ts'
import type { Product } from '../../../contract/resources/product.ts'
import { quoted } from '../../../domain/csv/csv-fault.ts'
import type { CsvRow } from '../../../domain/csv/csv-reading.ts'
import { rowError } from '../../../domain/csv/csv-row-errors.ts'
import { type ProductRow, productChecker } from '../../../domain/items/product-csv.ts'
import { createHashSet } from '../../connection/hash-set.ts'
import { walkPages } from '../../connection/paging.ts'
import { shown } from './order-content.ts'

/** Tells the rows whose SKU the catalog has: which are equal to its product, and how the others differ. */
export type CatalogComparison = (
  header: readonly string[],
  rows: readonly CsvRow[],
) => Promise<{ unchanged: Set<number>; changed: CsvRowError[] }>

/** Products asked for one by one at the same time, and at most in one import: beyond them a row only says that it differs. */
const atOnce = 8
const askedMax = 10_000

/**
 * Compares rows with the catalog of the target (decisions 12). A few are asked for one by one; where that would take more
 * calls than the pages of the catalog, these are walked once, and only a hash of each product is kept.
 */
export function catalogComparison(client: Client): CatalogComparison {
  let wanted = 0
  let asked = 0
  let pages: number | undefined
  let contents: { has(text: string): boolean } | undefined
  const productOf = async ({ value }: { value: ProductRow }): Promise<Product | undefined> =>
    asked++ < askedMax ? bySku(client, value.sku) : undefined
  return async (header, rows) => {
    pages ??= await pagesOf(client)
    wanted += rows.length
    if (wanted > pages) contents ??= await readCatalog(client)
    const { accepted } = productChecker(header)(rows)
    const unchanged = new Set<number>()
    const changed: CsvRowError[] = []
    for (const { row, value } of accepted) if (contents?.has(contentOf(value))) unchanged.add(row)
    const others = accepted.filter(({ row }) => !unchanged.has(row))
    for (let from = 0; from < others.length; from += atOnce) {
      const some = others.slice(from, from + atOnce)
      const products = await Promise.all(some.map(productOf))
      for (const [index, { row, value }] of some.entries()) {
        const product = products[index]
        if (product && contentOf(product) === contentOf(value)) unchanged.add(row)
        else changed.push(differing(row, value, product))
      }
    }
    return { unchanged, changed }
  }
}

async function pagesOf(client: Client): Promise<number> {
  const { data } = await client.listProducts({ query: { page_size: 1 } })
  return Math.ceil(data.total / pageSizeMax)
}

async function readCatalog(client: Client): Promise<{ has(text: string): boolean }> {
  const contents = createHashSet()
  const fetch = (page: number, page_size: number) => client.listProducts({ query: { page, page_size } })
  for await (const { results } of walkPages({ fetch, keyOf: ({ product_id }) => product_id }))
    for (const product of results) contents.add(contentOf(product))
  return contents
}

async function bySku(client: Client, sku: string): Promise<Product | undefined> {
  const { data } = await client.listProducts({ query: { sku, page_size: pageSizeMax } })
  return data.results.find((product) => product.sku === sku)
}

/** The fields of a product, by the names of the columns. */
function fieldsOf({ name, sku, upc, image_url, dimensions, weight }: ProductRow | Product) {
  const { length, width, height, unit } = dimensions
  return {
    name,
    sku,
    upc: upc ?? null,
    length,
    width,
    height,
    dimension_unit: unit,
    weight: weight.value,
    weight_unit: weight.unit,
    image_url: image_url ?? null,
  }
}

function contentOf(product: ProductRow | Product): string {
  return JSON.stringify(Object.values(fieldsOf(product)))
}

function differing(row: number, value: ProductRow, product: Product | undefined): CsvRowError {
  const name = `${quoted(value.sku)} is already in the catalog`
  if (product === undefined) return rowError(row, 'state_conflict', { sku: [`${name}, with other content`] })
  const theirs: Record<string, unknown> = fieldsOf(product)
  const differences = Object.entries(fieldsOf(value)).filter(([field, ours]) => theirs[field] !== ours)
  const fields = differences.map(([field, ours]) => [
    field,
    [`is ${shown(ours)} here and ${shown(theirs[field])} there`],
  ])
  return rowError(row, 'state_conflict', { sku: [name], ...Object.fromEntries(fields) })
}
