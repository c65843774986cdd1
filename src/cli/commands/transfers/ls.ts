import { listCommand } from '../../list/list-command.ts'
import { transferList } from '../../views/orders.ts'

export const command = listCommand(
  { id: 'listTransfers', view: transferList, keys: ['id'] },
  {
    summary: 'list the transfers, newest first',
    examples: ['transfers ls', 'transfers ls --status requested'],
  },
)
