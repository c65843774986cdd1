import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CliRun } from '../../support/cli-io.ts'
import { cliUser, forAllTests } from '../../support/each.ts'
import { type Cell, partsOf, workbookOf, zipOf } from '../../support/workbook.ts'

const user = forAllTests(cliUser)

const sheet = 'description;grader;cert_number\nPokémon 151;PSA;12345678\n'

describe('a file that is not UTF-8 with commas', () => {
  test.each([
    ['UTF-8 with semicolons', Buffer.from(sheet), 'Read as utf-8, separated by semicolons.'],
    [
      'UTF-16 with tabs',
      Buffer.from(`\ufeff${sheet.replaceAll(';', '\t')}`, 'utf16le'),
      'Read as utf-16le, separated by tabs.',
    ],
    ['UTF-16 in the other byte order', Buffer.from(`\ufeff${sheet}`, 'utf16le').swap16(), 'Read as utf-16be'],
    ['Windows-1252', Buffer.from(sheet, 'latin1'), 'Read as windows-1252, separated by semicolons.'],
    ['with Excel’s own mark', Buffer.from(`sep=;\r\n${sheet}`), 'separated by semicolons.'],
    [
      'Shift_JIS',
      Buffer.from(`description,quantity\n\x83|\x83P\x83\x82\x83\x93,1\n`, 'latin1'),
      'Read as shift_jis',
    ],
  ])('with %s is read, and custody says so', async (_, bytes, said) => {
    const { code, err, out } = await checked(bytes)
    expect([code, out]).toEqual([0, expect.stringContaining('good\t1')])
    expect(err).toContain(said)
  })

  test('with an uncertain separator needs the flag', async () => {
    const bytes = Buffer.from('a;b,c\n1;2,3\n')
    expect(await checked(bytes)).toMatchObject({ code: 6, err: expect.stringContaining('--delimiter') })
    const { code, err } = await checked(
      bytes,
      '--delimiter',
      'semicolon',
      '--map',
      'a=description',
      '--ignore-columns',
      'b,c',
    )
    expect([code, err]).toEqual([6, expect.stringContaining('"b,c"')])
  })

  test.each([
    [
      'names',
      'José Ramírez, Muñoz, Zoë, François, Šimek, Hašek, João Simões, Kjær, Øystein, Größe, Français',
    ],
    ['words', 'POKéMON, Écarlate, créée, cœur, 2ème, jomfruøer, irmã, lunedì, Año, nº 5, O´Neal'],
    ['marks', 'Pokémon™ “Base” ‘x’ «neuf» „neu“ Karte, 20° €5 ½ 3×5 5’10” ¡Hola! …–—• © ® °'],
    ['an apostrophe', 'Farfetch’d, De’Aaron, O’Neal, we’re, l’art, dell’arte, ’90s'],
    ['a dash', 'Lakers–Nets, mint–near'],
  ])('with %s of Windows-1252 is read without a question', async (_, text) => {
    const { code, out } = await checked(windows1252(`description\n"${text}"\n`), '--output', 'csv')
    expect([code, out]).toEqual([0, `description\n"${text}"\n`])
  })

  describe('an uncertain encoding needs the flag', () => {
    const utf8 = 'Pokémon\n'.repeat(20)
    test.each<[string, string | Buffer, number]>([
      ['Russian', '\xcf\xf0\xe8\xe2\xe5\xf2 \xec\xe8\xf0', 2],
      [
        'UTF-8 with a line of Windows-1252',
        Buffer.concat([Buffer.from(utf8), Buffer.from('Pok\xe9', 'latin1')]),
        22,
      ],
      [
        'UTF-8 with half a letter',
        Buffer.concat([Buffer.from(utf8), Buffer.from('Pok\xc3mon\n', 'latin1')]),
        22,
      ],
      ['half a letter', 'Box\nPok\xc3mon', 3],
      ['a Mac (é)', 'Box\nPok\x8emon', 3],
      ['a Mac (í)', 'Garc\x92a', 2],
      ['a Mac (ó)', 'G\x97mez', 2],
      ['a Mac (ö)', 'K\x9aln', 2],
      ['a Mac (ü)', 'M\x9fller', 2],
      ['DOS (é)', 'Jos\x82', 2],
      ['a Mac (ö at the end)', 'Malm\x9a', 2],
      ['a Mac (Ö)', 'K\x85LN', 2],
      ['a Mac (í in capitals)', 'RAM\xeaREZ', 2],
      ['DOS (ö)', 'Bj\x94rn', 2],
      ['DOS (ö at the end)', 'Malm\x94', 2],
      ['DOS (á)', 'Hor\xa0k', 2],
      ['DOS (ò)', 'Niccol\x95', 2],
      ['Lithuanian', '\xa9iauliai', 2],
      ['Romanian', 'Bucure\xbati', 2],
      ['Croatian', 'Don\xe8i\xe6', 2],
      ['Czech', 'Dvo\xf8\xe1k', 2],
      ['Polish', 'Wa\xb3\xeasa', 2],
      ['Hungarian', 'Erd\xf5s', 2],
      ['Turkish', '\xdeahin', 2],
      ['Polish in the Baltic encoding', 'Wa\xf9\xe6sa', 2],
      ['Japanese without kana', '\x89\xce\x97\xb3', 2],
      ['Japanese in EUC-JP', '\xb2\xd0\xce\xf5', 2],
      ['Chinese', '\xc4\xfa\xbc\xa8', 2],
      ['Korean', '\xb8\xae\xc0\xda\xb8\xf9', 2],
    ])('%s', async (_, text, line) => {
      const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text
      const { code, err } = await checked(Buffer.concat([Buffer.from('description\n'), bytes]))
      expect([code, err]).toEqual([6, expect.stringContaining(`is not UTF-8 in line ${line}, and its`)])
      expect(err).toContain('--encoding windows-1252')
    })
  })

  test.each([
    [
      'UTF-16 without a mark',
      Buffer.from(sheet, 'utf16le'),
      'contains a NUL character: save it as "CSV UTF-8"',
    ],
    ['a quote that goes on', '"description"|"sku"\n"Box"|"A"\n', 'has text after its closing quote'],
  ])('%s in the first line is named', async (_, bytes, why) => {
    const { code, err } = await checked(bytes)
    expect([code, err]).toEqual([6, expect.stringContaining(why)])
  })

  test('a named encoding is not doubted', async () => {
    const { code, out } = await checked(
      Buffer.from('description\nPok\x8emon\n', 'latin1'),
      '--encoding',
      'macintosh',
      '--output',
      'csv',
    )
    expect([code, out]).toEqual([0, 'description\nPokémon\n'])
  })
})

