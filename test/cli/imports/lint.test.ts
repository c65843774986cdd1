import { describe, expect, test } from 'vitest'
import { type Lint, lintRows } from '../../../src/domain/csv/row-lint.ts'

const header = ['grader', 'cert_number', 'external_ref', 'upc', 'description', 'zip', 'country', 'state']
const kind = {
  columns: { known: header, required: [] },
  codes: ['grader', 'cert_number', 'external_ref', 'upc', 'zip'],
}

describe('a failed lookup', () => {
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
  ])('is %s, also in columns of names', (text) => {
    const message = `"${text}" is a spreadsheet error, not a value`
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

test('a value written as ="…" is named as a formula, also in columns of names', () => {
  const message = '"="1 Ó Conaill"" is a formula: write 1 Ó Conaill'
  expect(lint(['', '', '', '', '="1 Ó Conaill"'])).toEqual([
    { row: 1, field: 'description', message, isCertain: true },
  ])
  expect(lint(['', '', '', '', '=1 & "x"'])).toEqual([])
})

describe('damage that a spreadsheet does to codes', () => {
  test.each([
    [['PSA', '="0017886247"', '', ''], '"="0017886247"" is a formula: write 0017886247'],
    [['PSA', '=12', '', ''], '"=12" is a formula: write 12'],
    [['CGC', "'6045815667", '', ''], `"'6045815667" begins with an apostrophe: write 6045815667`],
    [['PSA', '#N/A', '', ''], '"#N/A" is a spreadsheet error, not a value'],
    [['PSA', '#REF!', '', ''], '"#REF!" is a spreadsheet error, not a value'],
    [['CGC', '#VALUE! 48201934', '', ''], '"#VALUE! 48201934" is a spreadsheet error, not a value'],
    [['PSA', '48,201,934', '', ''], '"48,201,934" is written as an amount: write 48201934'],
    [['PSA', '48.201.000', '', ''], '"48.201.000" is written as an amount: write 48201000'],
    [['PSA', '48’201’934', '', ''], '"48’201’934" is written as an amount: write 48201934'],
    [['PSA', '48,201,934.00', '', ''], '"48,201,934.00" is written as an amount: write 48201934'],
    [['PSA', '48201936.00', '', ''], '"48201936.00" is written as an amount: write 48201936'],
    [['PSA', '48201937,0', '', ''], '"48201937,0" is written as an amount: write 48201937'],
    [['PSA', '48201943.', '', ''], '"48201943." is written as an amount: write 48201943'],
    [
      ['PSA', '4820\u200b1934', '', ''],
      '"4820\u200b1934" contains an invisible character (U+200B): type it again',
    ],
    ...['TRUE', 'N/A', 'n.a.', 'NA', '-', '–', '???', 'none', 'TBD', 'Falsch'].map(
      (text): [string[], string] => [
        ['PSA', text, '', ''],
        `"${text}" is not a certificate: if there is none, leave grader and cert_number empty`,
      ],
    ),
  ])('%j is certain damage', (values, message) => {
    expect(lint(values)).toMatchObject([{ row: 1, field: 'cert_number', message, isCertain: true }])
  })

  test.each([
    [
      ['', '', '2.95123E+11'],
      'external_ref',
      '"2.95123E+11" looks damaged by a spreadsheet: format the column as text',
    ],
    [
      ['', '', 'BOX\u200e'],
      'external_ref',
      '"BOX\u200e" contains an invisible character (U+200E): type it again',
    ],
    [
      ['', '', '1001.0'],
      'external_ref',
      '"1001.0" is a number: format the column as text and type it again, or add --no-lint if you ordered it as "1001.0" before',
    ],
    [
      ['', '', '', '', '', '1000.0', 'PT'],
      'zip',
      '"1000.0" is a number: format the column as text and type it again',
    ],
  ])('%j is certain damage to other codes too', (values, field, message) => {
    expect(lint(values)).toMatchObject([{ row: 1, field, message, isCertain: true }])
  })

  test.each([
    [
      ['', '', '', '', '', '1067', 'DE'],
      'zip',
      '"1067" has 4 digits and zips of DE have 5: leading zeros may be lost (01067)',
    ],
    [
      ['', '', '', '', '', '150', 'no'],
      'zip',
      '"150" has 3 digits and zips of NO have 4: leading zeros may be lost (0150)',
    ],
    [
      ['BGS', '10059708', '', ''],
      'cert_number',
      '"10059708" has 8 digits, and certificates of BGS have 10 digits: it is compared as BGS 0010059708',
    ],
    [['', '', '', '', '', '78701', 'US', 'CA'], 'zip', '"78701" is in TX, and the state is CA'],
    [['', '', '', '', '', '78701-1234', 'us', ' ca '], 'zip', '"78701-1234" is in TX, and the state is CA'],
    [['', '', '', '', '', '73301', 'US', 'CA'], 'zip', '"73301" is in OK or TX, and the state is CA'],
    [['', '', '', '', '', '00000', 'US', 'CA'], 'zip', '"00000" is in no state, and the state is CA'],
    [
      ['', '', '12-Mar', ''],
      'external_ref',
      '"12-Mar" looks like a code that a spreadsheet turned into a date',
    ],
    [
      ['', '', 'Mar-25', ''],
      'external_ref',
      '"Mar-25" looks like a code that a spreadsheet turned into a date',
    ],
    [['', '', '', '20650853227'], 'upc', '"20650853227" has 11 digits: a leading zero may be lost'],
  ])('%j is only a warning', (values, field, message) => {
    expect(lint(values)).toMatchObject([{ field, message, isCertain: false }])
  })

  test.each([
    [['PSA', '10059708', 'BS-1', '820650853227']],
    [['BGS', '0010059708', '#12', '']],
    [['bgs', '0010059708', 'MAR-2025-1', '']],
    [['SGC', '5868233', '12-Foo', '']],
    [['CGC', '4201934-001', '', '']],
    [['CGC', '4201934 001', '', '']],
    [['TAG', 'A 1234-567', '', '']],
    [['HGA', 'NABCD', 'N/A', '']],
    [['PSA', '48\u202f201\u00a0934', '1,234', '']],
    [['', '', '', '', '', '01067', 'DE']],
    [['', '', '', '', '', '1000-001', 'PT']],
    [['', '', '', '', '', '1000', 'BE']],
    [['', '', '', '', '', 'D04 E5W5', 'IE']],
    [['', '', '', '', '', '733', 'US', 'TX']],
    [['', '', '', '', '', '78701', 'US', 'TX']],
    [['', '', '', '', '', '73301', 'US', 'tx']],
    [['', '', '', '', '', '78701', 'US', '']],
    [['', '', '', '', '', '78701', 'MX', 'CA']],
  ])('%j is not damaged', (values) => {
    expect(lint(values)).toEqual([])
  })
})

function lint(values: string[]): Lint[] {
  return lintRows(header, kind, [{ row: 1, values }])
}
