import { describe, expect, test } from 'vitest'
import {
  type ManifestRow,
  manifestChecker,
  manifestColumns,
} from '../../src/domain/manifests/manifest-csv.ts'

const header = ['external_ref', 'description', 'sku', 'grader', 'cert_number', 'quantity']
const slab = { external_ref: 'L-1', description: 'Charizard PSA 10', grader: 'PSA', cert_number: '48201934' }
const boxes = { description: 'Base Set booster box', sku: 'PKM-BS-1', quantity: '12' }
const words = { description: 'a binder of Jungle commons' }

describe('a manifest row', () => {
  test('is a slab by grader and cert_number, a product by sku, or a description (decisions 5)', () => {
    const none = { external_ref: null, sku: null, grader: null, cert_number: null, quantity: 1 }
    expect(check(slab, boxes, words)).toEqual({
      accepted: [
        { row: 1, value: { ...none, ...slab } },
        { row: 2, value: { ...none, ...boxes, quantity: 12 } },
        { row: 3, value: { ...none, ...words } },
      ],
      rejected: [],
      readable: new Map(),
    })
  })

  test('keeps the grader as sent, trimmed', () => {
    expect(acceptedValue(check({ ...slab, grader: ' psa ' })).grader).toBe('psa')
  })

  test('needs only the description column', () => {
    expect(manifestColumns.required).toEqual(['description'])
    const { accepted } = manifestChecker(['description'])([{ row: 1, values: ['a binder'] }])
    expect(accepted[0]?.value).toMatchObject({
      description: 'a binder',
      sku: null,
      grader: null,
      quantity: 1,
    })
  })

  test('names every field of both forms if it mixes them', () => {
    const [error] = check({ ...slab, sku: 'PKM-BS-1' }).rejected
    expect(error).toMatchObject({ row: 1, code: 'validation_error' })
    expect(error?.fields).toEqual({
      sku: ['cannot be combined with grader and cert_number: a row is a product or a slab, not both'],
      grader: ['cannot be combined with sku'],
      cert_number: ['cannot be combined with sku'],
    })
  })

  test('reports two faults of one field', () => {
    const [error] = check({ ...words, sku: 'A'.repeat(256), grader: 'PSA' }).rejected
    expect(error?.fields.sku).toEqual([
      'is 256 characters long: at most 255 are allowed',
      'cannot be combined with grader and cert_number: a row is a product or a slab, not both',
    ])
  })

  test('names the missing half of a slab, and says that one of several is one', () => {
    const rows = [
      { ...words, grader: 'PSA' },
      { ...words, cert_number: '48201934' },
      { ...words, cert_number: 'https://www.psacard.com/cert/48201934/psa' },
      { ...words, cert_number: 'PSA 48201935' },
      { ...slab, quantity: '2' },
    ]
    expect(check(...rows).rejected.map(({ fields }) => fields)).toEqual([
      { cert_number: ['is required with grader'] },
      { grader: ['is required with cert_number'] },
      { grader: ['is required with cert_number: this address is of PSA'] },
      { grader: ['is required with cert_number: the number names PSA'] },
      { quantity: ['must be 1 for a slab: one certificate is one item, not 2'] },
    ])
  })

  test.each(['sku', 'cert_number'])('names a %s that a spreadsheet damaged', (field) => {
    const row = field === 'sku' ? { ...boxes, sku: '1.2E+08' } : { ...slab, cert_number: '1.2E+08' }
    expect(Object.keys(check(row).rejected[0]?.fields ?? {})).toEqual([field])
  })

  test.each([
    ['sku and grader', { ...words, sku: 'A', grader: 'PSA' }, ['sku', 'grader']],
    ['sku and cert_number', { ...words, sku: 'A', cert_number: '1' }, ['sku', 'cert_number']],
    ['grader without cert_number', { ...words, grader: 'PSA' }, ['cert_number']],
    ['cert_number without grader', { ...words, cert_number: '48201934' }, ['grader']],
    ['a slab of quantity 2', { ...slab, quantity: '2' }, ['quantity']],
    ['no description', { ...slab, description: '' }, ['description']],
    ['a description of spaces', { ...slab, description: '   ' }, ['description']],
    ['quantity 0', { ...boxes, quantity: '0' }, ['quantity']],
    ['quantity -1', { ...boxes, quantity: '-1' }, ['quantity']],
    ['quantity 1.5', { ...boxes, quantity: '1.5' }, ['quantity']],
    ['quantity in words', { ...boxes, quantity: 'two' }, ['quantity']],
    ['quantity with a separator', { ...boxes, quantity: '1,000' }, ['quantity']],
    ['quantity beyond the limit', { ...boxes, quantity: '1000001' }, ['quantity']],
    ['an endless quantity', { ...boxes, quantity: '9'.repeat(400) }, ['quantity']],
    ['a description too long', { description: 'x'.repeat(501) }, ['description']],
    ['an external_ref too long', { ...slab, external_ref: 'x'.repeat(256) }, ['external_ref']],
    [
      'a grader and a certificate too long',
      { ...slab, grader: 'x'.repeat(256), cert_number: '1'.repeat(256) },
      ['grader', 'cert_number'],
    ],
    ['a SKU too long', { ...boxes, sku: 'x'.repeat(256) }, ['sku']],
    [
      'several faults',
      { sku: 'A', grader: 'PSA', quantity: 'x' },
      ['quantity', 'description', 'sku', 'grader'],
    ],
  ])('fails on exactly the faulty fields: %s', (_, row, fields) => {
    const { accepted, rejected } = check(row)
    expect(accepted).toEqual([])
    expect(rejected.map(({ code }) => code)).toEqual(['validation_error'])
    expect(Object.keys(rejected[0]?.fields ?? {}).toSorted()).toEqual(fields.toSorted())
  })

  test.each(['1.2E+08', '1,2E+08', '4.8201934e7', '1E+08', '48201934.0'])(
    'says what to do about the damaged certificate %s',
    (cert_number) => {
      const [error] = check({ ...slab, cert_number }).rejected
      const advice = `"${cert_number}" looks damaged by a spreadsheet: format the column as text`
      expect(error).toEqual({
        row: 1,
        code: 'validation_error',
        fields: { cert_number: [advice] },
        message: `cert_number ${advice}.`,
      })
    },
  )

  test.each(['48201934', '0012345678', '12E4', 'AB-12', '0.5'])(
    'accepts %s as a certificate',
    (cert_number) => {
      expect(acceptedValue(check({ ...slab, cert_number })).cert_number).toBe(cert_number)
    },
  )

  test('fails by itself if it has another number of fields', () => {
    const { accepted, rejected } = manifestChecker(header)([
      { row: 1, values: ['', 'x'] },
      { row: 2, values: ['', 'x', '', '', '', ''] },
    ])
    expect(accepted.map(({ row }) => row)).toEqual([2])
    expect(rejected).toMatchObject([{ row: 1, code: 'validation_error', fields: {} }])
  })
})

