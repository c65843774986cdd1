import { slabsPerCertMax } from '../../limits.ts'
import type { itemOperations } from '../../operations/items.ts'
import type { DescribedOperations } from '../examples/described.ts'
import * as example from '../examples/examples.ts'
import { summaryExample } from '../schema-prose/items.ts'

const _from = '2026-03-01T00:00:00.000Z'
const _until = '2026-04-01T00:00:00.000Z'

export const itemsProse: DescribedOperations<keyof typeof itemOperations> = {
  listItems: {
    description:
      'Lists items in custody: on a shelf, in an order, or in transit. Delivered, released, and withdrawn items are listed only if you filter by their `status`.',
    answer: example.slab,
  },
  getItem: {
    description:
      'Returns an item in any status. A QID that is unknown, or belongs to another partner, returns 404.',
    answer: example.box,
  },
  getItemSummary: {
    description: 'Counts items by status, including items that have left.',
    answer: summaryExample,
  },
  listIntakes: {
    description:
      'Lists arrivals, newest first. Each shows the item as it was at that moment, byte for byte as in the `item.intake.completed` event.',
    answer: example.intake,
  },
  findSlabs: {
    description: `Finds items in any status, and open manifest lines, by certificate, of any grader: at most ${slabsPerCertMax} of each, items in custody first.`,
    answer: { items: [example.slab], lines: [example.expectedLine] },
  },
  advanceItem: {
    description:
      'Moves a sandbox item to a status by the shortest legal path. Each step does the same as in production: it creates the fulfillment or transfer that it needs, and emits every event. Sandbox only; 404 in production.',
    requests: {
      'Put it on its shelf': { to_status: 'available' },
      'Deliver it to its recipient': { to_status: 'delivered' },
    },
    answer: example.slab,
  },
}
