import { describe, expect, test } from 'vitest'
import { checkDestination, countriesServedByDefault } from '../../src/domain/fulfillments/destinations.ts'

const boston = { country: 'US', state: 'MA', zip: '02134' }

describe('checkDestination', () => {
  test.each([
    [boston, boston],
    [
      { country: 'us', state: 'ma', zip: '02134-1000' },
      { country: 'US', state: 'MA', zip: '02134-1000' },
    ],
    [
      { country: ' ca ', state: ' on ', zip: ' K1A 0B1 ' },
      { country: 'CA', state: 'ON', zip: 'K1A 0B1' },
    ],
    [
      { country: 'AU', state: 'nsw', zip: '2000' },
      { country: 'AU', state: 'NSW', zip: '2000' },
    ],
    [
      { country: 'gb', state: 'Greater London', zip: 'SW1A 1AA' },
      { country: 'GB', state: 'Greater London', zip: 'SW1A 1AA' },
    ],
    [
      { country: 'US', state: 'PR', zip: '00901' },
      { country: 'US', state: 'PR', zip: '00901' },
    ],
    [
      { country: 'US', state: 'AE', zip: '09012' },
      { country: 'US', state: 'AE', zip: '09012' },
    ],
    [
      { country: 'US', state: 'MA', zip: '021341000' },
      { country: 'US', state: 'MA', zip: '021341000' },
    ],
  ])('%j is served, as %j', (given, stored) => {
    expect(checkDestination(given, countriesServedByDefault)).toEqual({ ...stored, fault: null })
  })

  test('a country that exists and is not served is an unsupported_destination, whatever its state and ZIP code', () => {
    const { country, fault } = checkDestination(
      { country: 'br', state: '?', zip: '?' },
      countriesServedByDefault,
    )
    expect(country).toBe('BR')
    expect(fault).toEqual({ code: 'unsupported_destination', fields: { country: ['"BR" is not served'] } })
  })

  test('a state and a ZIP code are checked if a setting serves the country', () => {
    const { fault } = checkDestination(boston, new Set(['DE']))
    expect(fault?.code).toBe('unsupported_destination')
    expect(checkDestination({ ...boston, country: 'BR' }, new Set(['BR'])).fault).toBeNull()
  })

  test.each([
    ['XX', 'use two letters such as US'],
    ['USA', 'use US'],
    ['uk', 'use GB'],
    ['EN', 'use GB'],
    ['Germany', 'use DE'],
    ['Hong Kong', 'use HK'],
    ['Czech Republic', 'use CZ'],
    ['united states', 'use US'],
    ['España', 'use ES'],
    ['constructor', 'use two letters such as US'],
    // Their upper case is FI, SE, and SS.
    ['\ufb01', 'use two letters such as US'],
    ['\u017fe', 'use two letters such as US'],
    ['ß', 'use two letters such as US'],
  ])('the unknown country %s is a validation_error with advice', (country, advice) => {
    const { fault } = checkDestination({ ...boston, country }, countriesServedByDefault)
    expect(fault).toEqual({
      code: 'validation_error',
      fields: { country: [`"${country}" is not a country code of ISO 3166-1: ${advice}`] },
    })
  })

  test.each([
    ['US', 'Massachusets', '02134'],
    ['US', 'Ontario', '02134'],
    ['US', 'XX', '02134'],
    ['US', 'ON', '02134'],
    ['CA', 'MA', 'K1A 0B1'],
    ['US', 'Miss', '38601'],
    ['US', 'Victoria', '02134'],
    ['AU', 'XYZ', '2000'],
    ['US', '\ufb02', '33101'],
  ])('knows no state in %s named %s', (country, state, zip) => {
    const { fault } = checkDestination({ country, state, zip }, countriesServedByDefault)
    expect(fault?.code).toBe('validation_error')
    expect(Object.keys(fault?.fields ?? {})).toEqual(['state'])
    const [text = ''] = fault?.fields.state ?? []
    expect(text).toContain(`"${state}" is not a state code of ${country}: use one such as `)
    const example = text.split(' ').at(-1) as string
    expect(checkDestination({ country, state: example, zip }, countriesServedByDefault).fault).toBeNull()
  })

  test.each([
    ['US', 'Massachusetts', 'MA'],
    ['US', 'D.C.', 'DC'],
    ['US', 'Mass.', 'MA'],
    ['CA', 'ontario', 'ON'],
    ['AU', 'New South Wales', 'NSW'],
  ])('names the code of the state of %s that is written %s', (country, state, code) => {
    const { fault } = checkDestination({ country, state, zip: '02134' }, countriesServedByDefault)
    const problem = `"${state}" is not a state code of ${country}: use ${code}`
    expect(fault).toEqual({ code: 'validation_error', fields: { state: [problem] } })
  })

  test('checks the state and the ZIP code also if the country is written in words', () => {
    const sent = { country: 'United States', state: 'Massachusetts', zip: '2134' }
    const { fields } = checkDestination(sent, countriesServedByDefault).fault ?? {}
    expect(Object.keys(fields ?? {})).toEqual(['country', 'state', 'zip'])
  })

  test.each(['2134', '021345', '02134-12', '0213A', '02134 1000', ''])('%j is not a US ZIP code', (zip) => {
    const { fault } = checkDestination({ ...boston, zip }, countriesServedByDefault)
    expect(Object.keys(fault?.fields ?? {})).toEqual(['zip'])
  })

  const dropped = 'in a column formatted as text: a spreadsheet may have dropped leading zeros'
  test.each([
    ['2134', `write 02134 ${dropped}`],
    ['501', `write 00501 ${dropped}`],
    ['A213', 'use 02134 or 02134-1000'],
    ['213A', 'use 02134 or 02134-1000'],
    ['21341', null],
    ['213410', 'use 02134 or 02134-1000'],
    ['21', 'use 02134 or 02134-1000'],
  ])(
    'the message for the ZIP code %s guesses what happened to it, or gives a valid example',
    (zip, advice) => {
      const { fault } = checkDestination({ ...boston, zip }, countriesServedByDefault)
      const message = `"${zip}" is not a US zip of 5 or 9 digits: ${advice}`
      expect(fault).toEqual(advice === null ? null : { code: 'validation_error', fields: { zip: [message] } })
    },
  )

  test('a wrong state and ZIP code are named together', () => {
    const { fault } = checkDestination({ country: 'US', state: 'XX', zip: '1' }, countriesServedByDefault)
    expect(Object.keys(fault?.fields ?? {})).toEqual(['state', 'zip'])
  })

  test('the 29 countries of the decision are served by default, and all exist', () => {
    expect(countriesServedByDefault.size).toBe(29)
    for (const country of countriesServedByDefault) {
      const { fault } = checkDestination({ country, state: '-', zip: '-' }, countriesServedByDefault)
      expect(fault?.fields.country).toBeUndefined()
    }
  })
})
