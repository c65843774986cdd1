import type { CommandFile, Session } from '../../command.ts'
import { defineList, type ListOptions, listColumns, runList } from '../../list/list-command.ts'
import { itemKey, itemList } from '../../views/items.ts'

export const command: CommandFile<[ListOptions]> = {
  summary: 'list the items held',
  details: 'Without --status, items that have left (delivered, released, withdrawn) are not listed.',
  examples: [
    'items ls',
    'items ls --status available --grader PSA',
    'items ls --search charizard --json',
    'items ls --status received --watch 10',
    'items ls --manifest-id PO-1041 --all --output csv > po-1041.csv',
  ],
  define: (ls) => defineList(ls, 'listItems', { sku: 'SKUs that hold this text' }),
  columns: () => listColumns('listItems', itemList),
  run,
}

async function run(session: Session, options: ListOptions): Promise<void> {
  await runList(session, 'listItems', itemList, itemKey, options)
}
