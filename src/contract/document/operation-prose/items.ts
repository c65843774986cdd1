import type { itemOperations } from '../../operations/items.ts'
import { summaryExample } from '../schema-prose/items.ts'
import * as example from '../telling/examples.ts'
import type { ToldOperations } from '../telling/told-operation.ts'

const from = '2026-03-01T00:00:00.000Z'
const until = '2026-04-01T00:00:00.000Z'

export const toldItems: ToldOperations<keyof typeof itemOperations> = {
  listItems: {
    description:
      'Lists the items that are held: on a shelf, in an order or on their way. Those that are delivered, released or withdrawn are listed only where `status` asks for them.',
    query: {
      status: ['Only items with this status.', 'available'],
      sku: ['Only items whose SKU has this in it, in upper or lower case.', '151-ETB'],
      cert_number: [
        'Only slabs with this certificate: spaces, dashes, leading zeros and the address of a QR code do not matter.',
        '65936798',
      ],
      grader: ['Only slabs of this grader.', 'PSA'],
      manifest_id: ['Only items that matched a line of this manifest.', example.ids.manifest],
      search: ['Only items whose name or SKU has this in it, in upper or lower case.', 'charizard'],
      intake_after: ['Only items taken in at this time or later.', from],
      intake_before: ['Only items taken in before this time.', until],
      sort_by: ['By which time they are ordered.', 'updated_at'],
      sort_dir: ['In which direction.', 'desc'],
    },
    answer: example.slab,
  },
  getItem: {
    description: 'Gives an item, whatever its status. A QID that is not yours, or is none, is a 404.',
    answer: example.box,
  },
  getItemSummary: {
    description: 'Counts items by status, those that have left too.',
    answer: summaryExample,
  },
  listIntakes: {
    description:
      'Lists arrivals, the newest first. Each shows its item as it was then: the bytes of the `item.intake.completed` event.',
    query: {
      intake_after: ['Only arrivals at this time or later.', from],
      intake_before: ['Only arrivals before this time.', until],
      manifest_id: ['Only arrivals that came with this manifest.', example.ids.manifest],
      cert_number: ['Only arrivals of slabs with this certificate, however it is written.', '65936798'],
    },
    answer: example.intake,
  },
  advanceItem: {
    description:
      'Walks an item of the sandbox to a status by the shortest legal way, and does at each step what production would: it makes the shipment or transfer that the step needs and emits every event. 404 in production.',
    requests: {
      'Onto its shelf': { to_status: 'available' },
      'To its recipient': { to_status: 'delivered' },
    },
    answer: example.slab,
  },
}
