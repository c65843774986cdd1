import type { ShippingAddress } from '../../contract/resources/fulfillment.ts'

const fixture: ShippingAddress = {
  recipient_name: 'Sandbox Recipient',
  street: '1120 NW Couch St',
  street_2: null,
  city: 'Portland',
  state: 'OR',
  zip: '97209',
  country: 'US',
}

/** Destination of a fixture fulfillment (decisions 8): the United States if served, otherwise another served country. */
export function fixtureAddress(served: ReadonlySet<string>): ShippingAddress {
  const [first] = served
  if (first === undefined || served.has('US')) return fixture
  return { ...fixture, ...abroad(first) }
}

function abroad(country: string): Partial<ShippingAddress> {
  if (country === 'CA') return { city: 'Toronto', state: 'ON', zip: 'M5V 3L9', country }
  if (country === 'AU') return { city: 'Sydney', state: 'NSW', zip: '2000', country }
  return { city: 'Sandbox', state: 'Sandbox', zip: '10000', country }
}
