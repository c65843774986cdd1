import { describe, expect, test } from 'vitest'
import { readCsv } from '../../src/domain/csv/csv-file.ts'
import type { CsvColumns } from '../../src/domain/csv/csv-header.ts'
import { csvUploadLimits } from '../../src/domain/csv/csv-limits.ts'
import { openCsv } from '../../src/domain/csv/csv-reading.ts'
import { Rejection } from '../../src/domain/rejection.ts'
import { columns, faultsOf, read, rejectionOf } from '../support/csv-files.ts'

const twoColumns: CsvColumns = { known: ['a', 'b'], required: ['a'] }

describe('readCsv', () => {
  test.each([
    ['LF', 'a,b\n1,2\n3,4\n'],
    ['CRLF', 'a,b\r\n1,2\r\n3,4\r\n'],
    ['CR', 'a,b\r1,2\r3,4\r'],
    ['mixed line breaks', 'a,b\r\n1,2\n3,4\r'],
    ['no line break after the last row', 'a,b\n1,2\n3,4'],
    ['a byte-order mark', '\ufeffa,b\n1,2\n3,4'],
    ['a byte-order mark before a quoted header', '\ufeff"a","b"\n1,2\n3,4'],
    ['blank lines', '\n\na,b\n\n1,2\n   \n\t\n3,4\n\n\n'],
    ['header names with spaces and capitals', ' A , B\n1,2\n3,4'],
    ['quoted fields', '"a","b"\n"1","2"\n"3","4"'],
  ])('reads a file with %s', (_, text) => {
    expect(read(text, twoColumns)).toEqual({
      header: ['a', 'b'],
      rows: [
        [1, '1', '2'],
        [2, '3', '4'],
      ],
    })
  })

  test("reads columns in the file's order, and quoted commas, doubled quotes, and line breaks as text", () => {
    const text = 'name,sku\n"Pikachu, ""Illustrator""",P-1\n"two\r\nlines",P-2\n'
    expect(read(text)).toEqual({
      header: ['name', 'sku'],
      rows: [
        [1, 'Pikachu, "Illustrator"', 'P-1'],
        [2, 'two\r\nlines', 'P-2'],
      ],
    })
  })

  test('numbers rows by data record, despite line breaks in quotes and blank lines in between', () => {
    const { rows } = read('a,b\n\n"1\n\n1",x\n\n\n2,x\n', twoColumns)
    expect(rows.map(([row]) => row)).toEqual([1, 2])
  })

  test('reads a quote inside an unquoted field as text, so inches stay inches', () => {
    expect(read('sku,name\nB-1,Binder 12" x 9"\nB-2,12""\nB-3, "x"\n').rows).toEqual([
      [1, 'B-1', 'Binder 12" x 9"'],
      [2, 'B-2', '12""'],
      [3, 'B-3', ' "x"'],
    ])
  })

  test('keeps a row with too few or too many fields unchanged, for its own error', () => {
    expect(read('a,b\n1\n1,2,3\n1,2\n', twoColumns).rows).toEqual([
      [1, '1'],
      [2, '1', '2', '3'],
      [3, '1', '2'],
    ])
  })

  test('reads a row of empty fields as a data row, and keeps letters beyond ASCII', () => {
    expect(read('a,b\n,\nPokémon 🂡,é\n', twoColumns).rows).toEqual([
      [1, '', ''],
      [2, 'Pokémon 🂡', 'é'],
    ])
  })

  test('skips ignored columns', () => {
    const file = read('sku,error_row\nA,1\n', { ...columns, ignored: ['error_row'] })
    expect(file).toEqual({ header: ['sku', 'error_row'], rows: [[1, 'A', '1']] })
  })
})

