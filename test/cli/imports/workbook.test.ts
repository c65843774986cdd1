import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Session } from '../../../src/cli/command.ts'
import { readSheet } from '../../../src/cli/files/read-sheet.ts'
import type { CliRun } from '../../support/cli-io.ts'
import { cliUser, forAllTests } from '../../support/each.ts'
import { type Cell, partsOf, workbookOf, zipOf } from '../../support/workbook.ts'

const user = forAllTests(cliUser)

const header = ['description', 'grader', 'cert_number']
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const damaged = 'format the column as text and type it again'

describe('a certificate in a workbook', () => {
  test.each<[string, Cell, string]>([
    ['text with its zeros', '0012345678', '0012345678'],
    ['a number', 12345678, '12345678'],
    ['a number that is shown as 1.23E+11', 123456789012, '123456789012'],
    ['a number in a scientific format', { value: 48201934, format: 'scientific' }, '48201934'],
    ['the largest number of which no digit is lost', 999_999_999_999_999, '999999999999999'],
    ['a number with separators', { value: 48201934, format: 'grouped' }, '48201934'],
    ['a number that its format fills with zeros', { value: 1234567, format: 'padded' }, '0001234567'],
  ])('keeps all digits as %s', async (_, cell, kept) => {
    const { code, out } = await checked(workbookOf([header, ['Card', 'HGA', cell]]), '--output', 'csv')
    expect([code, out]).toEqual([0, `${header}\nCard,HGA,${kept}\n`])
  })

  test.each<[string, Cell, string]>([
    ['a number of 16 digits', 1_234_567_890_123_456, 'of more than 15 digits'],
    ['a date', { value: 46146, format: 'date' }, 'Column "cert_number" contains a date'],
    ['a percentage', { value: 48201934, format: 'percent' }, 'shows "4820193400%" but contains 48201934'],
    ['a number without its digits', { value: 48200000, format: 'scientific' }, 'shows "4.82E+07" but'],
    ['an amount', { value: 48201934, format: 'amount' }, 'shows "48201934.00" but contains 48201934'],
  ])('is rejected as %s', async (_, cell, why) => {
    const { code, err } = await checked(workbookOf([header, ['Card', 'PSA', cell], ['Box', '', '']]))
    expect([code, err]).toEqual([9, expect.stringContaining(why)])
    expect(err).toContain(`row 1, line 2  Column "cert_number" `)
    expect(err).toContain(damaged)
  })

  test('is rejected, like any code, if it is a formula without a result', async () => {
    const { code, err } = await checked(workbookOf([['description'], [{ formula: 'B2' }]]))
    expect([code, err]).toEqual([6, expect.stringContaining('contains a formula without its result')])
  })
})

describe('a merged cell', () => {
  const names = ['description', 'quantity', 'external_ref', 'note']
  const above = [['Buy sheet', '', '', 'x'], [], names]
  const rows = [
    ['Sleeves', '2', 'R-1', 'n'],
    ['Boxes', '', '', ''],
    ['Binders', '', '', ''],
    ['Lots', '3', 'R-2', ''],
  ]
  const flags = ['--ignore-columns', 'note', '--output', 'csv']

  test('that reaches down fails the rows below its first, which lack the value', async () => {
    const { code, out, err } = await checked(workbookOf([...above, ...rows], ['B4:B6', 'C4:C6']), ...flags)
    expect([code, out]).toEqual([9, 'external_ref,description,quantity\nR-1,Sleeves,2\nR-2,Lots,3\n'])
    const why = 'is merged with the cell above it: unmerge the cells and fill in every row.'
    expect(err).toContain(`rows 2 and 3  Column "quantity" ${why} Column "external_ref" ${why}\n`)
    const own = ['--no-seed', '--database', 'merged.db', '--reference', 'R', '--errors', 'merged.csv']
    await user.run(['manifests', 'submit', 'given.xlsx', '--ignore-columns', 'note', ...own])
    expect(readFileSync(join(user.home, 'merged.csv'), 'utf8')).toContain('\nBoxes,#VALUE!,#VALUE!,,2,')
  })

  test('is harmless above the header, within one row, in an unread column, or without a value', async () => {
    const merged = ['A1:C2', 'B7:C7', 'D4:D6', 'B5:B6', 'A8:D9']
    const { code, out } = await checked(workbookOf([...above, ...rows], merged), ...flags)
    expect([code, out.split('\n').length]).toEqual([0, 6])
  })
})

