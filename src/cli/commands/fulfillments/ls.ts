import type { CommandFile, Session } from '../../command.ts'
import { defineList, type ListOptions, listColumns, runList } from '../../list/list-command.ts'
import { fulfillmentList, orderKey } from '../../views/orders.ts'

export const command: CommandFile<[ListOptions]> = {
  summary: 'list the fulfillments, newest first',
  examples: ['fulfillments ls --status exception', 'fulfillments ls --external-ref WEB-20418'],
  define: (ls) => defineList(ls, 'listFulfillments'),
  columns: () => listColumns('listFulfillments', fulfillmentList),
  run,
}

async function run(session: Session, options: ListOptions): Promise<void> {
  await runList(session, 'listFulfillments', fulfillmentList, orderKey, options)
}
