import type { Operation } from '../operation.ts'

/** The subjects, in the order of a first day. */
const tags: Record<string, string> = {
  products: 'The catalog: what you sell, with dimensions, weight and a SKU.',
  manifests: 'Purchases that are expected to arrive, line by line, and their results.',
  sandbox: 'Rehearsals without physical items: arrivals, shipments, and time. 404 in production.',
  intakes: 'Arrivals, as the warehouse recorded them.',
  items: 'What the warehouse holds: one record for each physical item.',
  inventory: 'Stock levels by SKU.',
  fulfillments: 'Outbound shipments of items.',
  transfers: 'Items sold back.',
  events: 'The log of everything that happened, read by cursor.',
  'webhook-subscriptions': 'The same events, signed and pushed to your address.',
  document: 'The interface itself.',
}

const names = Object.keys(tags)

export function tagObjects(): Array<{ name: string; description: string }> {
  return Object.entries(tags).map(([name, description]) => ({ name, description }))
}

/** The subject of an operation: the first part of its path. */
export function tagOf({ path }: Operation): string {
  const first = path.split('/')[1] ?? ''
  return first in tags ? first : 'document'
}

/** Sorts operations by their subjects. */
export function byTag(one: Operation, other: Operation): number {
  return names.indexOf(tagOf(one)) - names.indexOf(tagOf(other))
}
