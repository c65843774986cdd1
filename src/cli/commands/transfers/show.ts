import { findTransferId } from '../../find/find-by-reference.ts'
import { idsOrReferences, showCommand } from '../../list/several.ts'
import { transferList, transferRecord } from '../../views/fulfillments.ts'

export const command = showCommand(
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