test('far blanks widen no row, and other far cells are named', async () => {
  const far = (text: string) => [...Array<string>(25).fill(''), text]
  const session = { notice: () => {} } as unknown as Session
  const blank = workbookOf([['description'], ['Card'], far(' '), ['Box']])
  const { records } = await readSheet(session, 'a.xlsx', blank, { sheet: undefined, hidden: undefined })
  const widths = records.map(({ values }) => values.length)
  expect(widths).toEqual([1, 1, 1])
  const { code, err } = await checked(workbookOf([['description'], ['Card'], far('x')]))
  expect([code, err]).toEqual([9, expect.stringContaining('Column 26 contains "x" and has no name')])
})

test('a date is read where a date belongs, however the sheet shows it, and nowhere else', async () => {
  const names = [
    'sku',
    'quantity',
    'recipient_name',
    'street',
    'city',
    'state',
    'zip',
    'country',
    'deliver_by',
  ]
  const address = ['Ann Lee', '1 Main St', 'Austin', 'TX', '73301', 'US']
  const row = [
    'BOX',
    { value: 1000, format: 'grouped' },
    ...address,
    { value: 46146, format: 'date' },
  ] as Cell[]
  writeFileSync(join(user.home, 'orders.xlsx'), workbookOf([['Orders of May'], [], names, row]))
  const trial = ['fulfillments', 'import', 'orders.xlsx', '--dry-run', '--output', 'csv']
  const { out } = await user.run(trial, { now: Date.parse('2026-05-01T00:00:00Z') })
  expect(out).toContain('\nBOX,1000,Ann Lee,1 Main St,Austin,TX,73301,US,2026-05-04\n')
  // Typed as 12-1.
  row[3] = { value: 46357, format: 'date' }
  writeFileSync(join(user.home, 'orders.xlsx'), workbookOf([names, row]))
  const { code, err } = await user.run(trial)
  expect([code, err]).toEqual([6, expect.stringContaining(`Column "street" contains a date: ${damaged}`)])
})

test("a measure or quantity is the cell's number, however it is shown", async () => {
  const names = ['name', 'sku', 'length', 'width', 'height', 'dimension_unit', 'weight', 'weight_unit']
  const measures: Cell[] = [
    { value: 7.68, format: 'whole' },
    { value: 0.3 + 7.7 * 25.4, format: 'whole' },
    { value: 1250.5, format: 'grouped' },
  ]
  const box = ['Box', 'BOX', ...measures, 'in', { value: 1.76, format: 'whole' }, 'oz'] as Cell[]
  const less = ['Box', 'LESS', 1, 1, 1, 'in', { value: -5, format: 'unsigned' }, 'oz'] as Cell[]
  writeFileSync(join(user.home, 'catalog.xlsx'), workbookOf([names, box, less]))
  const products = await user.run(['products', 'import', 'catalog.xlsx', '--dry-run', '--output', 'csv'])
  expect(products.out).toContain('Box,BOX,7.68,195.88,1250.5,in,1.76,oz\n')
  expect([products.code, products.err]).toEqual([9, expect.stringContaining('weight "-5" must be a number')])
  const half: Cell[] = ['Card', { value: 2.6, format: 'whole' }]
  const two: Cell[] = ['Card', { value: 2, format: 'amount' }]
  const counted = workbookOf([['description', 'quantity'], half, two])
  const { code, out, err } = await checked(counted, '--output', 'csv')
  expect([code, out]).toEqual([9, 'description,quantity\nCard,2\n'])
  expect(err).toContain('quantity "2.6" must be a whole number')
})