describe('the same slab twice in a file', () => {
  test.each([
    ['exactly', slab],
    ['in another case', { ...slab, grader: 'psa' }],
    ['with spaces and dashes', { ...slab, cert_number: '48-2019 34' }],
  ])('fails in the later row, which names the earlier: %s', (_, again) => {
    const { accepted, rejected } = check(slab, words, again)
    expect(accepted.map(({ row }) => row)).toEqual([1, 2])
    expect(rejected).toMatchObject([{ row: 3, code: 'validation_error' }])
    const fault = `"${again.cert_number}" of ${again.grader} is already in row 1`
    expect(rejected[0]?.fields).toEqual({ cert_number: [fault] })
  })

  test('fails in the later row also if the earlier one failed for another reason', () => {
    expect(check({ ...slab, description: '' }, slab).rejected.map(({ row }) => row)).toEqual([1, 2])
  })

  test('is noticed across slices', () => {
    const checker = manifestChecker(header)
    const values = header.map((name) => (slab as Record<string, string>)[name] ?? '')
    expect(checker([{ row: 1, values }]).accepted).toHaveLength(1)
    expect(checker([{ row: 2, values }]).rejected).toHaveLength(1)
  })

  test('is not the same certificate of another grader, nor a repeated SKU or description', () => {
    expect(check(slab, { ...slab, grader: 'BGS' }, boxes, boxes, words, words).rejected).toEqual([])
  })
})

function check(...rows: Record<string, string>[]) {
  return manifestChecker(header)(
    rows.map((row, index) => ({ row: index + 1, values: header.map((name) => row[name] ?? '') })),
  )
}

function acceptedValue({ accepted, rejected }: ReturnType<typeof check>): ManifestRow {
  expect(rejected).toEqual([])
  return (accepted[0] as { value: ManifestRow }).value
}