describe('readCsv rejects the whole file', () => {
  test.each([
    ['that is not UTF-8', Buffer.from('sku\n\xe9\n', 'latin1'), 'is not UTF-8: save it as "CSV UTF-8"'],
    ['in UTF-16', Buffer.from('\ufeffsku\nA\n', 'utf16le'), 'is not UTF-8: save it as "CSV UTF-8"'],
    ['with a NUL', 'sku\nA\0B\n', 'contains a NUL character: save it as "CSV UTF-8"'],
    [
      'that is not UTF-8, and begins with two letters of a workbook',
      Buffer.from('PK\xe9\n', 'latin1'),
      'is not UTF-8: save it as "CSV UTF-8"',
    ],
    [
      'that is not UTF-8 and has other faults',
      Buffer.from('sku;name\nA;"\xe9', 'latin1'),
      'is not UTF-8: save it as "CSV UTF-8"',
    ],
    [
      'that is a workbook',
      Buffer.from([0x50, 0x4b, 3, 4, 0, 0xff]),
      'is a spreadsheet: save it as "CSV UTF-8"',
    ],
    ['that is empty', '', 'has no header line: the first line names the columns'],
    ['of blank lines', '\n \r\n\n', 'has no header line: the first line names the columns'],
    ['of a byte-order mark', '\ufeff', 'has no header line: the first line names the columns'],
    ['without a data row', 'sku,name\n', 'has no data row'],
    ['with blank lines instead of data rows', 'sku,name\n\n  \n\r\n', 'has no data row'],
    ['with a repeated column', 'sku,name, SKU \nA,B,C\n', 'has the column sku twice'],
    [
      'with an unknown column',
      'sku,certnumber\nA,1\n',
      'has an unknown column "certnumber": did you mean cert_number?',
    ],
    [
      'with a column unlike any other',
      'sku,price\nA,1\n',
      'has an unknown column "price": the columns are sku, name, cert_number',
    ],
    [
      'with a column like one that it already has',
      'sku,name,nam\nA,B,C\n',
      'has an unknown column "nam": the columns are sku, name, cert_number',
    ],
    [
      "with a semicolon in a column's name",
      'na;me,sku\nA,B\n',
      'has an unknown column "na;me": did you mean name?',
    ],
    [
      'with a column without a name',
      'sku,name,\nA,B,\n',
      'has no name for column 3: name it, or delete the column',
    ],
    ['that lacks a required column', 'name\nA\n', 'lacks the required column sku'],
    [
      'separated by semicolons',
      'sku;name\nA;B\n',
      'is separated by semicolons: save it with commas between the columns',
    ],
    [
      'separated by tabs',
      'sku\tname\nA\tB\n',
      'is separated by tabs: save it with commas between the columns',
    ],
    [
      'with an unterminated quote',
      'sku,name\nA,x\nB,"open\nC,y\n',
      'has an unterminated quote: the field that opens on line 3 is never closed',
    ],
    [
      'with an unterminated quote after blank lines',
      '\n\nsku\n"A\n',
      'has an unterminated quote: the field that opens on line 4 is never closed',
    ],
    [
      'with text after a closing quote, which hides rows',
      'sku,name\r\nA,"12\r\nB,"x"\r\n',
      'has an unterminated quote: the field that opens on line 2 has text after its closing quote; a quote within a quoted field is written twice',
    ],
  ])('%s', (_, content, fault) => {
    const rejection = rejectionOf(() => read(content))
    expect(rejection.code).toBe('validation_error')
    expect(rejection.extra).toEqual({ fields: { file: [fault] } })
    expect(rejection.message).toBe(`The file ${fault}${fault.endsWith('?') ? '' : '.'}`)
  })

  test('one letter is a header', () => {
    expect(faultsOf(() => read('a', twoColumns))).toEqual(['has no data row'])
  })

  test('every fault of its header is named', () => {
    const rejection = rejectionOf(() => read('cert_number,cert_number,nmae\nA,B,C\n'))
    const faults = [
      'has the column cert_number twice',
      'has an unknown column "nmae": did you mean name?',
      'lacks the required column sku',
    ]
    expect(rejection.extra.fields).toEqual({ file: faults })
    expect(rejection.message).toBe(`The file ${faults.join('; ')}.`)
  })

  test('at most twenty faults are named, each cut to a line', () => {
    const names = Array.from({ length: 50 }, (_, n) => `"${n}\n${'x'.repeat(500)}"`)
    const faults = faultsOf(() => read(`${names.join(',')}\n1\n`))
    expect(faults).toHaveLength(20)
    for (const fault of faults) expect(fault).toMatch(/^.{1,160}$/)
  })

  test('no row is returned if the header is wrong or there is no data row', () => {
    expect(() => readCsv(Buffer.from('what\nA\n'), columns)).toThrow(Rejection)
    expect(() => readCsv(Buffer.from('sku\n'), columns)).toThrow(Rejection)
  })
})

