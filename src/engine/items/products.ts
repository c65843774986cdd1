import { json } from '../../contract/call.ts'
import type { Product, ProductCreate } from '../../contract/resources/product.ts'
import { conflict } from '../../domain/rejection.ts'
import { listDocs } from '../../store/tables/documents.ts'
import { findKnownSkus, insertProducts, productFilters } from '../../store/tables/products.ts'
import { insertStock } from '../../store/tables/stock.ts'
import { type Handler, loadDoc, type ReadContext, sliceOf, type UnitOfWork } from '../context.ts'
import { inSlices, sortInTurns } from '../yield-to-event-loop.ts'

const skusAtOnce = 1000

/** GET /products (4.2): newest first; `sku` matches exactly (decisions 11). */
export const listProducts: Handler<'listProducts'> = (view, { query }) =>
  listDocs(view.tx, 'products', productFilters, query, sliceOf(query))

export const getProduct: Handler<'getProduct'> = (view, { params }) =>
  loadDoc(view, 'products', params.product_id)

/** POST /products (4.2): a SKU that the catalog already has is a 409. */
export const createProduct: Handler<'createProduct', 'body'> = async (work, { body }) => {
  const product = makeProduct(work, body)
  const doc = json(product)
  const [existing] = await Promise.all([
    insertProducts(work.tx, [{ product, doc }]),
    openStock(work, [product.sku]),
  ])
  if (existing.size > 0) {
    throw conflict(`The catalog already has a product with the SKU ${body.sku}.`, {
      fields: { sku: ['is already in the catalog'] },
    })
  }
  work.count('products', '', 1)
  return doc
}

export type CatalogLookup = (skus: readonly string[]) => Promise<ReadonlySet<string>>

/** Yields in between: a manifest may name 50,000 SKUs. */
export async function catalogSkusOf({ tx }: ReadContext, skus: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>()
  await inSlices([...new Set(skus)], skusAtOnce, async (some) => {
    for (const sku of await findKnownSkus(tx, some)) known.add(sku)
  })
  return known
}

/** Every catalog SKU has a stock level (decisions 7). */
export async function openStock(work: UnitOfWork, skus: readonly string[]): Promise<void> {
  // In index order, so that each page of the index is read and written once.
  await inSlices(await sortInTurns(skus), skusAtOnce, async (some) =>
    work.count('stock', '', await insertStock(work.tx, some)),
  )
}

export function makeProduct(work: UnitOfWork, sent: ProductCreate): Product {
  return {
    product_id: work.newId(),
    name: sent.name,
    sku: sent.sku,
    upc: sent.upc ?? null,
    image_url: sent.image_url ?? null,
    dimensions: sent.dimensions,
    weight: sent.weight,
    created_at: work.now,
    updated_at: work.now,
  }
}
