import type { itemOperations } from '../../operations/items.ts'
import type { DescribedOperations } from '../examples/described.ts'
import * as example from '../examples/examples.ts'
import { summaryExample } from '../schema-prose/items.ts'

const _from = '2026-03-01T00:00:00.000Z'
const _until = '2026-04-01T00:00:00.000Z'

export const itemsProse: DescribedOperations<keyof typeof itemOperations> = {
  listItems: {
    description:
      'Lists items in custody: on a shelf, in an order, or in transit. Delivered, released, and withdrawn items are listed only if `status` asks for them.',
    answer: example.slab,
  },
  getItem: {
    description: 'Returns an item in any status. An unknown or foreign QID is a 404.',
    answer: example.box,
  },
  getItemSummary: {
    description: 'Counts items by status, including items that have left.',
    answer: summaryExample,
  },
  listIntakes: {
    description:
      'Lists arrivals, newest first. Each shows its item as it was then, byte for byte as in the `item.intake.completed` event.',
    answer: example.intake,
  },
  advanceItem: {
    description:
      'Moves a sandbox item to a status by the shortest legal path. Each step does what production would: it creates the shipment or transfer it needs and emits every event. 404 in production.',
    requests: {
      'To its shelf': { to_status: 'available' },
      'To its recipient': { to_status: 'delivered' },
    },
    answer: example.slab,
  },
}
