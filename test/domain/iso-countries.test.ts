import { iso31661, iso31662 } from 'iso-3166'
import { formatAddress } from 'localized-address-format'
import { expect, test } from 'vitest'
import {
  hasNoStates,
  isCountryCode,
  stateCodes,
  stateNamed,
} from '../../src/domain/fulfillments/iso-countries.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

test('country codes are exactly those of ISO 3166-1', () => {
  const pairs = letters.flatMap((first) => letters.map((second) => first + second))
  const assigned = iso31661.map((country) => country.alpha2)
  expect(pairs.filter(isCountryCode)).toEqual(assigned.toSorted())
  for (const text of ['', 'U', 'USA', 'us', 'U S']) expect(isCountryCode(text)).toBe(false)
})

test.each(['US', 'CA', 'AU'])(
  'the states of %s are those of ISO 3166-2, plus military mail for the US',
  (country) => {
    const listed = iso31662
      .filter(({ code }) => code.startsWith(`${country}-`))
      .map(({ code }) => code.slice(3))
    const expected = country === 'US' ? [...listed, 'AA', 'AE', 'AP'] : listed
    expect([...(stateCodes(country) ?? [])].toSorted()).toEqual(expected.toSorted())
  },
)

test.each(['CA', 'AU'])('every state of %s in ISO 3166-2 is known by its name', (country) => {
  const listed = iso31662.filter(({ code }) => code.startsWith(`${country}-`))
  expect(listed.map(({ name }) => stateNamed(name, country))).toEqual(listed.map(({ code }) => code.slice(3)))
})

test('the states of other countries are not checked', () => {
  expect(stateCodes('DE')).toBeUndefined()
  expect(stateCodes('constructor')).toBeUndefined()
})

test("countries without states are those of Google's address formats (libaddressinput)", () => {
  const isStateless = (postalCountry: string): boolean =>
    !formatAddress({ postalCountry, administrativeArea: 'STATE', locality: 'CITY' }).join().includes('STATE')
  const countries = iso31661.map(({ alpha2 }) => alpha2)
  expect(countries.filter(hasNoStates)).toEqual(countries.filter(isStateless))
  for (const text of ['', 'de', 'XX', 'constructor']) expect(hasNoStates(text)).toBe(false)
})

test.each([
  ['US', 'Texas', 'TX'],
  ['US', ' new york ', 'NY'],
  ['US', 'Washington D.C', 'DC'],
  ['AU', 'new south wales', 'NSW'],
  ['US', 'new south wales', undefined],
  ['US', 'TX', undefined],
  ['DE', 'Bavaria', undefined],
])('in %s the state "%s" is %s', (country, name, code) => {
  expect(stateNamed(name, country)).toBe(code)
})
