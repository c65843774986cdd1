import { json } from '../../contract/call.ts'
import type { QueryOf } from '../../contract/operations.ts'
import type { InventoryLevel } from '../../contract/resources/item.ts'
import { readCount } from '../../store/tables/counts.ts'
import { findStock, listStock } from '../../store/tables/stock.ts'
import type { ReadContext } from '../context.ts'
import { type Listing, listing, listingOfOne, offsetOf } from '../listing.ts'

/**
 * GET /inventory (4.6): kept stock levels in the order of their SKUs; every catalog SKU and every slab SKU that has or had
 * stock (decisions 7). `sku` is an exact match (decisions 11).
 */
export async function listInventory(
  view: ReadContext,
  { query }: { query: QueryOf<'listInventory'> },
): Promise<Listing<InventoryLevel>> {
  const { tx, scope } = view
  if (query.sku !== undefined) {
    const level = await findStock(tx, scope.id, query.sku)
    return listingOfOne(level && json(level), query)
  }
  const levels = listStock(tx, scope.id, query.page_size, offsetOf(query))
  return listing(
    levels.then((all) => all.map(json)),
    readCount(tx, scope.id, 'stock', ''),
  )
}
