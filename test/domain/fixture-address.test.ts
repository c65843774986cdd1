import { expect, test } from 'vitest'
import { checkDestination, countriesServedByDefault } from '../../src/domain/fulfillments/destinations.ts'
import { fixtureAddress } from '../../src/domain/fulfillments/fulfillment-advance.ts'

test('a fixture fulfillment goes to the United States if these are served (decisions 8)', () => {
  expect(fixtureAddress(countriesServedByDefault)).toEqual({
    recipient_name: 'Sandbox Recipient',
    street: '1120 NW Couch St',
    street_2: null,
    city: 'Portland',
    state: 'OR',
    zip: '97209',
    country: 'US',
  })
})

test('a fixture fulfillment goes to the United States even if nothing is served', () => {
  expect(fixtureAddress(new Set()).country).toBe('US')
})

test.each([
  ['CA', { city: 'Toronto', state: 'ON', zip: 'M5V 3L9' }],
  ['AU', { city: 'Sydney', state: 'NSW', zip: '2000' }],
  ['DE', { city: 'Sandbox', state: 'Sandbox', zip: '10000' }],
])('a fixture fulfillment in %s has an address of that country', (country, place) => {
  expect(fixtureAddress(new Set([country, 'FR']))).toEqual({
    recipient_name: 'Sandbox Recipient',
    street: '1120 NW Couch St',
    street_2: null,
    ...place,
    country,
  })
})

test.each([...countriesServedByDefault])(
  'if only %s is served, a fixture fulfillment goes there and would be accepted',
  (code) => {
    const served = new Set([code])
    const address = fixtureAddress(served)
    expect(address.country).toBe(code)
    expect(checkDestination(address, served).fault).toBeNull()
  },
)
