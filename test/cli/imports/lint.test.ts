import { describe, expect, test } from 'vitest'
import { type Lint, lintRows } from '../../../src/cli/imports/lint.ts'

const header = ['grader', 'cert_number', 'external_ref', 'upc', 'description']
const kind = {
  columns: { known: header, required: [] },
  codes: ['grader', 'cert_number', 'external_ref', 'upc'],
}

describe('a look-up that failed', () => {
  test.each([
    '#N/A',
    '#REF!',
    '#VALUE!',
    '#NAME?',
    '#DIV/0!',
    '#NUM!',
    '#NULL!',
    '#SPILL!',
    '#NV',
    '#BEZUG!',
    '#WERT!',
    '#VALEUR!',
    '#NOM?',
    '####',
  ])('is %s, in columns of names too', (text) => {
    const message = `"${text}" is an error of a spreadsheet, not a value`
    expect(lint(['', '', '', '', ` ${text} `])).toEqual([
      { row: 1, field: 'description', message, isCertain: true },
    ])
  })

  test.each(['N/A Charizard', '#N/A Charizard', '#NVIDIA!', '#1', '# 12', 'REF!', '#ref!'])(
    'is not %s',
    (text) => {
      expect(lint(['', '', '', '', text])).toEqual([])
    },
  )
})

describe('what a spreadsheet does to codes', () => {
  test.each([
    [
      ['BGS', '10059708', '', ''],
      '"10059708" has 8 digits and BGS certificates have 10: leading zeros are lost, write 0010059708',
    ],
    [['PSA', '="0017886247"', '', ''], '"="0017886247"" is a formula: write 0017886247'],
    [['PSA', '=12', '', ''], '"=12" is a formula: write 12'],
    [['CGC', "'6045815667", '', ''], `"'6045815667" begins with an apostrophe: write 6045815667`],
    [['PSA', '#N/A', '', ''], '"#N/A" is an error of a spreadsheet, not a value'],
    [['PSA', '#REF!', '', ''], '"#REF!" is an error of a spreadsheet, not a value'],
    [['CGC', '#VALUE! 48201934', '', ''], '"#VALUE! 48201934" is an error of a spreadsheet, not a value'],
  ])('%j is certain damage', (values, message) => {
    expect(lint(values)).toMatchObject([{ row: 1, field: 'cert_number', message, isCertain: true }])
  })

  test.each([
    [['', '', '12-Mar', ''], 'external_ref', '"12-Mar" looks like a code that a spreadsheet took for a date'],
    [['', '', 'Mar-25', ''], 'external_ref', '"Mar-25" looks like a code that a spreadsheet took for a date'],
    [['', '', '', '20650853227'], 'upc', '"20650853227" has 11 digits: a leading zero may be lost'],
  ])('%j is only told', (values, field, message) => {
    expect(lint(values)).toMatchObject([{ field, message, isCertain: false }])
  })

  test.each([
    [['PSA', '10059708', 'BS-1', '820650853227']],
    [['BGS', '0010059708', '#12', '']],
    [['bgs', '0010059708', 'MAR-2025-1', '']],
    [['SGC', '5868233', '12-Foo', '']],
    [['BGS', 'NOT-A-NUMBER', '', '']],
  ])('%j is fine', (values) => {
    expect(lint(values)).toEqual([])
  })
})

function lint(values: string[]): Lint[] {
  return lintRows(header, kind, [{ row: 1, values }])
}