test('a workbook that a program wrote as a stream, with the sizes of its parts after them, is read', async () => {
  const streamed = zipOf(await partsOf(workbookOf([['description'], ['Card']])), { isStreamed: true })
  const { code, out } = await checked(streamed, '--output', 'csv')
  expect([code, out]).toEqual([0, 'description\nCard\n'])
})

describe('what spreadsheets leave in a file', () => {
  test('empty columns and rows are dropped and counted, totals are pointed out, and rows are named by number and line', async () => {
    const { code, err } = await checked('Item,Qty,Cert No,,\nBox,2,,,\n,,,,\n"Two\nlines",1,,,\nTotal,3,,,\n')
    expect(code).toBe(9)
    expect(err).toContain('Understood: Item as description, Qty as quantity, Cert No as cert_number.')
    expect(err).toContain('Dropped: 2 empty columns, 1 empty row.')
    expect(err).toContain('row 4, line 6  "Total" looks like a total below the rows: delete this row.')
  })

  test.each(['Grading Company', 'Grade Company', 'Slab Company', 'Authenticator', 'Grader Name'])(
    'a column %s names the grader',
    async (column) => {
      const { code, err } = await checked(`Item,${column},Cert No\nBox,PSA,48201934\n`)
      expect([code, err]).toEqual([0, expect.stringContaining(`${column} as grader`)])
    },
  )

  test.each([
    ["in custody's own form", 'description,sku,quantity\nBox,,2\n', 'Total,,4'],
    ['renamed', 'Item,sku,Qty\nBox,,2\n', 'Totals,,4'],
    ['in German', 'Artikel,sku,Menge\nBox,,2\n', ',Summe,4'],
    ['in short', 'description,sku,quantity\nBox,,2\n', 'Sum,,4'],
    ['with its unit', 'description,sku,quantity\nBox,,2\n', 'Total units,,4'],
    ['behind its number', 'Menge,sku,Artikel\n2,,Box\n', '4,,Summe'],
    ['in French', 'Item,sku,Quantit\u00e9\nBox,,2\n', 'Total g\u00e9n\u00e9ral,,4'],
    ['in Spanish', 'Item,sku,Cantidad\nBox,,2\n', 'Suma,,4'],
  ])('a totals row below a file %s fails', async (_, rows, sum) => {
    const { code, err } = await checked(`${rows}${sum}\n`)
    expect([code, err]).toEqual([9, expect.stringContaining('row 2, line 3  "')])
    expect(err).toContain('looks like a total below the rows')
  })

  test("the second header of two joined files is not a row, and must have the first one's order", async () => {
    const joined = 'description,sku\nBox,A\n\ufeffDescription,SKU\nTin,B\n'
    const { code, out, err } = await checked(joined, '--output', 'csv')
    expect([code, out]).toEqual([0, 'description,sku\nBox,A\nTin,B\n'])
    expect(err).toContain('Dropped: 1 line that is not a row.')
    const other = await checked('description,sku\nBox,A\nsku,description\nB,Tin\n')
    expect([other.code, other.err]).toEqual([6, expect.stringContaining('Line 3 repeats the header')])
  })

  test('lines above the header are counted, and must not look like rows', async () => {
    const header = 'description,sku,grader,cert_number,quantity'
    const titled = await checked(`Orders of May,,,,\nAccount,4711\n\n${header}\nBox,,,,2\n`)
    expect([titled.code, titled.err]).toEqual([
      0,
      expect.stringContaining('Dropped: 2 lines above the header.'),
    ])
    const sorted = await checked(`Aaron Judge,,PSA,75629780,1\n${header}\nBox,,,,2\nEevee,,PSA,48201936,1\n`)
    expect([sorted.code, sorted.err]).toEqual([
      6,
      expect.stringContaining('is in line 2, but line 1 above it looks like a row'),
    ])
  })

  test.each([
    ['groups of columns', 'Item,,Slab,\n'],
    ['a name of a column', 'Item\n\n'],
  ])('%s above the header are not the header', async (_, above) => {
    const sheet = `${above}description,sku,grader,cert_number\nCard,,PSA,48201934\n`
    const { code, err } = await checked(sheet)
    expect([code, err]).toEqual([0, expect.stringContaining('Dropped: 1 line above the header.')])
  })

  test('a title that is the name of a column does not hide an unknown column of the header', async () => {
    const { code, err } = await checked('Item\n\ndescription,sku,Colour\nCard,,red\n')
    expect([code, err]).toEqual([6, expect.stringContaining('has an unknown column "Colour"')])
  })

  test('a wrong quote is named even if the header can be read', async () => {
    const { code, err } = await checked('description,quantity\n"A "" b",1\n"A" ,2\n')
    expect([code, err]).toEqual([6, expect.stringContaining('line 3')])
    expect(err).toContain('unterminated quote')
  })

  test.each(['Item #', 'Card #', 'Product #'])('a column %s is a number, not a name', async (column) => {
    const { code, err } = await checked(`${column},Qty\n12345,2\n`)
    expect([code, err]).toEqual([6, expect.stringContaining(`${column.padEnd(11)}  is not known`)])
  })

  test('an amount is not used as a quantity, because it may be money', async () => {
    const { code, err } = await checked('description,Amount\nBox,25\n')
    expect([code, err]).toEqual([6, expect.stringContaining('unknown column "Amount"')])
  })

  test.each([
    [
      'of decimal commas',
      'csv',
      '1.5;1,5;1.250',
      '1.250',
      'B;S2;10,5;1;1;cm;0.250;g',
      'B,S2,10.5,1,1,cm,0.250,g',
    ],
    ['of whole numbers', 'csv', '1;1;1.250', '1.250', 'B;S2;10;1;1;cm;250;g', 'B,S2,10,1,1,cm,250,g'],
    [
      'of decimal points',
      'csv',
      '7.5;1;1,250',
      '1,250',
      'B;S2;10.5;1;1;cm;1.250;g',
      'B,S2,10.5,1,1,cm,1.250,g',
    ],
    ['of tabs', 'tsv', '1;1;1.250', '1.250', 'B;S2;2,5;1;1;cm;1,250;g', 'B,S2,2.5,1,1,cm,1.250,g'],
    ['of tabs in English', 'tsv', '1;1;1,250', '1,250', 'B;S2;10;1;1;cm;250;g', 'B,S2,10,1,1,cm,250,g'],
  ])('a number that may be in thousands fails in a file %s', async (_, form, sizes, number, good, read) => {
    const header = 'name;sku;length;width;height;dimension_unit;weight;weight_unit\n'
    const [length, width, weight] = sizes.split(';')
    const rows = `${header}A;S1;${length};${width};1;cm;${weight};g\n${good}\n`
    writeFileSync(join(user.home, 'boxes.csv'), form === 'tsv' ? rows.replaceAll(';', '\t') : rows)
    const { code, out, err } = await user.run([
      'products',
      'import',
      'boxes.csv',
      '--dry-run',
      '--output',
      'csv',
    ])
    expect([code, out]).toEqual([9, expect.stringContaining(read)])
    expect(err).toContain(
      `row 1, line 2  weight "${number}" may be in thousands: write 1250 or ${number.replace(',', '.')}0.`,
    )
  })

  test('a comma with three digits is a decimal comma in a file of semicolons without points', async () => {
    const header = 'name;sku;length;width;height;dimension_unit;weight;weight_unit'
    writeFileSync(join(user.home, 'boxes.csv'), `${header}\nA;S1;1;1;1;cm;1,250;g\n`)
    const { out, err } = await user.run(['products', 'import', 'boxes.csv', '--dry-run', '--output', 'csv'])
    expect([out, err]).toEqual([
      expect.stringContaining('A,S1,1,1,1,cm,1.250,g'),
      expect.stringContaining('Numbers are read with a decimal comma.'),
    ])
  })

  test('a cell with a separator and no quotes is not cut at the end of its row', async () => {
    const { code, err } = await checked('Item;Order Number;Qty\nBinder; blue;;\nBox;R-1;1\n')
    expect([code, err]).toEqual([
      9,
      expect.stringContaining('row 1, line 2  The row has 4 fields and the header 3'),
    ])
  })

  test('empty rows of a file in our form are dropped too', async () => {
    const { code, out, err } = await checked('description,quantity\nBox,1\n,\n')
    expect([code, out, err]).toEqual([
      0,
      expect.stringContaining('rows\t1'),
      expect.stringContaining('1 empty row'),
    ])
  })

  test('a long text in an unsent column is accepted, unless it swallowed rows', async () => {
    const long = `"${'<p>Sleeves, 100 of them</p>\n'.repeat(2000)}"`
    const notes = ['--ignore-columns', 'Notes']
    const { code, out } = await checked(`description,quantity,Notes\nBox,1,${long}\nTin,2,\n`, ...notes)
    expect([code, out]).toEqual([0, expect.stringContaining('good\t2')])
    const header = 'name,sku,length,width,height,dimension_unit,weight,weight_unit,Notes'
    const products = `${header}\n${['A', 'B'].map((sku) => `Box,${sku},1,1,1,in,1,oz,${long}\n`).join('')}`
    writeFileSync(join(user.home, 'shop.csv'), products)
    const args = ['products', 'import', 'shop.csv', ...notes, '--database', 'shop.db']
    expect(await user.run(args)).toMatchObject({ code: 0, out: expect.stringContaining('created\t2') })
    const swallowed = `description,quantity,Notes\nBox,1,"3 in\n${'Tin,2,\n'.repeat(6000)}Cap,1,4 in"\n`
    expect(await checked(swallowed, ...notes)).toMatchObject({
      code: 6,
      err: expect.stringContaining('a field of more than 32 KiB near line 2: a quote may be missing'),
    })
  })

  test('a failed lookup is rejected wherever it is, also inside a value', async () => {
    const { code, err } = await checked(
      'cert number,listing title,grade,price paid,date,invoice date,was refunded?\n48201934,#REF!,PSA 10,1,,,No\n',
    )
    expect([code, err]).toEqual([6, expect.stringContaining('listing title "#REF!" is a spreadsheet error')])
    const composed = await checked(
      'Item Status,Item,Cert Number,Grade Issuer,Grade,Year,Set,Card Number,Subject,Variety,Vault Status\n' +
        'x,Card,48201934,PSA,10,1999,#N/A,4,Charizard,,\n',
    )
    expect([composed.code, composed.err]).toEqual([
      6,
      expect.stringContaining('Year + Set + Subject + Variety + Card Number "#N/A" is a spreadsheet error'),
    ])
    const order = ['sku', 'quantity', 'recipient_name', 'street', 'city', 'state', 'zip', 'country']
    const row: Cell[] = ['BOX', 1, { error: '#N/A' }, '1 Main St', { error: '#REF!' }, 'TX', '73301', 'US']
    writeFileSync(join(user.home, 'orders.xlsx'), workbookOf([order, row]))
    const orders = await user.run(['fulfillments', 'import', 'orders.xlsx', '--dry-run'])
    expect(orders.code).toBe(6)
    expect(orders.err).toContain('recipient_name "#N/A" is a spreadsheet error')
    expect(orders.err).toContain('city "#REF!" is a spreadsheet error')
  })

  test('unknown columns are answered with the flags to copy', async () => {
    const { code, err } = await checked('Beschreib,Preis\nBox,2\n')
    expect([code, err]).toEqual([
      6,
      expect.stringContaining('as in: --map "THEIRS=description" --ignore-columns "Beschreib,Preis"'),
    ])
    const graded = await checked('description,grading company,grade\nCard,PSA,10\n')
    expect([graded.code, graded.err]).toEqual([6, expect.stringContaining('as in: --ignore-columns "grade"')])
    expect(graded.err).not.toContain('did you mean')
  })

  test('a column of --map that the file lacks is rejected', async () => {
    const { code, err } = await checked('description\nBox\n', '--map', 'nope=sku')
    expect([code, err]).toEqual([2, expect.stringContaining('--map: the file has no column "nope".')])
    const two = await checked('Titel,Menge\nBox,1\n', '--map', 'Titel=description,Menge=quantity')
    expect([two.code, two.err]).toEqual([2, expect.stringContaining('Give each column its own --map.')])
  })

  test('two --map columns for one of ours are rejected; a given one replaces a saved one', async () => {
    const [zert, firma] = [['--map', 'Zert=cert_number'] as const, ['--map', 'Firma=Cert_Number'] as const]
    const file = 'description,grader,Zert,Firma\nCard,PSA,x,12345678\n'
    expect(await checked(file, ...zert, ...zert, ...firma)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--map: "Zert" and "Firma" cannot both be cert_number: give one.'),
    })
    await checked(file, ...zert, '--ignore-columns', 'Firma', '--save-map', 'kept')
    const given = ['--map', '@kept', ...firma, '--ignore-columns', 'Zert', '--output', 'csv']
    expect(await checked(file, ...given)).toMatchObject({
      code: 0,
      out: expect.stringContaining('Card,PSA,12345678'),
    })
  })

  test('the file of failed rows has the original columns and cells, and imports with the same flags', async () => {
    writeFileSync(join(user.home, 'theirs.csv'), 'Artikel;Zertifikat;Grader\n=Box;;\nCard;1.2E+07;PSA\n')
    const flags = ['--map', 'Zertifikat=cert_number', '--reference', 'R-1', '--errors', 'failed.csv']
    const first = await user.run([
      'manifests',
      'submit',
      'theirs.csv',
      ...flags,
      '--no-seed',
      '--database',
      'own.db',
    ])
    expect([first.code, first.err]).toEqual([9, expect.stringContaining('row 2, line 3')])
    const [header, row] = readFileSync(join(user.home, 'failed.csv'), 'utf8').split('\n')
    expect([header, row]).toEqual([
      '\ufeffArtikel;Zertifikat;Grader;error_row;error_code;error_message',
      expect.stringMatching(/^Card;1\.2E\+07;PSA;2;validation_error;/),
    ])
    const again = await user.run(['manifests', 'submit', 'failed.csv', ...flags, '--dry-run'])
    expect([again.code, again.err]).toEqual([6, expect.stringContaining('row 1, line 2')])
  })
})

function checked(content: string | Buffer, ...flags: string[]): Promise<CliRun> {
  writeFileSync(join(user.home, 'given.csv'), content)
  return user.run(['manifests', 'submit', 'given.csv', '--dry-run', ...flags])
}

/** As Excel writes it: letters as in Latin-1, punctuation between 0x80 and 0x9f. */
function windows1252(text: string): Buffer {
  const marks = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, at) => 0x80 + at))
  return Buffer.from(
    [...text].map((char) => (marks.includes(char) ? 0x80 + marks.indexOf(char) : char.charCodeAt(0))),
  )
}
