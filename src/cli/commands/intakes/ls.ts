import type { IntakeEvent } from '../../../contract/resources/item.ts'
import { createReferences } from '../../find/by-key.ts'
import { listCommand } from '../../list/list-command.ts'
import { intakeList } from '../../views/items.ts'

export const command = listCommand(
  {
    id: 'listIntakes',
    view: intakeList,
    // An item that returns is received again, so its QID alone does not tell its intakes apart.
    keys: ['qid', 'intake_at'],
    by: 'intake_at',
    added: [
      {
        columns: ['manifest'],
        read(client) {
          const references = createReferences(client)
          return async (intakes: readonly IntakeEvent[]) => {
            const referenceOf = await references(intakes.map(({ manifest_id }) => manifest_id))
            return ({ manifest_id }: IntakeEvent) => ({ manifest: referenceOf(manifest_id) })
          }
        },
      },
    ],
  },
  {
    summary: 'List arrivals, newest first',
    examples: ['intakes ls --intake-after 24h', 'intakes ls --manifest-id PO-1041 --all --output csv'],
  },
)
