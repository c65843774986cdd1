import { listCommand } from '../../list/list-command.ts'
import { subscriptionList } from '../../views/webhooks.ts'

export const command = listCommand(
  { id: 'listSubscriptions', view: subscriptionList, keys: ['id'] },
  {
    summary: 'List webhooks, newest first',
    examples: ['webhooks ls', 'webhooks ls --json'],
  },
)
