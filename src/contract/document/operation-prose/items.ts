import type { itemOperations } from '../../operations/items.ts'
import { summaryExample } from '../schema-prose/items.ts'
import * as example from '../telling/examples.ts'
import type { ToldOperations } from '../telling/told.ts'

const _from = '2026-03-01T00:00:00.000Z'
const _until = '2026-04-01T00:00:00.000Z'

export const toldItems: ToldOperations<keyof typeof itemOperations> = {
  listItems: {
    description:
      'Lists the items that are held: on a shelf, in an order or on their way. Those that are delivered, released or withdrawn are listed only where `status` asks for them.',
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
