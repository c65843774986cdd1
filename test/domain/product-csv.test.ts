import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { productCreate } from '../../src/contract/resources/product.ts'
import { readCsv } from '../../src/domain/csv/csv-file.ts'
import { type ProductRow, productChecker, productColumns } from '../../src/domain/items/product-csv.ts'

const header = 'name,sku,upc,length,width,height,dimension_unit,weight,weight_unit,image_url'.split(',')
const booster = {
  name: 'Base Set Booster',
  sku: 'PKM-BS-1',
  upc: '0820650000012',
  length: '4.75',
  width: '2.5',
  height: '.5',
  dimension_unit: 'in',
  weight: '22',
  weight_unit: 'g',
  image_url: 'https://img.example.com/p/1.webp',
}

describe('a product row', () => {
  test('becomes the product as created, with numbers as numbers (2.4)', () => {
    expect(check(booster)).toEqual({
      accepted: [
        {
          row: 1,
          value: {
            name: 'Base Set Booster',
            sku: 'PKM-BS-1',
            upc: '0820650000012',
            image_url: 'https://img.example.com/p/1.webp',
            dimensions: { length: 4.75, width: 2.5, height: 0.5, unit: 'in' },
            weight: { value: 22, unit: 'g' },
          },
        },
      ],
      rejected: [],
      readable: new Map(),
    })
  })

  test('has null for empty and absent optional fields, and trimmed cells', () => {
    const { upc, image_url, ...needed } = booster
    const expected = { upc: null, image_url: null, name: 'Booster' }
    expect(acceptedValue(check({ ...booster, upc: '', image_url: '  ', name: ' Booster ' }))).toMatchObject(
      expected,
    )
    const columns = Object.keys(needed)
    const short = productChecker(columns)([{ row: 1, values: Object.values({ ...needed, name: 'Booster' }) }])
    expect(acceptedValue(short)).toMatchObject(expected)
  })

  test('accepts units in any case', () => {
    const value = acceptedValue(check({ ...booster, dimension_unit: 'CM', weight_unit: 'Oz' }))
    expect(value.dimensions.unit).toBe('cm')
    expect(value.weight.unit).toBe('oz')
  })

  test('names every required field if it is empty', () => {
    const empty = Object.fromEntries(header.map((name) => [name, '']))
    const [error] = check(empty).rejected
    expect(error).toMatchObject({ row: 1, code: 'validation_error' })
    expect(Object.keys(error?.fields ?? {}).toSorted()).toEqual([...productColumns.required].toSorted())
    expect(error?.message).toContain('name is required; sku is required;')
  })

  test.each([
    ['weight', 'abc', '"abc" is not a number: give the number alone, without a unit'],
    ['length', '4,75', '"4,75" is not a number: write it with a decimal point and no separators'],
    ['width', '2.5 in', '"2.5 in" is not a number: give the number alone, without a unit'],
    ['height', '0', '"0" must be a number greater than 0'],
    ['height', '-1', '"-1" must be a number greater than 0'],
    ['weight', '1e999', '"1e999" must be a number greater than 0'],
    ['weight', 'NaN', '"NaN" is not a number: give the number alone, without a unit'],
    ['weight', '0x10', '"0x10" is not a number: give the number alone, without a unit'],
    ['width', `1${'0'.repeat(40)}`, expect.stringContaining('is not a number of at most 40 characters')],
    ['weight', '1'.repeat(32_700), expect.stringContaining('is not a number of at most 40 characters')],
    ['dimension_unit', 'inch', '"inch" is not a unit: use in or cm'],
    ['dimension_unit', '', 'is required: in or cm'],
    ['weight_unit', 'lb', '"lb" is not a unit: use oz or g'],
    ['image_url', 'img.example.com/1.webp', expect.stringContaining('begins with https:// or http://')],
    ['image_url', 'ftp://example.com/1.webp', expect.stringContaining('begins with https:// or http://')],
    ['image_url', 'https://', expect.stringContaining('begins with https:// or http://')],
    ['image_url', 'https://example.com/a b', expect.stringContaining('begins with https:// or http://')],
    ['image_url', 'https://example.com/%zz', expect.stringContaining('begins with https:// or http://')],
    ['image_url', 'https://exa mple.com/', expect.stringContaining('begins with https:// or http://')],
    ['upc', '8.2065E+11', '"8.2065E+11" looks damaged by a spreadsheet: format the column as text'],
    ['sku', '1.2E+08', '"1.2E+08" looks damaged by a spreadsheet: format the column as text'],
    ['name', 'x'.repeat(501), 'is 501 characters long: at most 500 are allowed'],
    ['sku', 'x'.repeat(256), 'is 256 characters long: at most 255 are allowed'],
    ['upc', '1'.repeat(256), 'is 256 characters long: at most 255 are allowed'],
    [
      'image_url',
      `https://example.com/${'x'.repeat(2029)}`,
      'is 2049 characters long: at most 2048 are allowed',
    ],
  ])('fails on one field alone: %s %j', (field, text, message) => {
    const { accepted, rejected } = check({ ...booster, [field]: text })
    expect(accepted).toEqual([])
    expect(rejected).toEqual([
      {
        row: 1,
        code: 'validation_error',
        fields: { [field]: [message] },
        message: expect.stringMatching(/\.$/),
      },
    ])
  })

  test.each(['http://example.com', 'HTTPS://example.com/%C3%A9?q=1#x', 'https://[2001:db8::1]:8443/a'])(
    'keeps the address %s unchanged',
    (image_url) => {
      expect(acceptedValue(check({ ...booster, image_url })).image_url).toBe(image_url)
    },
  )

  test.each(['12E-3', '5E100', 'E+08', '1.2', 'PKM-1.0'])('accepts %s as a SKU', (sku) => {
    expect(acceptedValue(check({ ...booster, sku })).sku).toBe(sku)
  })

  test('accepts fields of the maximum length', () => {
    const longest = { name: 'x'.repeat(500), sku: 'x'.repeat(255), upc: '1'.repeat(255) }
    expect(acceptedValue(check({ ...booster, ...longest }))).toMatchObject(longest)
  })

  test('fails by itself if it has another number of fields', () => {
    const values = Object.values(booster)
    const rows = [values, ['PKM'], [...values, 'x'], [...values, '', ' ']].map((cells, index) => ({
      row: index + 1,
      values: cells,
    }))
    const { accepted, rejected } = productChecker(header)(rows)
    expect(accepted.map(({ row }) => row)).toEqual([1])
    expect(rejected).toEqual([
      {
        row: 2,
        code: 'validation_error',
        fields: {},
        message: 'The row has 1 field and the header 10: a comma or a quote may be missing.',
      },
      {
        row: 3,
        code: 'validation_error',
        fields: {},
        message: 'The row has 11 fields and the header 10: quote a field that contains a comma.',
      },
      {
        row: 4,
        code: 'validation_error',
        fields: {},
        message: 'The row has 12 fields and the header 10: delete the empty ones at its end.',
      },
    ])
  })
})

