import type { InventoryLevel } from '../../../contract/resources/item.ts'
import { heldBySku, productsBySku } from '../../find/by-key.ts'
import { listCommand } from '../../list/list-command.ts'
import { inventoryList } from '../../views/items.ts'

export const command = listCommand(
  {
    id: 'listInventory',
    view: inventoryList,
    keys: ['sku'],
    texts: {
      sku: {
        words: 'Only SKUs that contain this text, ignoring case',
        of: ({ sku }: InventoryLevel) => [sku],
      },
    },
    added: [{ columns: ['name'], read: (client) => (levels) => namesOf(client, levels) }],
  },
  {
    summary: 'List stock by SKU',
    details:
      'On hand = available + allocated + still being received. Names come from the catalog, and for slabs from an item in custody.',
    examples: ['inventory ls', 'inventory ls --sku PKM-151', 'inventory ls --all --output csv > stock.csv'],
  },
)

async function namesOf(client: Parameters<typeof productsBySku>[0], levels: readonly InventoryLevel[]) {
  const products = await productsBySku(client, new Set(levels.map(({ sku }) => sku)))
  const others = levels.filter(({ sku, on_hand }) => on_hand > 0 && !products.has(sku))
  const held = await heldBySku(client, new Set(others.map(({ sku }) => sku)))
  return ({ sku }: InventoryLevel) => ({ name: (products.get(sku) ?? held.get(sku))?.name ?? null })
}
