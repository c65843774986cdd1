import { findTransferId } from '../../find/find-by-reference.ts'
import { listCommand } from '../../list/list-command.ts'
import { idsOrReferences, showCommand } from '../../list/several.ts'
import { transferList, transferRecord } from '../../views/fulfillments.ts'

export const ls = listCommand(
  { id: 'listTransfers', view: transferList, keys: ['id'] },
  {
    summary: 'List transfers, newest first',
    examples: ['transfers ls', 'transfers ls --status requested'],
  },
)

export const show = showCommand(
  {
    record: transferRecord,
    list: transferList,
    define: (show) => show.argument('<transfer...>', idsOrReferences),
    async read(client, name) {
      const transfer_id = await findTransferId(client, name)
      return (await client.getTransfer({ params: { transfer_id } })).data
    },
  },
  {
    summary: 'Show transfers',
    examples: ['transfers show SB-0301', 'transfers show SB-0301 SB-0302'],
  },
)
