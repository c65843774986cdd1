import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { presets } from '../../../src/cli/files/presets.ts'
import { cliUser, forAllTests } from '../../support/each.ts'
import { expectGolden } from '../../support/golden.ts'

const folder = fileURLToPath(new URL('../../exports/', import.meta.url))
const files = readdirSync(folder).filter((name) => name.endsWith('.csv'))
const commands = {
  manifest: ['manifests', 'submit'],
  products: ['products', 'import'],
  fulfillments: ['fulfillments', 'import'],
}
/** Columns that exports of products lack. */
const sizes = ['length=10', 'width=8', 'height=4', 'dimension_unit=cm', 'weight=100', 'weight_unit=g']

const user = forAllTests(cliUser)

describe('every preset has two exports that are recognised by their header', () => {
  test.each(
    presets.flatMap((preset) => [1, 2].map((number) => ({ preset, file: `${preset.name}-${number}` }))),
  )('$file', async ({ preset, file }) => {
    expect(files).toContain(`${file}.csv`)
    copyFileSync(join(folder, `${file}.csv`), join(user.home, `${file}.csv`))
    const set = preset.kind === 'products' ? sizes.flatMap((text) => ['--set', text]) : []
    const flags = ['--dry-run', '--output', 'csv', '--raw', ...set]
    const { code, out, err } = await user.run([...commands[preset.kind], `${file}.csv`, ...flags])
    const lacks = `${file}.csv is the export ${preset.title}, which lacks ${preset.added?.columns.join(' and ')}.`
    expect(err).toContain(preset.added && code === 6 ? lacks : `Recognised: ${preset.title}; `)
    expectGolden(`exports/${file}.txt`, `exit ${code}\n\n${err}\n${out}`)
  })

  test('every export has its preset', () => {
    const named = presets.flatMap(({ name }) => [`${name}-1.csv`, `${name}-2.csv`])
    expect([...files].sort()).toEqual(named.sort())
  })

  test('an order is not lost if an item is missing, and an unknown word does not say that a card will arrive', async () => {
    const [, header = ''] = readFileSync(join(folder, 'ebay-orders-1.csv'), 'utf8').split('\n')
    const bob = ',,,,,,Bob Ray,,9 Oak Ave,,Portland,Oregon,97201,United States'
    const write = (...rows: string[]) => writeFileSync(join(user.home, 'given.csv'), rows.join('\n'))
    const trial = ['given.csv', '--dry-run', '--output', 'csv', '--columns', 'sku,external_ref']
    write(header, `10,12-1${bob},,Loupe,SUP-1,,1,,,,,`, `11,12-2${bob},,Loupe,,,1,,,,,`)
    const orders = await user.run(['fulfillments', 'import', ...trial])
    expect([orders.code, orders.out]).toEqual([9, 'sku,external_ref\nSUP-1,12-1\n'])
    expect(orders.err).toContain(
      'row 2, line 3  The order has no item: fill in "Item Number" or "Custom Label".',
    )
    write('cert number,listing title,price paid,was refunded?', '1234567,Mew,$1,Refunded 5/6/26')
    const cards = await user.run(['manifests', 'submit', ...trial.slice(0, 2)])
    expect([cards.code, cards.err]).toEqual([
      6,
      expect.stringContaining('"was refunded?" has "Refunded 5/6/26": write yes or no.'),
    ])
  })

  // One row for the order, with its address and parcel, and one for each item.
  test.each([
    ['one parcel for the order', '9400', ['', ''], []],
    ['a parcel for one of its items', '9400', ['9400', ''], ['SUP-2,12-1']],
    ['no parcel yet', '', ['', ''], ['SUP-1,12-1', 'SUP-2,12-1']],
  ])('of an eBay order with %s, only what has not shipped is ordered', async (_, whole, parcels, ordered) => {
    const [, header = ''] = readFileSync(join(folder, 'ebay-orders-1.csv'), 'utf8').split('\n')
    const items = parcels.map(
      (parcel, at) => `10,12-1,,,,,,,,,,,,,,${at + 1},,SUP-${at + 1},,1,,,${parcel},,`,
    )
    const order = `10,12-1,,,,,,Bob Ray,,9 Oak Ave,,Portland,Oregon,97201,United States,,,,,,,,${whole},,`
    writeFileSync(join(user.home, 'shipped.csv'), [header, order, ...items, ''].join('\n'))
    const { out } = await user.run([
      ...['fulfillments', 'import', 'shipped.csv', '--dry-run'],
      ...['--output', 'csv', '--columns', 'sku,external_ref'],
    ])
    expect(out.split('\n').slice(1, -1)).toEqual(ordered)
  })

  test('a dash means that a cell is empty, so that it neither fails a card nor marks an order as shipped', async () => {
    const bob = ',,,,,,Bob Ray,,9 Oak Ave,-,Portland,Oregon,97201,United States'
    const [, header = ''] = readFileSync(join(folder, 'ebay-orders-1.csv'), 'utf8').split('\n')
    writeFileSync(join(user.home, 'dashed.csv'), `${header}\n10,12-1${bob},1,Loupe,SUP-1,,1,,,-,,\n`)
    const trial = ['--dry-run', '--offline', '--output', 'csv']
    const orders = await user.run(['fulfillments', 'import', 'dashed.csv', ...trial])
    expect(orders.out).toContain('SUP-1,1,Bob Ray,9 Oak Ave,,Portland,OR,97201,US,12-1\n')
    writeFileSync(
      join(user.home, 'cards.csv'),
      'cert number,listing title,price paid,was refunded?\n12345678,Mew,$1,-\n',
    )
    const cards = await user.run(['manifests', 'submit', 'cards.csv', ...trial])
    expect(cards).toMatchObject({ code: 0, out: expect.stringContaining('\nMew,PSA,12345678\n') })
  })

  test.each([
    ['Portfolio Name,Product Name,Card Condition,Average Cost Paid,Quantity', 'Main,Mew,,,'],
    ['product-name,console-name,grading-company,grading-cert-id,quantity', 'Mew,Pokemon,,,'],
    ['Player,Condition,Ladder ID,Slab Serial #,Quantity', 'Mew,Raw,1,,'],
    ['order numeric id,product name,order status,sold price,quantity', '1,Mew,completed,1,'],
  ])('a row of quantity 0 is not expected to arrive: %s', async (header, row) => {
    writeFileSync(join(user.home, 'counted.csv'), [header, `${row}0`, `${row}2`, ''].join('\n'))
    const submit = ['manifests', 'submit', 'counted.csv', '--dry-run', '--offline']
    const { code, err } = await user.run(submit)
    expect([code, err]).toEqual([0, expect.stringContaining('1 row is skipped: 1 of quantity 0.')])
  })

  test.each([
    ['Order Number,Item ID,Seller,Item Name,View Order Detail,Quantity', '1,2,shop,Mew,,3'],
    ['ItemID,Set Name,Description,Purchased From,Quantity', '1,Base,Mew,shop,3'],
  ])('a quantity that the export has gained is taken: %s', async (header, row) => {
    writeFileSync(join(user.home, 'gained.csv'), `${header}\n${row}\n`)
    const submit = ['manifests', 'submit', 'gained.csv', '--dry-run', '--output', 'csv']
    expect((await user.run([...submit, '--columns', 'quantity'])).out).toBe('quantity\n3\n')
  })

  test.each([
    ['--ignore-columns', 'quantity', 'description,grader,cert_number\nMew,PSA,12345678\n'],
    ['--map', 'Quantity=external_ref', 'external_ref,description,grader,cert_number\n3,Mew,PSA,12345678\n'],
  ])('a quantity that the export has gained is no quantity with %s %s', async (flag, value, rows) => {
    const file = 'Cert Number,Grade Issuer,Subject,Vault Status,Quantity \n12345678,PSA,Mew,,3\n'
    writeFileSync(join(user.home, 'other.csv'), file)
    const submit = ['manifests', 'submit', 'other.csv', '--dry-run', '--output', 'csv']
    expect((await user.run([...submit, '--from', 'psa-collection', flag, value])).out).toBe(rows)
  })

  test.each(['0', '0.0'])(
    '--set fills a weight of %s, which shops write if they know none',
    async (weight) => {
      const [header = '', first = ''] = readFileSync(
        join(folder, 'shopify-products-old-1.csv'),
        'utf8',
      ).split('\n')
      expect(first).toContain(',450,')
      writeFileSync(join(user.home, 'light.csv'), `${header}\n${first.replace(',450,', `,${weight},`)}\n`)
      const set = (count: number) => sizes.slice(0, count).flatMap((text) => ['--set', text])
      const trial = ['products', 'import', 'light.csv', '--dry-run', '--output', 'csv', '--columns', 'weight']
      expect(await user.run([...trial, ...set(5)])).toMatchObject({ code: 0, out: 'weight\n100\n' })
      const { code, err } = await user.run([...trial, ...set(4)])
      expect([code, err]).toEqual([
        6,
        expect.stringContaining(`Variant Grams "${weight}" must be a number greater`),
      ])
    },
  )

  test('a column that an order needs must not be there twice', async () => {
    const [header = '', row = ''] = readFileSync(join(folder, 'shopify-orders-1.csv'), 'utf8').split('\n')
    writeFileSync(join(user.home, 'twice.csv'), `${header.trim()},Lineitem Quantity\n${row.trim()},7\n`)
    const { code, err } = await user.run(['fulfillments', 'import', 'twice.csv', '--dry-run', '--offline'])
    expect([code, err]).toEqual([6, expect.stringContaining('has the column Lineitem Quantity twice.')])
  })

  test('a grader that the condition names too stands in the description once', async () => {
    const header = 'product-name,console-name,condition-string,grading-company,grading-cert-id'
    writeFileSync(join(user.home, 'graded.csv'), `${header}\nMew #8,Pokemon Promo,PSA 10,PSA,12345678\n`)
    const { out } = await user.run([
      ...['manifests', 'submit', 'graded.csv', '--dry-run', '--offline', '--output', 'csv'],
    ])
    expect(out).toContain(',Pokemon Promo Mew #8 PSA 10,PSA,12345678,')
  })

  test('a TCGplayer order that has shipped is skipped with the rows that its user added', async () => {
    const [header = ''] = readFileSync(join(folder, 'tcgplayer-shipping-2.csv'), 'utf8').split('\n')
    const ann = (tracking: string) =>
      `Ann,Lee,1 Elm,,Austin,TX,73301,US,2026-11-01,0.1,Standard,2,$5.00,$1.31,${tracking}`
    const rows = [`A-1,${ann('9400,USPS')},S-1,1`, `A-1${','.repeat(17)}S-2,1`, `A-2,${ann(',')},S-3,1`]
    writeFileSync(join(user.home, 'tracked.csv'), [header, ...rows, ''].join('\n'))
    const { out, err } = await user.run([
      ...['fulfillments', 'import', 'tracked.csv', '--dry-run', '--offline'],
      ...['--output', 'csv', '--columns', 'sku,external_ref'],
    ])
    expect([out, err]).toEqual([
      'sku,external_ref\nS-3,A-2\n',
      expect.stringContaining('2 rows are skipped: 2 shipped already.'),
    ])
  })

  test('presets ls names all presets, and show prints their rules', async () => {
    const { out } = await user.run(['presets', 'ls', '--output', 'tsv', '--no-header'])
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0]),
    ).toEqual(presets.map(({ name }) => name))
    const shown = await user.run(['presets', 'show', 'card-ladder'])
    expect(shown.out).toContain(
      'cert_number\tSlab Serial #; BGS, BVG, BCCG numbers of 7 to 9 digits get leading zeros, up to 10 digits',
    )
    const skipping = await user.run(['presets', 'show', 'ebay-orders'])
    expect(skipping.out).toMatch(/^not_taken\tTracking Number is not empty \(shipped already\);/m)
    expect(await user.run(['presets', 'show', 'nope'])).toMatchObject({ code: 4 })
  })

  test('--from requires the header of the named preset', async () => {
    copyFileSync(join(folder, 'psa-order-1.csv'), join(user.home, 'named.csv'))
    const submit = ['manifests', 'submit', 'named.csv', '--dry-run', '--from']
    expect(await user.run([...submit, 'psa-order'])).toMatchObject({ code: 0 })
    const { code, err } = await user.run([...submit, 'psa-collection'])
    expect([code, err]).toEqual([
      6,
      expect.stringContaining('its header lacks Cert Number, Grade Issuer, Subject, Vault Status'),
    ])
  })

  test('a recognised export with --map is answered with the --from to add', async () => {
    copyFileSync(join(folder, 'psa-order-1.csv'), join(user.home, 'mapped.csv'))
    const submit = ['manifests', 'submit', 'mapped.csv', '--dry-run', '--map', 'Type=external_ref']
    const { code, err } = await user.run(submit)
    expect([code, err]).toEqual([6, expect.stringContaining('the export PSA finished order, and --map')])
    expect(err).toContain('Add: --from psa-order')
    expect(await user.run([...submit, '--from', 'psa-order'])).toMatchObject({ code: 0 })
  })

  test('a given --map names a column that a saved one ignores', async () => {
    writeFileSync(join(user.home, 'own.csv'), 'description,Nummer\nCard,R-1\n')
    const submit = ['manifests', 'submit', 'own.csv', '--dry-run', '--output', 'csv']
    await user.run([...submit, '--ignore-columns', 'Nummer', '--save-map', 'own'])
    const { err, out } = await user.run([...submit, '--map', '@own', '--map', 'Nummer=external_ref'])
    expect([err, out]).toEqual([expect.not.stringContaining('both'), 'external_ref,description\nR-1,Card\n'])
  })
})
