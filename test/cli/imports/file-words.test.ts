import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CliRun } from '../../support/cli-io.ts'
import { cliUser, forAllTests } from '../../support/each.ts'

const user = forAllTests(cliUser)

const products =
  'Title,URL handle,Vendor,SKU,Barcode,Option1 value,Weight value (grams),Variant image URL,Product image URL'
const sizes = ['length=10', 'width=8', 'height=4', 'dimension_unit=cm'].flatMap((text) => ['--set', text])
const address = 'Empfänger,Straße,Ort,Region,PLZ,Land'
const own = ['--map', 'Menge=quantity']

test.each([
  ['German', 'Bezeichnung;Prüfer;Zertifikat;Menge', 'Empfänger,Straße,Ort,Region,Postleitzahl,Land'],
  [
    'Spanish',
    'Descripción;Empresa certificadora;Número de certificado;Cantidad',
    'Destinatario,Dirección,Ciudad,Provincia,Código postal,País',
  ],
  [
    'French',
    'Description;Société de certification;Numéro de certificat;Quantité',
    'Destinataire,Adresse,Ville,Province,Code postal,Pays',
  ],
])('columns in %s are understood', async (_language, goods, place) => {
  write('buy.csv', goods, 'Mew;PSA;48201934;1')
  const sheet = await user.run(['manifests', 'submit', 'buy.csv', '--offline', '--dry-run', '--json'])
  expect([sheet.code, JSON.parse(sheet.out)]).toEqual([0, expect.objectContaining({ good: 1 })])
  write('orders.csv', `sku,Qty,${place}`, 'A,1,Ann,Weg 1,Berlin,BE,10115,DE')
  const orders = await user.run(['fulfillments', 'import', 'orders.csv', '--offline', '--dry-run', '--json'])
  expect([orders.code, JSON.parse(orders.out)]).toEqual([0, expect.objectContaining({ good: 1 })])
})

describe("a row error uses the file's own words", () => {
  test('for an export', async () => {
    write('shop.csv', products, 'Box,box,Us,A,,,,,', 'Case,case,Us,B,,,heavy,,', 'Tin,tin,Us,C,,,1,,a b')
    const { err } = await user.run(['products', 'import', 'shop.csv', '--dry-run', ...sizes])
    expect(err).toContain('row 1, line 2  Weight value (grams) is empty.')
    expect(err).toContain('row 2, line 3  Weight value (grams) "heavy" is not a number')
    expect(err).toContain('row 3, line 4  Variant image URL or Product image URL "a b" is not a URI')
  })

  test('for a custom file, with the fix', async () => {
    write(
      'own.csv',
      `SKU,Menge,${address}`,
      'A,"1,000",Ann,Weg 1,Berlin,BE,10115,DE',
      'A,1,,Weg 1,Berlin,,10115,DE',
      'A,1,Ann,1 Main St,Austin,,73301,US',
    )
    const { err } = await user.run(['fulfillments', 'import', 'own.csv', '--dry-run', ...own])
    expect(err).toContain('row 1, line 2  Menge "1,000" is not a whole number: write 1000.')
    expect(err).toContain(
      'row 2, line 3  Empfänger is empty; Region is empty; Germany has none: --set state=-.',
    )
    expect(err).toMatch(/row 3, line 4 {2}Region is empty\.\n/)
    const set = await user.run(['fulfillments', 'import', 'own.csv', '--dry-run', ...own, '--set', 'state=-'])
    expect(set.err).not.toContain('Germany')
  })

  test('for a row of one field, swapped columns, and spaces between thousands', async () => {
    write(
      'buy.csv',
      'Item,Grader,Cert No,Qty',
      'Card,48201934,PSA,1',
      'Sleeves,,,2 500',
      'Thank you',
      'Card,KSA,PSA 48201934,1',
    )
    const { err } = await user.run(['manifests', 'submit', 'buy.csv', '--dry-run'])
    expect(err).toContain('Grader "48201934" is not a grader, and the certificate is one: swap them.')
    expect(err).not.toContain('"KSA" is not a grader, and')
    expect(err).toContain('Qty "2 500" is not a whole number: write 2500.')
    expect(err).toContain('The row has 1 field and the header 4:')
    write('bars.csv', 'description|quantity', 'Sleeves|2')
    const bars = await user.run(['manifests', 'submit', 'bars.csv', '--dry-run'])
    expect([bars.code, bars.err]).toEqual([
      6,
      expect.stringContaining('bars.csv is separated by "|". Save it'),
    ])
  })

  test('for several columns that mean one of ours, and for related columns', async () => {
    write(
      'cards.csv',
      'Portfolio Name,Set,Product Name,Card Number,Card Condition,Average Cost Paid,Quantity',
      'Main,,,,NM,1,1',
    )
    const cards = await user.run(['manifests', 'submit', 'cards.csv', '--dry-run'])
    expect(cards.err).toContain('row 1, line 2  Set + Product Name + Card Number is empty.')
    write('buy.csv', 'Item;Cert No;Grading Company', 'Card;12345678;')
    const buy = await user.run(['manifests', 'submit', 'buy.csv', '--dry-run'])
    expect(buy.err).toContain('row 1, line 2  Grading Company is required with Cert No.')
  })

  test('in warnings, in JSON, and in the file of failed rows', async () => {
    write('buy.csv', 'Item;Cert No;Grading Company', 'Card;12345;CGC')
    const warned = await user.run(['manifests', 'submit', 'buy.csv', '--dry-run', '--json'])
    expect(warned.err).toContain('Cert No "12345" has 5 digits')
    expect(JSON.parse(warned.out)).toMatchObject({
      warnings: [{ row: 1, field: 'cert_number', column: 'Cert No' }],
    })
    write('shop.csv', products, 'Box,box,Us,A,,,,,')
    await imported('products', 'shop.csv', ...sizes)
    expect(readFileSync(join(user.home, 'shop.csv.errors.csv'), 'utf8')).toContain(
      ',1,validation_error,Weight value (grams) is empty.\n',
    )
  })

  test('if the service rejects the row too', async () => {
    write('own.csv', `Artikelnummer,Menge,${address}`, 'NO-SUCH,1,Ann,Weg 1,Berlin,BE,10115,DE')
    const { code, err } = await imported('fulfillments', 'own.csv', '--map', 'Artikelnummer=sku', ...own)
    expect([code, err]).toEqual([9, expect.stringContaining('Artikelnummer "NO-SUCH" is not in the catalog')])
  })
})

