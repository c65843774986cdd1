import { expect, test } from 'vitest'
import { csvRowError } from '../../src/contract/resources/error.ts'
import {
  addFault,
  existingSku,
  type RowCheck,
  raggedRow,
  rowError,
  tooFewAvailable,
  unavailableItem,
  unknownQid,
  unknownSku,
  withFault,
} from '../../src/domain/csv/csv-row.ts'

test.each([
  [
    unknownSku(3, 'PKM-1'),
    'validation_error',
    ['sku'],
    'sku "PKM-1" is not in the catalog: create the product first, or correct the SKU.',
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
    raggedRow(3, ['PSA'], 4),
    'validation_error',
    [],
    'The row has 1 field and the header 4: a comma or a quote may be missing.',
  ],
  [
    raggedRow(3, ['A', 'Box', ' 1st', '', 'US'], 4),
    'validation_error',
    [],
    'The row has 5 fields and the header 4: quote a field that contains a comma.',
  ],
])('%j is an error of its row (2.12)', (error, code, fields, message) => {
  expect(csvRowError().safeParse(error).error).toBeUndefined()
  expect(error).toMatchObject({ row: 3, code, message })
  expect(Object.keys(error.fields)).toEqual(fields)
})

test('a quoted value from the file is one line of limited length', () => {
  expect(existingSku(1, `a\n"b"${'x'.repeat(100)}`).message).toMatch(
    /^sku "a\\n"b"x+\.\.\." is already in the catalog\.$/,
  )
})

const nameless = rowError(3, 'validation_error', { name: ['is required'] })

test.each([
  [
    'an unknown value next to a fault of form',
    nameless,
    unknownSku(3, 'A'),
    'validation_error',
    'sku "A" is not in the catalog: create the product first, or correct the SKU; name is required.',
  ],
  [
    'faults of two codes',
    nameless,
    unknownQid(3),
    'validation_error',
    'qid is not an item in custody; name is required.',
  ],
  [
    'faults of two codes in the other order',
    unknownQid(3),
    unknownSku(3, 'A'),
    'validation_error',
    'sku "A" is not in the catalog: create the product first, or correct the SKU; qid is not an item in custody.',
  ],
  ['one code', unknownQid(3), unknownQid(3), 'not_found', 'qid is not an item in custody.'],
  [
    "no conflict with an item's state",
    nameless,
    unavailableItem(3, 'Q-0000-0000-0000', 'released'),
    'validation_error',
    'name is required.',
  ],
])('a lookup adds to a row: %s', (_, error, found, code, message) => {
  expect(withFault(error, found)).toMatchObject({ row: 3, code, message })
})

test('a value of up to 60 characters is quoted whole, a longer one to 57, and never half a pair', () => {
  const quotedSku = (sku: string) => existingSku(1, sku).message.split('"')[1]
  expect(quotedSku('x'.repeat(60))).toBe('x'.repeat(60))
  expect(quotedSku('x'.repeat(61))).toBe(`${'x'.repeat(57)}...`)
  expect(quotedSku(`${'x'.repeat(56)}${'\u{1f600}'.repeat(4)}`)).toBe(`${'x'.repeat(56)}\ufffd...`)
})

test.each([
  ['validation_error', 'not_found', 'validation_error'],
  ['not_found', 'validation_error', 'validation_error'],
  ['not_found', 'not_found', 'not_found'],
] as const)('faults of %s and %s in one field make a row of %s with both messages', (first, second, code) => {
  const row: RowCheck = { row: 3, values: [], at: {}, fields: null, code: 'validation_error' }
  addFault(row, 'qid', 'is odd', first)
  addFault(row, 'qid', 'is even', second)
  expect(row).toMatchObject({ code, fields: { qid: ['is odd', 'is even'] } })
})