test('an export saved as a workbook is recognised, and the first visible sheet is read', async () => {
  copyFileSync(
    fileURLToPath(new URL('../../exports/psa-order.xlsx', import.meta.url)),
    join(user.home, 'order.xlsx'),
  )
  const submit = ['manifests', 'submit', 'order.xlsx', '--dry-run', '--output', 'csv']
  const refused = await user.run(submit)
  expect([refused.code, refused.err]).toEqual([
    6,
    expect.stringContaining(
      'order.xlsx hides row 6 of its sheet, by a filter or by hand. Choose --hidden skip',
    ),
  ])
  const skipped = await user.run([...submit, '--hidden', 'skip'])
  expect([skipped.out.includes('Grouped'), skipped.err]).toEqual([
    false,
    expect.stringContaining('1 hidden row is not read.'),
  ])
  submit.push('--hidden', 'include')
  const { code, out, err } = await user.run(submit)
  expect(err).toContain(
    'Read the sheet Order 7741, the first of 3; --sheet names another.\n1 hidden row is read too.\n',
  )
  expect(err).toContain('Recognised: PSA finished order; 3 columns are not needed.')
  expect([code, out]).toEqual([
    9,
    'description,grader,cert_number\n' +
      '2022 Pokémon Charizard VSTAR GEM MINT 10,PSA,48201934\n' +
      '1999 Pokemon Game 4 Charizard-Holo MINT 9,PSA,0048201935\n' +
      '"Seven digits, shown with zeros MINT 9",PSA,01234567\n' +
      'Grouped MINT 9,PSA,71000001\n' +
      'A formula with it MINT 9,PSA,48201939\n',
  ])
  expect(err).not.toContain('#VALUE!')
  for (const place of ['row 5, line 7', 'row 6, line 8', 'row 7, line 9']) expect(err).toContain(place)
  const own = ['--no-seed', '--database', 'own.db', '--reference', 'R-1', '--errors', 'failed.csv']
  await user.run(['manifests', 'submit', 'order.xlsx', '--hidden', 'include', ...own])
  const uncorrected = await user.run(['manifests', 'submit', 'failed.csv', '--dry-run'])
  expect([uncorrected.code, uncorrected.out]).toEqual([6, expect.stringContaining('bad\t3')])
  const named = await user.run([...submit, '--sheet', 'grades'])
  expect([named.out, named.err]).toEqual([
    'description,cert_number\n',
    expect.stringContaining('row 1, line 2'),
  ])
  const wrong = await user.run([...submit, '--sheet', 'Grade'])
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('Did you mean Grades?')])
  const products = ['products', 'import', 'order.xlsx', '--hidden', 'include', '--ignore-columns', 'Type']
  const { err: other } = await user.run(products)
  expect(other).toContain('If the rows are on another sheet, name it with --sheet: Grades.')
})

describe('a small workbook that would take minutes or gigabytes is rejected', () => {
  const sheet = 'xl/worksheets/sheet1.xml'
  const rows = (count: number, cell: (row: number) => string): string =>
    Array.from({ length: count }, (_, n) => `<row r="${n + 2}">${cell(n + 2)}</row>`).join('')
  const merges = (ref: string, count: number): string =>
    `<mergeCells>${`<mergeCell ref="${ref}"/>`.repeat(count)}</mergeCells>`
  const few = `<sheetData>${rows(9, (row) => `<c r="A${row}"><v>1</v></c>`)}</sheetData>`
  const far = '<row r="4000000000"><c r="A4000000000"><v>1</v></c></row>'

  test.each([
    [
      'a row that no spreadsheet has, loosely written',
      () => '<sheetData><row r = "4000000000"><c r = "A4000000000"><v>1</v></c></row></sheetData>',
      'has a row 4000000000',
    ],
    [
      'a spoiled reference',
      () => `<sheetData>${rows(1, () => '<c r="$A$4000000000"/>')}</sheetData>`,
      'has a row',
    ],
    [
      'a column that no spreadsheet has',
      () => `<sheetData>${rows(1, () => '<c r="ZZZZZZ2"/>')}</sheetData>`,
      'has a column 321272406',
    ],
    ['a row that no spreadsheet has', () => `<sheetData>${far}</sheetData>`, 'has a row 4000000000'],
    [
      '20,000 merges of whole rows',
      () => `${few}${merges('A1:XFD9', 20_000)}`,
      'has more than 5,000 ranges of merged cells',
    ],
    [
      '60,000 cells in the last column',
      () => `<sheetData>${rows(60_000, (row) => `<c r="XFD${row}"><v>1</v></c>`)}</sheetData>`,
      'has more than 100 cells beyond column ZZ',
    ],
    [
      'a hyperlink over a whole sheet',
      () => `${few}<hyperlinks><hyperlink location="x" ref="A3:XFD1048576"/></hyperlinks>`,
      'has more than 100,000 cells with hyperlinks',
    ],
    [
      'a hyperlink whose range comes after a long text',
      () =>
        `${few}<hyperlinks><hyperlink location="${'x'.repeat(200_000)}" ref = 'A3:XFD1048576'/></hyperlinks>`,
      'has more than 100,000 cells with hyperlinks',
    ],
    [
      'a group of four billion columns',
      () => `<cols><col max="4000000000" min="1"/></cols>${few}`,
      'has a column 4000000000',
    ],
    [
      'a group of columns before the first',
      () => `<cols><col max="2" min = " -400000000"/></cols>${few}`,
      'has a column 400000000',
    ],
    [
      '20,000 groups of all columns',
      () => `<cols>${'<col min="1" max="16384" width="9" hidden="1"/>'.repeat(20_000)}</cols>${few}`,
      'has more than 1,000 formatted groups of columns',
    ],
  ])('%s', async (_, content, why) => {
    const { code, err } = await checked(await withSheet(content()))
    expect([code, err]).toEqual([6, expect.stringContaining(why)])
  })

  test.each([
    [
      'a number format that no spreadsheet allows',
      'xl/styles.xml',
      /formatCode="0"/,
      `formatCode="${'[$-'.repeat(20_000)}"`,
      'has a number format that is longer than any spreadsheet allows',
    ],
    [
      '20,000 sheets',
      'xl/workbook.xml',
      /(<sheet [^>]*>)/,
      '$1'.repeat(20_000),
      'has more than 1,000 sheets',
    ],
  ])('%s', async (_, part, found, instead, why) => {
    const parts = await partsOf(workbookOf([header, [{ value: 1, format: 'whole' }]]))
    const { code, err } = await checked(zipOf({ ...parts, [part]: parts[part]!.replace(found, instead) }))
    expect([code, err]).toEqual([6, expect.stringContaining(why)])
  })

  test('if it is larger, but not for 5,000 overlapping merges or a few far cells', async () => {
    const data = `<row r="1"><c r="A1" t="inlineStr"><is><t>description</t></is></c></row>${rows(200, (row) => `<c r="A${row}"><v>1</v></c>`)}`
    const { code } = await checked(
      await withSheet(
        `<sheetData>${data}<row r="300"><c r="XFD300"/></row></sheetData>${merges('A2:XFD9', 5000)}<hyperlinks><hyperlink ref="A1" location="x"/><hyperlink ref="A2:C9" location="y"/></hyperlinks>`,
      ),
    )
    expect(code).toBe(9)
  })

  async function withSheet(content: string): Promise<Buffer> {
    const parts = await partsOf(workbookOf([header]))
    const start = (parts[sheet] ?? '').split('<sheetData>')[0]
    return zipOf({ ...parts, [sheet]: `${start}${content}</worksheet>` })
  }
})

