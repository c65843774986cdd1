import { describe, expect, test } from 'vitest'
import { readCsv } from '../../src/domain/csv/csv-file.ts'
import type { CsvColumns } from '../../src/domain/csv/csv-header.ts'
import type { RowChecker } from '../../src/domain/csv/csv-row.ts'
import { countriesServedByDefault } from '../../src/domain/fulfillments/destinations.ts'
import { fulfillmentChecker, fulfillmentColumns } from '../../src/domain/fulfillments/fulfillment-csv.ts'
import { productChecker, productColumns } from '../../src/domain/items/product-csv.ts'
import { manifestChecker, manifestColumns } from '../../src/domain/manifests/manifest-csv.ts'
import { type ExpectedRows, type RejectedFile, readFixture, readFixtureJson } from '../support/fixtures.ts'

type Kind = { columns: CsvColumns; checker: (header: readonly string[]) => RowChecker<unknown> }

const context = { today: '2026-05-01', countriesServed: countriesServedByDefault }
const kinds: Record<string, Kind> = {
  submitManifestCsv: { columns: manifestColumns, checker: manifestChecker },
  importProductsCsv: { columns: productColumns, checker: productChecker },
  importFulfillmentsCsv: {
    columns: fulfillmentColumns,
    checker: (header) => fulfillmentChecker(header, context),
  },
}

describe('fixtures rejected as a whole (decisions 5)', () => {
  test.each(readFixtureJson<RejectedFile[]>('faults/expected.json'))(
    '$file: $fault',
    ({ file, ...expected }) => {
      expect(() => check(file, expected.operation)).toThrow(
        expect.objectContaining({
          code: 'validation_error',
          message: expect.stringMatching(
            new RegExp(expected.mentions.map((text) => `(?=.*${text})`).join('')),
          ),
        }),
      )
    },
  )
})

describe('fixtures whose rows fail one by one (decisions 5)', () => {
  test.each([
    'buy-sheets/two-bad-rows',
    'buy-sheets/ten-faults',
    'buy-sheets/excel-damaged',
    'products/with-faults',
    'fulfillments/with-faults',
  ])('%s.csv fails where its expectation says, by code and fields', (path) => {
    const expected = readFixtureJson<ExpectedRows>(`${path}.expected.json`)
    const { rejected, submitted } = check(`${path}.csv`, expected.operation)
    const fromTheFile = expected.errors.filter((error) => error.needs_data !== true)
    expect(
      rejected.map(({ row, code, fields }) => ({ row, code, fields: Object.keys(fields).sort() })),
    ).toEqual(fromTheFile.map(({ row, code, fields }) => ({ row, code, fields: fields.toSorted() })))
    expect(submitted).toBe(expected.totals.submitted)
  })

  test.each([
    ['catalog.csv', 'importProductsCsv', 72],
    ['buy-sheets/clean.csv', 'submitManifestCsv', 40],
    ['fulfillments/orders.csv', 'importFulfillmentsCsv', 10],
  ])('%s has no faulty row', (file, operation, rows) => {
    expect(check(file, operation)).toEqual({ rejected: [], submitted: rows })
  })
})

/** Reads a fixture and checks its rows by every rule that needs no database. */
function check(file: string, operation: string) {
  const kind = kinds[operation]
  if (kind === undefined) throw new Error(`No rules for ${operation}.`)
  const { header, rows } = readCsv(readFixture(file), kind.columns)
  const { rejected, accepted } = kind.checker(header)(rows)
  return { rejected, submitted: accepted.length + rejected.length }
}
