import type { CommandFile, Session } from '../../command.ts'
import { defineList, type ListOptions, listColumns, runList } from '../../list/list-command.ts'
import { productKey, productList } from '../../views/products.ts'

export const command: CommandFile<[ListOptions]> = {
  summary: 'list the catalog, newest first',
  examples: ['products ls', 'products ls --sku PKM-151-ETB', 'products ls --all --output csv > catalog.csv'],
  define: (ls) => defineList(ls, 'listProducts'),
  columns: () => listColumns('listProducts', productList),
  run,
}

async function run(session: Session, options: ListOptions): Promise<void> {
  await runList(session, 'listProducts', productList, productKey, options)
}
