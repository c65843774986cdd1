import { listCommand } from '../../list/list-command.ts'
import { transferList } from '../../views/fulfillments.ts'

export const command = listCommand(
  { id: 'listTransfers', view: transferList, keys: ['id'] },
  {
    summary: 'List transfers, newest first',
    examples: ['transfers ls', 'transfers ls --status requested'],
  },
)