test('a workbook whose cells share a text of megabytes is rejected', async () => {
  const parts = await partsOf(workbookOf([header]))
  const sheet = 'xl/worksheets/sheet1.xml'
  const type = `${spreadsheet}.sharedStrings+xml`
  const cells = Array.from(
    { length: 100 },
    (_, n) => `<row r="${n + 2}"><c r="A${n + 2}" t="s"><v>0</v></c></row>`,
  )
  const bytes = zipOf({
    ...parts,
    '[Content_Types].xml': parts['[Content_Types].xml']!.replace(
      '</Types>',
      `<Override PartName="/xl/sharedStrings.xml" ContentType="${type}"/></Types>`,
    ),
    'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(1_000_000)}</t></si></sst>`,
    [sheet]: parts[sheet]!.replace('</sheetData>', `${cells.join('')}</sheetData>`),
  })
  const { code, err } = await checked(bytes)
  expect([code, err]).toEqual([6, expect.stringContaining('has more than 64 MiB of text in its cells')])
})

describe('an unreadable workbook gets advice', () => {
  const xls = Buffer.from('d0cf11e0a1b11ae1', 'hex')
  const encrypted = Buffer.from('EncryptedPackage', 'utf16le')
  const huge = { 'xl/workbook.xml': Buffer.alloc(65 * 1024 * 1024) }
  test.each<[string, Buffer, string]>([
    ['an old workbook', Buffer.concat([xls, Buffer.alloc(600)]), 'an old Excel workbook (.xls). Open'],
    ['a workbook with a password', Buffer.concat([xls, encrypted]), 'remove the password. Open'],
    ['an archive of one file', gzipSync('sku,name\nA,Box\n'), 'is compressed with gzip'],
    ['a JSON file', Buffer.from('[\n  {"sku": "A"}\n]\n'), 'is a JSON file'],
    ['a PDF document', Buffer.from('%PDF-1.7\n%âãÏÓ\n', 'latin1'), 'is a PDF document'],
    ['an OpenDocument file', zipOf({ mimetype: '', 'content.xml': '' }), 'an OpenDocument file (.ods)'],
    ['any other archive', zipOf({ 'a.csv': 'sku\n' }), 'not an Excel workbook: unpack it'],
    ['an archive that unpacks to more than can be read', zipOf(huge), 'more than 64 MiB'],
    ['an archive that says it unpacks to less', zipOf(huge, { claimed: 100 }), 'is damaged'],
    ['half of a workbook', workbookOf([header]).subarray(0, 400), 'is damaged'],
    ['a web page', Buffer.from('\ufeff\r\n<!DOCTYPE html><title>Log in</title>'), 'is a web page (HTML)'],
    ['a table of a web page', Buffer.from('<table><tr><td>sku</td></tr></table>'), 'is a web page (HTML)'],
    ['an XML workbook', Buffer.from('\ufeff<?xml version="1.0"?>\n<Workbook/>', 'utf16le'), 'is an XML file'],
  ])('%s', async (_, bytes, said) => {
    const { code, err } = await checked(bytes)
    expect([code, err]).toEqual([6, expect.stringContaining(said)])
  })

  test.each(['xl/styles.xml', 'xl/worksheets/sheet1.xml', 'xl/sharedStrings.xml'])(
    'that lacks its part %s',
    async (part) => {
      const parts = await partsOf(workbookOf([header]))
      const type = `${spreadsheet}.sharedStrings+xml`
      const named = `<Override PartName="/xl/sharedStrings.xml" ContentType="${type}"/></Types>`
      const all: Record<string, string> = {
        ...parts,
        '[Content_Types].xml': parts['[Content_Types].xml']!.replace('</Types>', named),
        'xl/worksheets/sheet1.xml': parts['xl/worksheets/sheet1.xml']!.replace(
          /<c r="A1".*?<\/c>/,
          '<c r="A1" t="s"><v>0</v></c>',
        ),
        'xl/sharedStrings.xml': '<sst><si><t>description</t></si></sst>',
      }
      delete all[part]
      const { code, err } = await checked(zipOf(all))
      expect([code, err]).toEqual([6, expect.stringContaining('is a damaged workbook (')])
    },
  )

  test('whose sheet cannot be read', async () => {
    const parts = await partsOf(workbookOf([header]))
    const sheet =
      '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>7</v></c></row></sheetData></worksheet>'
    const { code, err } = await checked(zipOf({ ...parts, 'xl/worksheets/sheet1.xml': sheet }))
    expect([code, err]).toEqual([
      6,
      expect.stringContaining('is a damaged workbook (its sheet Sheet1 cannot be read)'),
    ])
  })

  test("a text file with a workbook's name is read, and has no sheets", async () => {
    expect(await checked(Buffer.from('description\nBox\n'))).toMatchObject({ code: 0 })
    const { code, err } = await checked(Buffer.from('description\nBox\n'), '--sheet', '2')
    expect([code, err]).toEqual([0, expect.stringContaining('is not a workbook: --sheet has no effect.')])
  })
})