describe('grades in exports', () => {
  test('become part of the description, and cards that PSA did not slab fail with the reason', async () => {
    write(
      'psa.csv',
      'Cert #,Type,Description,Grade,After Service,Images',
      '71234501,Card,2003 UPPER DECK LEBRON JAMES,MINT 9,,',
      '71234502,Card,1996 TOPPS KOBE BRYANT,N5: ALTERED STOCK,,',
      '71234503,Card,1954 TOPPS HANK AARON,N0,,',
    )
    const { code, out, err } = await user.run(['manifests', 'submit', 'psa.csv', '--dry-run', '-o', 'csv'])
    expect([code, out]).toEqual([
      9,
      'description,grader,cert_number\n2003 UPPER DECK LEBRON JAMES MINT 9,PSA,71234501\n',
    ])
    expect(err).toContain('row 2, line 3  Grade is "N5: ALTERED STOCK": PSA did not slab this card')
    expect(err).toContain('row 3, line 4  Grade is "N0": PSA did not slab this card')
  })

  test('of Collectr become part of the description, except "Ungraded"', async () => {
    const header =
      'Portfolio Name,Set,Product Name,Card Number,Variance,Grade,Card Condition,Average Cost Paid,Quantity'
    write(
      'cards.csv',
      header,
      'A,Jungle,Snorlax,11/64,Holo,CGC 9.5,NM,1,1',
      'A,Jungle,Eevee,51/64,,Ungraded,NM,1,2',
    )
    const { out } = await user.run(['manifests', 'submit', 'cards.csv', '--dry-run', '-o', 'csv'])
    expect(out).toBe('description,quantity\nJungle Snorlax Holo 11/64 CGC 9.5,1\nJungle Eevee 51/64,2\n')
  })
})

function write(name: string, ...lines: string[]): void {
  writeFileSync(join(user.home, name), [...lines, ''].join('\n'))
}

function imported(noun: string, file: string, ...flags: string[]): Promise<CliRun> {
  return user.run([noun, 'import', file, '--no-seed', '--database', 'words.db', ...flags])
}