describe('a repeated SKU', () => {
  test('is a state_conflict on the later row, also in a later slice', () => {
    const checker = productChecker(header)
    const values = Object.values(booster)
    expect(checker([{ row: 1, values }]).rejected).toEqual([])
    expect(checker([{ row: 2, values }]).rejected).toEqual([
      {
        row: 2,
        code: 'state_conflict',
        fields: { sku: ['"PKM-BS-1" is already in row 1'] },
        message: 'sku "PKM-BS-1" is already in row 1.',
      },
    ])
  })

  test('together with another fault is a validation_error that names both fields', () => {
    const [error] = check(booster, { ...booster, weight: 'x' }).rejected
    expect(error?.code).toBe('validation_error')
    expect(Object.keys(error?.fields ?? {}).toSorted()).toEqual(['sku', 'weight'])
  })

  test('is free again after a failed row, and case makes another SKU', () => {
    const { accepted } = check({ ...booster, weight: 'x' }, booster, { ...booster, sku: 'pkm-bs-1' })
    expect(accepted.map(({ row }) => row)).toEqual([2, 3])
  })
})

test('every accepted row passes the schema of POST /products, and every row is in exactly one list', () => {
  const messy = fc.record(
    Object.fromEntries(
      Object.entries(booster).map(([name, good]) => [
        name,
        fc.constantFrom(good, good, good, '', 'x', '1e3', '0'),
      ]),
    ),
  )
  fc.assert(
    fc.property(fc.array(messy, { minLength: 1, maxLength: 5 }), (rows) => {
      const { accepted, rejected } = check(...(rows as Record<string, string>[]))
      const numbers = [...accepted, ...rejected].map(({ row }) => row)
      expect(numbers.toSorted()).toEqual(rows.map((_, index) => index + 1))
      for (const { value } of accepted) expect(productCreate().safeParse(value).error).toBeUndefined()
    }),
    { numRuns: 300 },
  )
})

test('a file of the named columns is read from bytes to products', () => {
  const text = `${header.join(',')}\n${Object.values(booster).join(',')}\n`
  const file = readCsv(Buffer.from(text), productColumns)
  const checker = productChecker(file.header)
  expect(checker(file.rows).accepted).toHaveLength(1)
})

function check(...rows: Record<string, string>[]) {
  return productChecker(header)(
    rows.map((row, index) => ({ row: index + 1, values: header.map((name) => row[name] ?? '') })),
  )
}

function acceptedValue({ accepted, rejected }: ReturnType<typeof check>): ProductRow {
  expect(rejected).toEqual([])
  return (accepted[0] as { value: ProductRow }).value
}