test('failed rows of a sheet are imported with the same flags', async () => {
  writeFileSync(join(user.home, 'po.xlsx'), workbookOf([header, ['Card', 'PSA', ''], ['Box', '', '']]))
  const flags = ['--sheet', '1', '--no-seed', '--database', 'own.db', '--reference', 'R-2']
  expect((await user.run(['manifests', 'submit', 'po.xlsx', ...flags])).code).toBe(9)
  const failed = join(user.home, 'po.xlsx.errors.csv')
  writeFileSync(failed, readFileSync(failed, 'utf8').replace('Card,PSA,', 'Card,PSA,48201934'))
  expect((await user.run(['manifests', 'submit', 'po.xlsx.errors.csv', ...flags, '--again'])).code).toBe(0)
})

test('rows of no height are hidden, and the first five hidden rows are named', async () => {
  const rows = [['description'], ...Array.from({ length: 9 }, (_, at) => [`Box ${at}`])]
  const { code, err } = await checked(workbookOf(rows, [], [3]))
  expect([code, err]).toEqual([6, expect.stringContaining('hides row 3 of its sheet')])
  const many = await checked(workbookOf(rows, [], [2, 4, 5, 7, 8, 9, 10]))
  expect(many.err).toContain('given.xlsx hides rows 2, 4, 5, 7, 8 and 2 more of its sheet, by a filter')
})

function checked(bytes: Buffer, ...flags: string[]): Promise<CliRun> {
  writeFileSync(join(user.home, 'given.xlsx'), bytes)
  return user.run(['manifests', 'submit', 'given.xlsx', '--dry-run', ...flags])
}
