import type { Client } from '../../../client/client.ts'
import type { Item } from '../../../contract/resources/item.ts'
import { canonicalQid } from '../../../domain/items/qid.ts'
import { itemsNamed, latestOf } from '../../items/item-history.ts'
import { listCommand } from '../../list/list-command.ts'
import { showCommand } from '../../list/several.ts'
import { itemList, itemRecord } from '../../views/items.ts'

export const ls = listCommand(
  { id: 'listItems', view: itemList, keys: ['qid'], by: 'intake_at' },
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

type Options = { grader?: string }

export const show = showCommand(
  {
    record: itemRecord,
    list: itemList,
    define: (show) =>
      show
        .argument('<item...>', 'QIDs or certificate numbers; - for lines of stdin')
        .option('--grader <name>', 'Grader of the certificate, if several graders use the number'),
    read: itemNamed,
  },
  {
    summary: 'Show items',
    details: 'Takes QIDs and certificate numbers, in any spelling or as the URL of a QR code.',
    examples: [
      'items show Q-7F3K-9M2P-X4TA',
      'items show 148333792 --grader PSA',
      'items show - --output csv < qids.txt',
    ],
  },
)

async function itemNamed(client: Client, name: string, { grader }: Options): Promise<Item> {
  // A mistyped QID is left for the service to reject.
  const isQid = canonicalQid(name) !== null || /^q-/i.test(name)
  const qid = isQid ? name : latestOf(await itemsNamed(client, name, grader)).qid
  return (await client.getItem({ params: { qid } })).data
}
