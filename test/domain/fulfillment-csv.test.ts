import { describe, expect, test } from 'vitest'
import type { CsvRowError } from '../../src/contract/resources/error.ts'
import { unknownQid } from '../../src/domain/csv/csv-row.ts'
import { countriesServedByDefault } from '../../src/domain/fulfillments/destinations.ts'
import {
  askedFor,
  type FulfillmentRow,
  fulfillmentChecker,
  fulfillmentColumns,
  type RequestedItems,
} from '../../src/domain/fulfillments/fulfillment-csv.ts'
import { makeQid } from '../../src/domain/items/qid.ts'

const context = { today: '2026-03-01', countriesServed: countriesServedByDefault }
const header = [...fulfillmentColumns.known]
const qid = makeQid(Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]))
const address = {
  recipient_name: 'Ann Smith',
  street: '1 Main St',
  street_2: '',
  city: 'Boston',
  state: 'MA',
  zip: '02134',
  country: 'US',
}
const one = { ...address, qid }
const several = { ...address, sku: 'PKM-BS-1', quantity: '3' }

describe('a fulfillment row', () => {
  test('orders one item by qid (4.4)', () => {
    const row = { ...one, external_ref: 'O-1', special_instructions: 'ring twice', deliver_by: '2026-03-09' }
    expect(acceptedValue(check(row))).toEqual({
      items: { qid },
      shipping_address: { ...address, street_2: null },
      external_ref: 'O-1',
      special_instructions: 'ring twice',
      deliver_by: '2026-03-09',
    })
  })

  test('orders items of a SKU by sku and quantity, and empty cells are null', () => {
    expect(acceptedValue(check({ ...several, street_2: 'Apt 4' }))).toEqual({
      items: { sku: 'PKM-BS-1', quantity: 3 },
      shipping_address: { ...address, street_2: 'Apt 4' },
      external_ref: null,
      special_instructions: null,
      deliver_by: null,
    })
  })

  test('accepts a qid in lower case without dashes, and a country and a state in any case', () => {
    const value = acceptedValue(
      check({ ...one, qid: ` ${qid.replaceAll('-', '').toLowerCase()} `, country: 'us', state: 'ma' }),
    )
    expect(value.items).toEqual({ qid })
    expect(value.shipping_address).toMatchObject({ country: 'US', state: 'MA' })
  })

  test.each([
    ['both forms', { ...several, qid }, ['qid', 'sku', 'quantity']],
    ['qid and sku', { ...one, sku: 'A' }, ['qid', 'sku']],
    ['qid and quantity', { ...one, quantity: '1' }, ['qid', 'quantity']],
    ['neither form', address, ['qid']],
    ['sku without quantity', { ...address, sku: 'A' }, ['quantity']],
    ['quantity without sku', { ...address, quantity: '1' }, ['sku']],
    ['quantity 0', { ...several, quantity: '0' }, ['quantity']],
    ['quantity 2.5', { ...several, quantity: '2.5' }, ['quantity']],
    ['more items than an order may have', { ...several, quantity: '1001' }, ['quantity']],
    ['a SKU too long', { ...several, sku: 'x'.repeat(256) }, ['sku']],
    ['no recipient', { ...one, recipient_name: '' }, ['recipient_name']],
    ['no street', { ...one, street: ' ' }, ['street']],
    ['no city', { ...one, city: '' }, ['city']],
    ['no state', { ...one, state: '' }, ['state']],
    ['no zip', { ...one, zip: '' }, ['zip']],
    ['no country', { ...one, country: '' }, ['country']],
    ['no state in a country without states', { ...one, country: 'DE', state: '', zip: '10115' }, ['state']],
    ['a country that does not exist', { ...one, country: 'XX' }, ['country']],
    ['a state that does not exist', { ...one, state: 'XX' }, ['state']],
    ['a zip of four digits', { ...one, zip: '2134' }, ['zip']],
    [
      'an address too long',
      { ...one, street: 'x'.repeat(201), street_2: 'x'.repeat(201) },
      ['street', 'street_2'],
    ],
    ['a reference too long', { ...one, external_ref: 'x'.repeat(256) }, ['external_ref']],
    ['instructions too long', { ...one, special_instructions: 'x'.repeat(1001) }, ['special_instructions']],
    ['a date that does not exist', { ...one, deliver_by: '2026-02-30' }, ['deliver_by']],
    ['a date in another form', { ...one, deliver_by: '3/9/2026' }, ['deliver_by']],
    ['deliver_by before today', { ...one, deliver_by: '2026-02-28' }, ['deliver_by']],
    ['an unserved country and another fault', { ...one, city: '', country: 'BR' }, ['city', 'country']],
    ['a malformed qid and another fault', { ...one, city: '', qid: 'Q-1' }, ['city', 'qid']],
    ['a malformed qid in both forms', { ...several, qid: 'Q-1' }, ['qid', 'sku', 'quantity']],
    ['nothing at all', {}, ['qid', 'recipient_name', 'street', 'city', 'state', 'zip', 'country']],
  ])('fails with a validation_error on exactly the faulty fields: %s', (_, row, fields) => {
    const { accepted, rejected } = check(row)
    expect(accepted).toEqual([])
    expect(rejected.map(({ code }) => code)).toEqual(['validation_error'])
    expect(Object.keys(rejected[0]?.fields ?? {}).toSorted()).toEqual(fields.toSorted())
  })

  const notCombined = 'cannot be combined with qid'
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['neither form', address, { qid: 'is required, or sku and quantity instead' }],
    ['sku alone', { ...address, sku: 'A' }, { quantity: 'is required with sku' }],
    ['quantity alone', { ...address, quantity: '1' }, { sku: 'is required with quantity' }],
    [
      'both forms',
      { ...several, qid },
      {
        qid: 'cannot be combined with sku and quantity: a row gives one form or the other',
        sku: notCombined,
        quantity: notCombined,
      },
    ],
    ['no date', { ...one, deliver_by: '9.3.' }, { deliver_by: '"9.3." is not a date such as 2026-01-31' }],
    [
      'yesterday',
      { ...one, deliver_by: '2026-02-28' },
      { deliver_by: '2026-02-28 is before today, 2026-03-01 (UTC)' },
    ],
  ])('says what to do about %s', (_, row, messages) => {
    const fields = Object.fromEntries(Object.entries(messages).map(([name, text]) => [name, [text]]))
    expect(check(row).rejected).toMatchObject([{ fields }])
  })

  test.each<[string, Record<string, string>, RequestedItems | null]>([
    ['a QID', { ...one, city: '' }, { qid }],
    ['a malformed QID', { ...one, qid: 'Q-1' }, null],
    ['a SKU and a quantity', { ...several, city: '' }, { sku: 'PKM-BS-1', quantity: 3 }],
    ['a SKU and an invalid quantity', { ...several, quantity: 'x' }, { sku: 'PKM-BS-1', quantity: 0 }],
    ['a SKU and too large a quantity', { ...several, quantity: '1001' }, { sku: 'PKM-BS-1', quantity: 0 }],
    ['a SKU that is too long', { ...several, sku: 'x'.repeat(256) }, null],
    ['no SKU', { ...address, quantity: '3' }, null],
    ['nothing', address, null],
  ])('requests the possible lookups despite faults: %s', (_, row, asked) => {
    const { rejected, readable } = check(row)
    const [error] = rejected as [CsvRowError]
    expect(askedFor((readable.get(error) as FulfillmentRow).items, error.fields)).toEqual(asked)
  })

  test('names an empty field once, as required', () => {
    const [error] = check({ ...one, state: '', zip: '' }).rejected
    expect(error?.fields).toEqual({ state: ['is required'], zip: ['is required'] })
  })

  test('fails with unsupported_destination if its country exists but is not served', () => {
    expect(check({ ...one, country: 'br' }).rejected).toEqual([
      {
        row: 1,
        code: 'unsupported_destination',
        fields: { country: ['"BR" is not served'] },
        message: 'country "BR" is not served.',
      },
    ])
  })

  test.each(['Q-0000-0000-0001', 'nonsense', `${qid}0`, "Q-' or 1=1"])(
    'with the malformed qid %s fails exactly like an unknown one',
    (text) => {
      expect(check(one, { ...one, qid: text }).rejected).toEqual([unknownQid(2)])
    },
  )

  test('leaves deliver_by today, and the same item twice, to the engine', () => {
    expect(check({ ...one, deliver_by: '2026-03-01' }, one).accepted).toHaveLength(2)
  })

  test('fails by itself if it has another number of fields', () => {
    const { accepted, rejected } = fulfillmentChecker(header, context)([{ row: 1, values: [qid] }])
    expect(accepted).toEqual([])
    expect(rejected).toMatchObject([{ row: 1, code: 'validation_error', fields: {} }])
  })
})

function check(...rows: Record<string, string>[]) {
  return fulfillmentChecker(
    header,
    context,
  )(rows.map((row, index) => ({ row: index + 1, values: header.map((name) => row[name] ?? '') })))
}

function acceptedValue({ accepted, rejected }: ReturnType<typeof check>): FulfillmentRow {
  expect(rejected).toEqual([])
  return (accepted[0] as { value: FulfillmentRow }).value
}
