import { listCommand } from '../../list/list-command.ts'
import { itemList } from '../../views/items.ts'

export const command = listCommand(
  {
    id: 'listItems',
    view: itemList,
    keys: ['qid'],
    by: 'intake_at',
  },
  {
    summary: 'List items in custody',
    details: 'Without --status, items that have left (delivered, released, withdrawn) are not listed.',
    examples: [
      'items ls',
      'items ls --status available --grader PSA',
      'items ls --search charizard --json',
      'items ls --status received --watch 10',
      'items ls --manifest-id PO-1041 --all --output csv > po-1041.csv',
    ],
  },
)
