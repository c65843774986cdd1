import { json } from '../../contract/call.ts'
import type { QueryOf } from '../../contract/operations.ts'
import type { InventoryLevel } from '../../contract/resources/item.ts'
import { listStock } from '../../store/tables/stock.ts'
import type { ReadContext } from '../context.ts'
import { type Listing, sliceOf } from '../listing.ts'

/** GET /inventory (4.6): product SKUs, and slab SKUs that ever had stock (decisions 7). `sku` matches exactly (decisions 11). */
export async function listInventory(
  view: ReadContext,
  { query }: { query: QueryOf<'listInventory'> },
): Promise<Listing<InventoryLevel>> {
  const { tx, scope } = view
  const { levels, total } = await listStock(tx, scope.id, query, sliceOf(query))
  return { docs: levels.map(json), total }
}
