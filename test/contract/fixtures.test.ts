import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { errorCodes } from '../../src/contract/enums.ts'
import { productCreate } from '../../src/contract/resources/product.ts'
import { arrival } from '../../src/contract/resources/sandbox.ts'
import {
  type ExpectedRows,
  fixtureUrl,
  type RejectedFile,
  type Row,
  readFixture,
  readFixtureJson,
  readFixtureRows,
} from '../support/fixtures.ts'

const catalog = readFixtureRows('catalog.csv')
const slabs = readFixtureRows('slabs.csv')
const skus = new Set(catalog.map((product) => product.sku))
const slabNames = new Set(slabs.map(slabName))
const certificates: Record<string, RegExp> = {
  PSA: /^\d{8,9}$/,
  BGS: /^00\d{8}$/,
  CGC: /^\d{10}$/,
  SGC: /^\d{7}$/,
}
const withExpected = [
  'buy-sheets/two-bad-rows',
  'buy-sheets/ten-faults',
  'buy-sheets/excel-damaged',
  'products/with-faults',
  'fulfillments/with-faults',
]

describe('catalog.csv', () => {
  test('holds at least 60 products with a SKU and, if given, a unique UPC', () => {
    expect(catalog.length).toBeGreaterThanOrEqual(60)
    expect(skus.size).toBe(catalog.length)
    const upcs = catalog.map((product) => product.upc).filter((upc) => upc !== '')
    expect(new Set(upcs).size).toBe(upcs.length)
  })

  test('has only rows that POST /products would accept, with valid UPC check digits', () => {
    for (const row of catalog) {
      expect(() => productCreate().parse(productOf(row)), row.sku).not.toThrow()
      expect(row.image_url, row.sku).toMatch(/^$|^https:\/\/cdn\.example\//)
      if (row.upc !== '') expect(upcSum(String(row.upc)) % 10, row.sku).toBe(0)
    }
  })
})

describe('slabs.csv', () => {
  test('holds at least 240 slabs, each certificate once with its grader', () => {
    expect(slabs.length).toBeGreaterThanOrEqual(240)
    expect(slabNames.size).toBe(slabs.length)
  })

  test("has only slabs that could arrive, with certificates in their grader's form", () => {
    for (const row of slabs) {
      const slab = slabName(row)
      expect(() => arrival().parse({ ...row, card_number: row.card_number || null }), slab).not.toThrow()
      expect(row.cert_number, slab).toMatch(certificates[String(row.grader)] ?? /^never$/)
      expect(row.name, slab).toContain(row.card_number)
      expect(row.grade, slab).toMatch(/^(?:Pristine |Black Label )?(?:10|[1-9](?:\.5)?)$/)
    }
  })

  test('mixes sports and card games, names beyond ASCII, and several copies of cards', () => {
    expect(new Set(slabs.map((slab) => slab.category)).size).toBe(10)
    expect(slabs.filter((slab) => /[ぁ-ヿ一-鿿]/.test(String(slab.name))).length).toBeGreaterThanOrEqual(5)
    expect(slabs.filter((slab) => /Acuña|Dončić|Pelé/.test(String(slab.name))).length).toBeGreaterThan(3)
    expect(new Set(slabs.map((slab) => `${slab.name} ${slab.grader} ${slab.grade}`)).size).toBeLessThan(
      slabs.length,
    )
  })
})

describe('files to upload', () => {
  test('clean.csv has 40 rows, each a known slab, a catalog SKU, or a description', () => {
    const rows = readFixtureRows('buy-sheets/clean.csv')
    expect(rows).toHaveLength(40)
    expect(rows.map(formOf).filter((form) => form === 'unknown')).toEqual([])
    expect(new Set(rows.map(formOf))).toEqual(new Set(['slab', 'product', 'description']))
    expect(new Set(rows.map((row) => row.external_ref)).size).toBe(40)
  })

  test.each(withExpected)('%s.expected.json adds up and names known codes', (path) => {
    const { totals, errors } = readFixtureJson<ExpectedRows>(`${path}.expected.json`)
    expect(totals.failed).toBe(errors.length)
    expect(totals.submitted).toBe(totals.created + totals.failed)
    expect(new Set(errors.map((error) => error.row)).size).toBe(errors.length)
    for (const { row, code, fault } of errors) {
      expect(errorCodes).toContain(code)
      expect(row).toBeLessThanOrEqual(totals.submitted)
      expect(fault).not.toBe('')
    }
  })

  test('ten-faults.csv fails in ten rows with ten faults', () => {
    const { errors } = readFixtureJson<ExpectedRows>('buy-sheets/ten-faults.expected.json')
    expect(new Set(errors.map((error) => error.fault)).size).toBe(10)
    expect(errors).toHaveLength(10)
  })

  test('excel-damaged.csv keeps its byte order mark and CRLF line ends', () => {
    const bytes = readFixture('buy-sheets/excel-damaged.csv')
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(bytes.toString('utf8').match(/[^\r]\n/g)).toEqual([',\n'])
  })

  test('every file is listed, and is intact or has an expectation', () => {
    const rejected = readFixtureJson<RejectedFile[]>('faults/expected.json').map(({ file }) => file)
    const sound = ['buy-sheets/clean.csv', 'fulfillments/orders.csv']
    const folders = ['buy-sheets', 'faults', 'products', 'fulfillments']
    const files = folders.flatMap((folder) =>
      readdirSync(fixtureUrl(folder)).map((file) => `${folder}/${file}`),
    )
    const csvFiles = files.filter((file) => file.endsWith('.csv'))
    expect(csvFiles.sort()).toEqual(
      [...rejected, ...sound, ...withExpected.map((path) => `${path}.csv`)].sort(),
    )
  })
})

/** A catalog row as the body of POST /products (2.4). */
function productOf(row: Row): z.input<typeof productCreate> {
  const measure = (column: string) => Number(row[column])
  return {
    name: String(row.name),
    sku: String(row.sku),
    upc: row.upc || null,
    image_url: row.image_url || null,
    dimensions: {
      height: measure('height'),
      length: measure('length'),
      width: measure('width'),
      unit: z.enum(['in', 'cm']).parse(row.dimension_unit),
    },
    weight: { value: measure('weight'), unit: z.enum(['oz', 'g']).parse(row.weight_unit) },
  }
}

/** A multiple of ten if the check digit is right: every other digit, from the first, counts three times. */
function upcSum(upc: string): number {
  expect(upc).toMatch(/^\d{12}$/)
  return [...upc].reduce((sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 3 : 1), 0)
}

function formOf(row: Row): string {
  if (row.cert_number !== '') return slabNames.has(slabName(row)) && row.sku === '' ? 'slab' : 'unknown'
  if (row.sku !== '') return skus.has(String(row.sku)) ? 'product' : 'unknown'
  return row.description === '' ? 'unknown' : 'description'
}

function slabName(row: Row): string {
  return `${row.grader} ${row.cert_number}`
}
