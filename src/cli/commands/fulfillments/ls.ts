import { listCommand } from '../../list/list-command.ts'
import { fulfillmentList } from '../../views/fulfillments.ts'

export const command = listCommand(
  { id: 'listFulfillments', view: fulfillmentList, keys: ['id'] },
  {
    summary: 'List fulfillments, newest first',
    examples: ['fulfillments ls --status exception', 'fulfillments ls --external-ref WEB-20418'],
  },
)
