import type { Json } from '../../contract/call.ts'
import type { Product } from '../../contract/resources/product.ts'
import { assert } from '../../domain/rejection.ts'
import { allAmong, insertRecords, join, padded, type ScopedTx, sql } from '../database.ts'
import type { FilterRules } from './documents.ts'

/** Inserts new products and returns the SKUs the catalog already has. The caller creates the stock rows. */
export async function insertProducts(
  tx: ScopedTx,
  products: ReadonlyArray<{ product: Product; doc: Json<Product> }>,
): Promise<Set<string>> {
  for (const { product, doc } of products) {
    assert(doc.includes(product.product_id), 'a document belongs to its product', product.product_id)
    assert(product.sku !== '', 'a product has a SKU', product.product_id)
  }
  const rows = products.map(({ product, doc }) => ({ scope_id: tx.scope, ...productColumns(product), doc }))
  const inserted = await insertRecords(tx, 'products', rows, true)
  assert(inserted <= rows.length, 'no more products are inserted than were sent', tx.scope, inserted)
  if (inserted === rows.length) return new Set()
  if (inserted === 0) return new Set(products.map(({ product }) => product.sku))
  const ids = await findIdsOfSkus(
    tx,
    products.map(({ product }) => product.sku),
  )
  const existing = products.filter(({ product }) => ids.get(product.sku) !== product.product_id)
  return new Set(existing.map(({ product }) => product.sku))
}

export function productColumns({ product_id, sku }: Product) {
  return { id: product_id, sku }
}

export async function findKnownSkus(tx: ScopedTx, skus: readonly string[]): Promise<Set<string>> {
  return new Set((await findIdsOfSkus(tx, skus)).keys())
}

type SkusOf = (code: string) => readonly string[]

export async function findScannedSkus(tx: ScopedTx, codes: readonly string[]): Promise<SkusOf> {
  const skus = await findSkusInAnyCase(tx, codes)
  const barcodes = await findSkusByBarcode(
    tx,
    codes.filter((code) => skus(code).length === 0),
  )
  return (code) => [...skus(code), ...barcodes(code)]
}

/** The SKU that is equal to each code or, if there is none, those that are equal to it in capital or in small letters. */
export async function findSkusInAnyCase(tx: ScopedTx, codes: readonly string[]): Promise<SkusOf> {
  const spellings = (code: string): string[] => [...new Set([code.toUpperCase(), code.toLowerCase()])]
  const known = await findKnownSkus(
    tx,
    codes.flatMap((code) => [code, ...spellings(code)]),
  )
  return (code) => (known.has(code) ? [code] : spellings(code).filter((each) => known.has(each)))
}

const productsAtOnce = 1000

/** Reads the whole catalog, so it is for codes that nothing else explains. */
export async function findSkusByBarcode(tx: ScopedTx, codes: readonly string[]): Promise<SkusOf> {
  // Scanners add or leave out the zeros with which a UPC becomes an EAN or a GTIN.
  const digits = (code: string): string => code.replace(/^0+/, '')
  const found = new Map<string, string[]>()
  for (const code of codes) if (/^\d{8,14}$/.test(code)) found.set(digits(code), [])
  const pattern = found.size === 1 ? `%"upc":"%${[...found.keys()]}"%` : '%"upc":"%'
  for (let after = '', isMore = found.size > 0; isMore; ) {
    const docs = await tx.values<string>(sql`
      select doc from products where scope_id = ${tx.scope} and sku > ${after} and doc like ${pattern}
      order by sku limit ${productsAtOnce}`)
    for (const { sku, upc } of docs.map((doc): Product => JSON.parse(doc))) {
      after = sku
      found.get(digits(upc ?? ''))?.push(sku)
    }
    isMore = docs.length === productsAtOnce
  }
  return (code) => found.get(digits(code)) ?? []
}

export async function findProductDocs(tx: ScopedTx, skus: readonly string[]): Promise<Array<Json<Product>>> {
  return allAmong(skus, 512, (some) =>
    tx.values(sql`select doc from products where scope_id = ${tx.scope} and sku in (${join(padded(some))})`),
  )
}

async function findIdsOfSkus(tx: ScopedTx, skus: readonly string[]): Promise<Map<string, string>> {
  const rows = await allAmong(skus, 512, (some) =>
    tx.all<{ id: string; sku: string }>(
      sql`select id, sku from products where scope_id = ${tx.scope} and sku in (${join(padded(some))})`,
    ),
  )
  return new Map(rows.map(({ id, sku }) => [sku, id]))
}

export const productFilters: FilterRules<'listProducts'> = {
  sku: { where: (sku) => sql`sku = ${sku}` },
}