describe('CSV limits', () => {
  test('allow exactly the maximum bytes, and not one more', () => {
    const text = 'sku\nABC\n'
    expect(read(text, columns, { fileBytes: text.length }).rows).toEqual([[1, 'ABC']])
    expect(faultsOf(() => read(text, columns, { fileBytes: text.length - 1 }))[0]).toMatch(
      /^is larger than .* MiB/,
    )
  })

  test('are 20 MiB, 50,000 rows, and 32 KiB a field for an upload', () => {
    expect(csvUploadLimits).toEqual({ fileBytes: 20_971_520, rows: 50_000, fieldBytes: 32_768 })
    const tooLarge = Buffer.alloc(csvUploadLimits.fileBytes + 1, 'a')
    expect(faultsOf(() => readCsv(tooLarge, columns))).toEqual(['is larger than 20 MiB: split it'])
  })

  test.each(['a', 'é', '€', '"'])(
    'allow a field of exactly the maximum bytes of %s, and no longer one',
    (unit) => {
      const size = Buffer.byteLength(unit)
      const fits = unit.repeat(Math.floor(32_768 / size))
      const quotedField = (value: string) => `"${value.replaceAll('"', '""')}"`
      expect(read(`sku,name\nA,${quotedField(fits)}\n`).rows).toEqual([[1, 'A', fits]])
      const fault = 'has a field of more than 32 KiB in row 1: a quote may be missing'
      expect(faultsOf(() => read(`sku,name\nA,${quotedField(fits + unit)}\n`))).toEqual([fault])
    },
  )

  test('apply to the header too', () => {
    expect(faultsOf(() => read(`sku,${'x'.repeat(32_769)}\nA,B\n`))).toEqual([
      'has a field of more than 32 KiB in its header: a quote may be missing',
    ])
  })

  test('name blank lines as the fault if the rows alone are within them', () => {
    expect(faultsOf(() => read('sku\nA\nB\n\n', columns, { rows: 2 }))).toEqual([
      'has more than 2 rows and blank lines together: remove the blank lines, or split it',
    ])
  })

  test('allow a row as large as its columns allow, ignored ones included', () => {
    const reader = openCsv({ ...columns, ignored: ['a', 'b'] }, { rows: 1, fieldBytes: 4 })
    reader.push(Buffer.from('sku,name,a,b\n'))
    const largest = Array.from({ length: 5 }, () => `"${'""'.repeat(4)}"`)
    expect(reader.push(Buffer.from(largest.join()))).toEqual([])
    expect(reader.end()).toMatchObject([{ values: largest.map(() => '"'.repeat(4)) }])
  })

  test('reject an endless field long before the end of the file', () => {
    const reader = openCsv(columns)
    reader.push(Buffer.from('sku,name\nA,"'))
    const piece = Buffer.alloc(64 * 1024, 'x')
    const push = () => {
      for (let count = 0; count < 16; count++) reader.push(piece)
    }
    expect(faultsOf(push)[0]).toMatch(/^has a field of more than 32 KiB near line 2/)
  })
})

describe('too many columns', () => {
  const most = Array.from({ length: 1000 }, (_, n) => `c${n}`)
  const fault =
    'has more than 1,000 columns: delete all but sku, name, cert_number; if these are all, a line break is missing after them'

  test('are one fault; fewer are each named', () => {
    expect(faultsOf(() => read(`${most}\n`))[0]).toMatch(/^has an unknown column "c0"/)
    expect(faultsOf(() => read(`${most},c\nA`))).toEqual([fault])
  })

  test('do not include ignored ones', () => {
    const given = { ...columns, ignored: most }
    expect(read(`sku,${most}\nA,${most}\n`, given).rows).toEqual([[1, 'A', ...most]])
  })

  test('are rejected long before their end', () => {
    const reader = openCsv(columns)
    expect(reader.push(Buffer.from(`\n${most.join()}`))).toEqual([])
    expect(faultsOf(() => reader.push(Buffer.from(',c')))).toEqual([fault])
  })

  // With three columns, 8208 bytes of a row are kept.
  const tooLarge = 'x'.repeat(8207)
  const inField = (line: number) => `has a field of more than 1 KiB near line ${line}: a quote may be missing`
  const inRow = 'has a row of 3,601 fields or more near line 2 and a header of 2: a line break may be missing'

  test.each([
    ['of a row do not hide a field without an end', `sku,name\n${'A,'.repeat(100)}"${tooLarge}`, inField(2)],
    ['of a header do not hide a field that was too large', `${tooLarge},a,b,c,d,e`, inField(1)],
    ['are not reported if one field of two was too large', `sku,name\n${tooLarge},A`, inField(2)],
    ['are not reported below the limit of a row', `sku,name\n${tooLarge},A,B,C`, inField(2)],
    [
      'are the fault if each field is small enough',
      `sku,name\n${'A,'.repeat(3600)}${'x'.repeat(1024)}`,
      inRow,
    ],
  ])('%s', (_, text, fault) => {
    const reader = openCsv(columns, { ...csvUploadLimits, fieldBytes: 1024 })
    const bytes = Buffer.from(text)
    const push = () => {
      for (let from = 0; from < bytes.length; from += 512) reader.push(bytes.subarray(from, from + 512))
    }
    expect(faultsOf(push)).toEqual([fault])
  })
})
