import { describe, expect, test } from 'vitest'
import {
  cell,
  codeFault,
  isSpreadsheetError,
  optionalQuantity,
  optionalText,
  requiredMeasure,
  requiredText,
  requiredWord,
} from '../../src/domain/csv/csv-cells.ts'
import type { RowCheck } from '../../src/domain/csv/csv-row.ts'

const rowOf = (...values: string[]): RowCheck => {
  const at = { unit: 0, name: 0, weight: 0, quantity: 0, second: 1 }
  return { row: 1, values, at, fields: null, code: 'validation_error' }
}

/** The value read from a cell, and its fault. */
function reading<T>(text: string, read: (row: RowCheck) => T): { value: T; faults: string[] } {
  const row = rowOf(text)
  const value = read(row)
  return { value, faults: Object.values(row.fields ?? {}).flat() }
}

describe('a cell (decisions 5)', () => {
  test('is trimmed, and counts as missing if it is empty or its column is absent', () => {
    expect(cell(rowOf('', ' a b '), 'second')).toBe('a b')
    expect([cell(rowOf(' \t'), 'name'), cell(rowOf('a'), 'absent')]).toEqual([null, null])
  })

  test.each([
    ['ab', []],
    ['🂡🂡', []],
    ['abc', ['is 3 characters long: at most 2 are allowed']],
    ['🂡🂡🂡', ['is 3 characters long: at most 2 are allowed']],
  ])(
    'accepts text of at most the given characters, and counts one beyond U+FFFF as one: %j',
    (text, faults) => {
      expect(reading(text, (row) => optionalText(row, 'name', 2))).toEqual({ value: text, faults })
    },
  )

  test('is named if it requires text and is empty', () => {
    const read = (row: RowCheck) => requiredText(row, 'name', 2)
    expect(reading('', read)).toEqual({ value: '', faults: ['is required'] })
  })

  test.each([
    ['LB', 'lb', []],
    ['', 'kg', ['is required: kg or lb']],
    ['stone', 'kg', ['"stone" is not a unit: use kg or lb']],
  ])('accepts a word of its vocabulary, in any case: %j', (text, value, faults) => {
    expect(reading(text, (row) => requiredWord(row, 'unit', ['kg', 'lb']))).toEqual({ value, faults })
  })

  test.each([
    ['0.1', 0.1, []],
    ['', 0, ['is required']],
    ['0', 0, ['"0" must be a number greater than 0']],
    ['1e999', Number.POSITIVE_INFINITY, ['"1e999" must be a number greater than 0']],
    ['5 cm', 0, ['"5 cm" is not a number: give the number alone, without a unit']],
  ])('accepts a measure above 0: %j', (text, value, faults) => {
    expect(reading(text, (row) => requiredMeasure(row, 'weight'))).toEqual({ value, faults })
  })

  test.each([
    ['', null, []],
    ['1', 1, []],
    ['10', 10, []],
    ['0', 0, ['"0" must be a whole number of 1 or more']],
    ['11', 11, ['"11" is too large: at most 10']],
    ['two', 0, ['"two" must be a whole number of 1 or more']],
    ['1'.repeat(41), 0, [`"${'1'.repeat(41)}" is not a number of at most 40 characters`]],
  ])('accepts a quantity from 1 to the maximum, as a whole number: %j', (text, value, faults) => {
    expect(reading(text, (row) => optionalQuantity(row, 10))).toEqual({ value, faults })
  })
})

describe('numbers that a spreadsheet makes of codes (decisions 5)', () => {
  test.each(['1E+08', '12e+9', '1.2E+08', '12,25E+10', '1.2e8', '12,5e12', '48201934.0', '12345.0'])(
    '%s is recognised',
    (code) => {
      expect(codeFault(code)).toContain('damaged by a spreadsheet')
    },
  )

  test.each([
    ...['12E4', '1234.0', '12345.00', '1.5', '48201934', '1.E+08', 'E+08'],
    ...['A1E+08', '1E+08A', 'A1.2e8', '1.2e8A', 'A12345.0', '12345.0A'],
  ])('%s is not recognised', (code) => {
    expect(codeFault(code)).toBeUndefined()
  })

  test.each([
    ...(['#N/A', '#REF!', '#NV', '#VALEUR!', '###', '#######'] as const).map((text) => [text, true] as const),
    ...(['', 'N/A', '#', '##', '#NVIDIA!', '#1', '### 3'] as const).map((text) => [text, false] as const),
  ])('%j is the result of a failed formula: %s', (text, is) => {
    expect(isSpreadsheetError(text)).toBe(is)
  })
})
