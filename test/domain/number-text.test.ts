import { describe, expect, test } from 'vitest'
import { readNumber, readWholeNumber } from '../../src/domain/number-text.ts'

describe('a number in text (decisions 12)', () => {
  test.each([
    ['10', 10],
    ['+2.50', 2.5],
    ['.55', 0.55],
    ['5.', 5],
    ['-1', -1],
    ['1e10', 1e10],
    ['1e-3', 0.001],
    ['1'.padEnd(40, '0'), 1e39],
  ])('%j is a number', (text, value) => {
    expect(readNumber(text)).toEqual({ value })
  })

  test.each([
    '0x10',
    '0b1',
    '0o7',
    'Infinity',
    'NaN',
    '1_000',
    '',
    '.',
    'e5',
    '1e',
    '--1',
    '١',
    '1,50 USD',
    'USD 1,50',
    ',50',
    '1,',
  ])('%j is not a number', (text) => {
    expect(readNumber(text)).toEqual({ fault: 'is not a number: give the number alone, without a unit' })
  })

  test.each(['1,5', '10,50', '1,250.5', '1.250,5', '1 000', '1\u202f000,5', "1'000"])(
    '%j is not a number, and the message names its separators',
    (text) => {
      expect(readNumber(text)).toEqual({
        fault: 'is not a number: write it with a decimal point and no separators',
      })
    },
  )

  test('is not parsed beyond 40 characters', () => {
    const fault = 'is not a number of at most 40 characters'
    expect(readNumber('1'.repeat(41))).toEqual({ fault })
    expect(readWholeNumber('1'.repeat(41))).toEqual({ fault })
  })

  test('is whole only if it has digits alone', () => {
    expect(readWholeNumber('1'.padEnd(40, '0'))).toEqual({ value: 1e39 })
    expect(readWholeNumber('007')).toEqual({ value: 7 })
    for (const text of ['1.0', '1e3', '+1', '0x1', ''])
      expect(readWholeNumber(text)).toEqual({ fault: 'must be a whole number of 1 or more' })
  })
})
