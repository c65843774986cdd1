import { expect, test } from 'vitest'
import { csvRowError } from '../../src/contract/resources/error.ts'
import {
  existingSku,
  raggedRow,
  rowError,
  tooFewAvailable,
  unavailableItem,
  unknownQid,
  unknownSku,
} from '../../src/domain/csv/csv-row-errors.ts'

test.each([
  [
    unknownSku(3, 'PKM-1'),
    'validation_error',
    ['sku'],
    'sku "PKM-1" is not in the catalog: import the product first, or correct the SKU.',
  ],
  [existingSku(3, 'PKM-1'), 'state_conflict', ['sku'], 'sku "PKM-1" is already in the catalog.'],
  [unknownQid(3), 'not_found', ['qid'], 'qid is not an item in custody.'],
  [
    unavailableItem(3, 'Q-0000-0000-0000', 'in_fulfillment'),
    'state_conflict',
    ['qid'],
    'qid Q-0000-0000-0000 is in_fulfillment, not available (requested 1, available 0).',
  ],
  [
    tooFewAvailable(3, 'PKM-1', 5, 2),
    'state_conflict',
    ['sku'],
    'sku "PKM-1" has too few available items (requested 5, available 2).',
  ],
  [
    rowError(3, 'validation_error', { name: ['is required'], sku: ['is required', 'is odd'] }),
    'validation_error',
    ['name', 'sku'],
    'name is required; sku is required; sku is odd.',
  ],
  [
    raggedRow(3, 2, 4),
    'validation_error',
    [],
    'The row has 2 fields and the header 4: a comma or a quote may be missing.',
  ],
])('%j is an error of its row (2.12)', (error, code, fields, message) => {
  expect(csvRowError().safeParse(error).error).toBeUndefined()
  expect(error).toMatchObject({ row: 3, code, message })
  expect(Object.keys(error.fields)).toEqual(fields)
})

test('a value from the file is quoted on one line and not at any length', () => {
  expect(existingSku(1, `a\n"b"${'x'.repeat(100)}`).message).toMatch(
    /^sku "a\\n"b"x+\.\.\." is already in the catalog\.$/,
  )
})
