import type { CommandFile, Session } from '../../command.ts'
import { defineList, type ListOptions, runList } from '../../list/list-command.ts'
import { inventoryKey, inventoryList } from '../../views/items.ts'

export const command: CommandFile<[ListOptions]> = {
  summary: 'list the stock levels by SKU',
  details: 'On hand = available + allocated + what is still being taken in.',
  examples: ['inventory ls', 'inventory ls --sku PKM-151-ETB', 'inventory ls --all --output csv > stock.csv'],
  define: (ls) => defineList(ls, 'listInventory'),
  run,
}

async function run(session: Session, options: ListOptions): Promise<void> {
  await runList(session, 'listInventory', inventoryList, inventoryKey, options)
}
