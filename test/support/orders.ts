import type { BodyInput } from '../../src/contract/operations.ts'

export const address = {
  recipient_name: 'Ada Park',
  street: '500 Congress Ave',
  street_2: 'Suite 4',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
  country: 'US',
}

/** The body of POST /fulfillments for some items, with additional fields. */
export function orderOf(
  items: ReadonlyArray<{ qid: string }>,
  more: Partial<BodyInput<'createFulfillment'>> = {},
): BodyInput<'createFulfillment'> {
  return { qids: items.map(({ qid }) => qid), shipping_address: address, ...more }
}
