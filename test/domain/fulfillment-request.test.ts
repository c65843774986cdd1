import { describe, expect, test } from 'vitest'
import type { FulfillmentCreate } from '../../src/contract/resources/fulfillment.ts'
import {
  fulfillmentFaults,
  fulfillmentRequest,
  itemsAsked,
  rejectFulfillment,
  repeatedQidFaults,
  type SentOrder,
} from '../../src/domain/fulfillments/fulfillment-csv.ts'
import { makeQid } from '../../src/domain/items/qid.ts'
import type { Given } from '../../src/domain/rejection.ts'

const qid = makeQid(new Uint8Array(11).fill(3))
const context = { today: '2026-05-01', countriesServed: new Set(['US', 'DE']), knowsSku: (_: string) => true }
const address = {
  recipient_name: 'Ada Park',
  street: '1 Main St',
  city: 'Austin',
  state: 'tx',
  zip: ' 73301 ',
  country: 'us',
}

function checkFulfillmentRequest(body: FulfillmentCreate, given: typeof context): SentOrder {
  rejectFulfillment(fulfillmentFaults(body, given))
  return fulfillmentRequest(body, given)
}

function rejectionOf(body: Partial<FulfillmentCreate>, given: Partial<typeof context> = {}): unknown {
  try {
    checkFulfillmentRequest(
      { shipping_address: address, type: 'standard', ...body },
      { ...context, ...given },
    )
  } catch (rejection) {
    return rejection
  }
  return undefined
}

describe('the body of POST /fulfillments (decisions 10)', () => {
  test('has address codes in upper case and null for missing fields', () => {
    const body = { qids: [qid], shipping_address: address, type: 'withdrawal' as const }
    expect(checkFulfillmentRequest(body, context)).toEqual({
      wanted: [{ qid }],
      isWhole: false,
      draft: {
        shipping_address: { ...address, street_2: null, state: 'TX', zip: '73301', country: 'US' },
        type: 'withdrawal',
        external_ref: null,
        special_instructions: null,
        deliver_by: null,
      },
    })
  })

  test('accepts a SKU and a quantity instead of QIDs, with every optional field', () => {
    const extra = { external_ref: 'SO-1', special_instructions: 'Ring twice', deliver_by: '2026-05-01' }
    const body = { sku: 'ETB-1', quantity: 2, shipping_address: address, type: 'standard' as const, ...extra }
    const { wanted, draft } = checkFulfillmentRequest(body, context)
    expect(wanted).toEqual([{ sku: 'ETB-1', quantity: 2 }])
    expect(draft).toMatchObject(extra)
  })

  test.each<[string, Partial<FulfillmentCreate>, Record<string, string[]>]>([
    ['neither form', {}, { qids: ['is required, or sku and quantity instead'] }],
    ['a SKU alone', { sku: 'ETB-1' }, { quantity: ['is required with sku'] }],
    ['a quantity alone', { quantity: 1 }, { sku: ['is required with quantity'] }],
    [
      'both forms',
      { qids: [qid], sku: 'ETB-1', quantity: 1 },
      {
        qids: ['cannot be combined with sku and quantity; give one form or the other'],
        sku: ['cannot be combined with qids'],
        quantity: ['cannot be combined with qids'],
      },
    ],
    [
      'an item twice in different spellings',
      { qids: [qid, qid.toLowerCase().replaceAll('-', '')] },
      { 'qids[1]': ['is the same item as qids[0]; name each item once'] },
    ],
    [
      'a day before today',
      { qids: [qid], deliver_by: '2026-04-30' },
      { deliver_by: ['2026-04-30 is before today, 2026-05-01 (UTC)'] },
    ],
  ])('%s is a validation_error that names the fields', (_, body, fields) => {
    expect(rejectionOf(body)).toMatchObject({ code: 'validation_error', extra: { fields } })
  })

  test('is a validation_error on sku if the SKU is unknown (decisions 11)', () => {
    expect(rejectionOf({ sku: 'NOPE', quantity: 1 }, { knowsSku: () => false })).toMatchObject({
      code: 'validation_error',
      extra: { fields: { sku: ['is not in the catalog: create the product first, or correct the SKU'] } },
    })
  })

  test('is an unsupported_destination if only the country is not served', () => {
    const rejection = rejectionOf({ qids: [qid], shipping_address: { ...address, country: 'BR' } })
    expect(rejection).toMatchObject({
      code: 'unsupported_destination',
      message: 'This destination is not served.',
      extra: { fields: { 'shipping_address.country': ['"BR" is not served'] } },
    })
  })

  test('is one validation_error that names both an unserved country and another fault', () => {
    expect(rejectionOf({ shipping_address: { ...address, country: 'BR' } })).toMatchObject({
      code: 'validation_error',
      extra: {
        fields: {
          qids: ['is required, or sku and quantity instead'],
          'shipping_address.country': ['"BR" is not served'],
        },
      },
    })
  })

  test('does not report a field with a fault of form as missing or anything else', () => {
    const faultsOf = (body: Given<FulfillmentCreate>) =>
      fulfillmentFaults(body, { ...context, knowsSku: () => false }).fields
    const valid = { shipping_address: address }
    expect(faultsOf({ ...valid, qids: undefined })).toEqual({})
    expect(faultsOf({ ...valid, sku: undefined, quantity: undefined })).toEqual({})
    expect(faultsOf({ qids: [qid], shipping_address: undefined })).toEqual({})
    expect(faultsOf({ qids: [qid], shipping_address: { ...address, country: undefined } })).toEqual({})
    expect(repeatedQidFaults(itemsAsked({ qids: [undefined, qid, undefined] }))).toEqual({})
  })

  test('treats a state and a ZIP code with faults of form as empty', () => {
    const shipping_address = { ...address, state: undefined, zip: undefined }
    expect(fulfillmentFaults({ qids: [qid], shipping_address }, context).fields).toEqual({
      'shipping_address.state': ['"" is not a state code of US: use one such as AL'],
      'shipping_address.zip': ['"" is not a US zip of 5 or 9 digits: use 02134 or 02134-1000'],
    })
  })

  test('names at most a hundred repeated items', () => {
    expect(Object.keys(repeatedQidFaults(itemsAsked({ qids: Array(500).fill(qid) })))).toHaveLength(100)
  })
})
