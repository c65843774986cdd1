import { beforeEach, describe, expect, test } from 'vitest'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import { forEachTest } from '../support/each.ts'
import { newOperator, type Operator, operatorWith } from '../support/operator.ts'

const columns = [
  'Name',
  'Financial Status',
  'Fulfillment Status',
  'Lineitem quantity',
  'Lineitem name',
  'Lineitem sku',
  'Shipping Name',
  'Shipping Address1',
  'Shipping City',
  'Shipping Zip',
  'Shipping Province',
  'Shipping Country',
]
const operator = forEachTest(operatorWith('empty'))

describe('orders of a shop', () => {
  test('are one parcel each, under their own number; --ship-by row ships each row', async () => {
    write(line('#1', 'A'), line('#1', 'B'), line('#1', 'A'), line('#2', 'A'))
    const { exitCode, stderr, stdout } = await dryRun('-o', 'csv')
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringContaining('The import would order 4 rows of 2 orders in 2 parcels.'),
    ])
    expect(stdout).toMatch(/,#1\n.*,#1\n.*,#1\n.*,#2\n$/)
    const byRow = await dryRun('--ship-by', 'row', '--combine')
    expect(byRow.stderr).toContain('The import would order 4 rows in 3 parcels.')
  })

  test('fail as a whole if their rows are apart or have different addresses', async () => {
    write(
      line('#1', 'A'),
      line('#2', 'A'),
      line('#1', 'B'),
      line('#3', 'A'),
      line('#3', 'B', { city: 'Salem' }),
    )
    const { exitCode, stderr, stdout } = await dryRun()
    expect([exitCode, stdout]).toEqual([9, expect.stringContaining('bad\t4\n')])
    expect(stderr).toContain('row 1, line 2  Name "#1" is also in row 3, line 4, apart from this one')
    expect(stderr).toMatch(
      /The rows of order "#3" have different addresses .*, or, if none was ordered, give/,
    )
    write('#1,,,1,Item,A,,,,,,', line('#2', 'A'), line('#1', 'B'))
    const completed = await dryRun()
    const advice = 'Financial Status is empty. Fill it in, or put the rows of this order together.'
    expect([completed.exitCode, completed.stderr]).toEqual([9, expect.stringContaining(advice)])
  })

  test('fail and say what to do if they are too large for one parcel', async () => {
    const many = Array.from({ length: 101 }, (_, at) => line('#2', `B-${at}`))
    write(...['A', 'B'].map((sku) => line('#1', sku).replace(',1,Item', ',501,Item')), ...many)
    const { stderr } = await dryRun('--offline')
    expect(stderr).toContain('Lineitem quantity must come to at most 1000 in one order, not 1002.')
    expect(stderr).toContain(
      '101 different items, and a parcel takes 100: give the others another reference.',
    )
  })

  test('take status and address from the row that has them, also if a sorted file has it below another', async () => {
    const below = (order: string) => `${order},,,1,Item,A,,,,,,`
    write(below('#1'), line('#1', 'B'), below('#2'), line('#2', 'B', { paid: 'refunded' }))
    const { exitCode, stderr } = await dryRun()
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('2 rows of 1 order in 1 parcel.')])
    expect(stderr).toContain('2 rows are skipped: 2 refunded.')
  })

  test('name the column and the rows of the file in JSON too', async () => {
    const order = (sku: string) => line('#1', sku)
    write(line('#0', 'A', { fulfilled: 'fulfilled' }), order('A'), line('#2', 'A'), order('B'), order('C'))
    const { stdout } = await dryRun('--json')
    const { errors } = JSON.parse(stdout) as { errors: object[] }
    const why = 'apart from this one: put the rows of an order together'
    expect(errors).toMatchObject([
      {
        ...{ row: 2, line: 3, message: `Name "#1" is also in rows 4 and 5, ${why}.` },
        fields: { external_ref: [`"#1" is also in rows 4 and 5, ${why}`] },
      },
      { row: 4, line: 5, fields: { external_ref: [`"#1" is also in row 2, line 3, ${why}`] } },
      { row: 5 },
    ])
  })

  test('are not among the parcels of the dry run if the target rejects them', async () => {
    write(line('#1', 'A'), line('#1', 'B'), line('#2', 'A'))
    const { exitCode, stderr, stdout } = await operator.run([
      ...['fulfillments', 'import', 'shop.csv', '--dry-run'],
    ])
    expect([exitCode, stderr]).toEqual([9, expect.stringContaining('The import would order nothing.')])
    expect(stdout).toContain('bad\t3\nparcels\t0\n')
  })

  test('fail as a whole if one row is bad, and all their rows are in the file of failed rows', async () => {
    write(line('#1', 'A'), line('#1', ''), line('#2', 'A'), line('#2', 'B'))
    const { exitCode } = await operator.run(['fulfillments', 'import', 'shop.csv'])
    expect(exitCode).toBe(9)
    const failed = operator.read('shop.csv.errors.csv')
    expect(failed.match(/^#1,/gm)).toHaveLength(2)
    // Neither is in stock, so the service rejects the whole order.
    expect(failed.match(/^#2,/gm)).toHaveLength(2)
    expect(failed).toContain('Not ordered, because of row 2, line 3 of the same order.')
  })

  test.each([
    ['pending', ''],
    ['partially_refunded', ''],
    ['expired', ''],
    ['paid', 'partial'],
    ['paid', 'restocked'],
  ])(
    'fail and name the status if they are %s and "%s"; --ship-status accepts it',
    async (paid, fulfilled) => {
      write(line('#1', 'A', { paid, fulfilled }), line('#2', 'A'))
      const word = fulfilled || paid
      const { exitCode, stderr } = await dryRun()
      expect([exitCode, stderr]).toEqual([
        9,
        expect.stringMatching(`Status is "${word}"\\. .*--ship-status ${word}`),
      ])
      expect((await dryRun('--ship-status', word)).exitCode).toBe(0)
    },
  )

  test('two unclear statuses are both named', async () => {
    write(line('#1', 'A', { paid: 'pending', fulfilled: 'partial' }))
    const { stderr } = await dryRun()
    expect(stderr).toMatch(/--ship-status pending; Fulfillment Status is "partial"\. .*--ship-status partial/)
    const both = ['--ship-status', 'pending', '--ship-status', 'partial']
    expect((await dryRun(...both)).exitCode).toBe(0)
  })

  test('the city is the state in a country without states; custom files are told to write it', async () => {
    write(line('#1', 'A', { city: 'Berlin', state: '', country: 'Germany' }))
    expect((await dryRun('-o', 'csv')).stdout).toContain(',Berlin,Berlin,10001,DE,')
    const own =
      'sku,quantity,recipient_name,street,city,state,zip,country\nA,1,Ann,1 Main St,Berlin,,10115,DE\n'
    operator.write('own.csv', own)
    const { stderr } = await operator.run(['fulfillments', 'import', 'own.csv', '--dry-run'])
    expect(stderr).toContain('state is required; Germany has none: --set state=-.')
  })

  test('an eBay order without a payment date is unpaid', async () => {
    const head =
      'Sales Record Number,Order Number,Item Number,Custom Label,Quantity,Ship To Name,Ship To Address 1'
    const rest = 'Ship To City,Ship To State,Ship To Zip,Ship To Country,Paid On Date'
    const row = (no: string, date: string) => `${no},${no},9,A,1,Ann,1 Main St,Austin,TX,73301,US,${date}`
    operator.write('shop.csv', `${head},${rest}\n${row('1', '')}\n${row('2', 'Nov-1-26')}\n`)
    const { exitCode, stderr } = await dryRun()
    expect([exitCode, stderr]).toEqual([9, expect.stringContaining('--ship-status unpaid')])
    expect((await dryRun('--ship-status', 'unpaid')).exitCode).toBe(0)
  })
})

describe('orders that are sent row by row before or after being sent as one parcel', () => {
  const [plenty, other] = ['SUP-OT-35', 'TOP-CHR-24-HOB']
  const byRow = ['--ship-by', 'row']
  const send = (...flags: string[]) => shop.here(['fulfillments', 'import', 'shop.csv', ...flags])
  const placed = () => shop.look<Fulfillment[]>(['fulfillments', 'ls', '--external-ref', '#1'])
  let shop: Operator

  beforeEach(async () => {
    shop = await newOperator('seeded')
    shop.write('shop.csv', [columns.join(','), line('#1', plenty), line('#1', other), ''].join('\n'))
    return () => shop.leave()
  })

  test.each([
    [2, byRow, []],
    [1, [], byRow],
  ])('are ordered once, in %i parcels; the import says where', async (parcels, first, then) => {
    expect((await send(...first)).exitCode).toBe(0)
    for (const [flags, said] of [
      [['--dry-run'], '2 rows were ordered before.'],
      [[], 'Nothing new: 2 rows were imported before.'],
      [[], 'Nothing new: 2 rows were imported before.'],
    ] as const) {
      const { exitCode, stderr } = await send(...then, ...flags)
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining(said)])
      const where = "1 order was ordered before in several parcels. See: custody fulfillments show '#1'"
      expect(stderr.includes(where)).toBe(parcels === 2)
    }
    expect(await placed()).toHaveLength(parcels)
  })

  test('fail and name each SKU that is out of stock, as rows do, in the dry run too', async () => {
    const [none, noneEither] = ['BOW-CHR-24-HOB', 'PKM-PRE-BUN']
    shop.write('shop.csv', [columns.join(','), line('#1', none), line('#1', noneEither), ''].join('\n'))
    const lack = (sku: string) =>
      `Lineitem sku "${sku}" has too few available items (requested 1, available 0)`
    for (const flags of [['--dry-run'], []]) {
      const { exitCode, stderr } = await send(...flags)
      expect(exitCode).toBe(9)
      expect(stderr).toContain(`rows 1 and 2  ${lack(none)}; ${lack(noneEither)}`)
    }
  })

  test('fail once a parcel was cancelled, and name what is ordered; row by row, only its row fails', async () => {
    await send(...byRow)
    expect((await send()).exitCode).toBe(0)
    const [newest, oldest] = await placed()
    await shop.here(['fulfillments', 'cancel', newest?.id ?? '', '--yes'])
    const { exitCode, stdout, stderr } = await send()
    expect([exitCode, stdout]).toEqual([9, expect.stringContaining('failed\t2\n')])
    expect(stderr).toContain(`used by order ${oldest?.id} of`)
    expect(stderr).toContain(`which has other items: 0 of "${other}", not 1`)
    const rows = await send(...byRow)
    expect([rows.exitCode, rows.stdout]).toEqual([
      9,
      expect.stringMatching(/failed\t1\n[\s\S]*already_ordered\t1\n/),
    ])
  })
})

test('--ship-by order groups the rows of a custom file by reference in either Unicode form', async () => {
  const head = 'external_ref,sku,quantity,recipient_name,street,city,state,zip,country'
  const items = ['W-1,A', 'W-1,B', 'É-2,A', 'É-2,A'.normalize('NFD'), ',A']
  const rows = items.map((start) => `${start},1,Ann,1 Main St,Austin,TX,73301,US`)
  operator.write('shop.csv', [head, ...rows, ''].join('\n'))
  const { exitCode, stderr } = await dryRun('--ship-by', 'order')
  expect([exitCode, stderr]).toEqual([
    9,
    expect.stringContaining('external_ref is empty: --ship-by order needs it'),
  ])
  expect(stderr).toContain('The import would order 4 rows of 2 orders in 2 parcels.')
  const status = await dryRun('--ship-status', 'pending')
  expect([status.exitCode, status.stderr]).toEqual([
    2,
    expect.stringContaining("--ship-status is for a shop's export"),
  ])
})

describe('a cell that a spreadsheet would run is read back unchanged', () => {
  const head = 'name,sku,length,width,height,dimension_unit,weight,weight_unit'

  test.each([[[]], [['--excel']]])('from --dry-run, lists and the file of failed rows %j', async (excel) => {
    const rows = (weight: string) => `"@home, =box",+A,1,1,1,in,${weight},oz\n"'@quoted",-B,1,1,1,in,1,oz\n`
    operator.write('a.csv', `${head}\n${rows('1')}`)
    const shown = await operator.run(['products', 'import', 'a.csv', '--dry-run', '-o', 'csv', ...excel])
    operator.write('b.csv', shown.stdout)
    operator.write('c.csv', `${head}\n${rows('heavy')}`)
    await operator.run(['products', 'import', 'c.csv', ...excel])
    operator.write('d.csv', operator.read('c.csv.errors.csv').replace('heavy', '1'))
    for (const file of ['b.csv', 'd.csv'])
      expect((await operator.run(['products', 'import', file])).exitCode).toBe(0)
    const listed = await operator.run(['products', 'ls', '-o', 'csv', ...excel])
    operator.write('e.csv', listed.stdout)
    const again = await operator.run(['products', 'import', 'e.csv'])
    expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining('unchanged\t2\n')])
    const names = (await operator.look<Array<{ name: string; sku: string }>>(['products', 'ls'])).map(
      ({ name, sku }) => `${sku} ${name}`,
    )
    expect(names.sort()).toEqual(['+A @home, =box', '-B @quoted'])
  })
})

type Cells = { paid?: string; fulfilled?: string; city?: string; state?: string; country?: string }

function line(order: string, sku: string, cells: Cells = {}): string {
  const { paid = 'paid', fulfilled = '', city = 'Austin', state = 'TX', country = 'US' } = cells
  return `${order},${paid},${fulfilled},1,Item,${sku},Ann,1 Main St,${city},10001,${state},${country}`
}

function write(...lines: readonly string[]): void {
  operator.write('shop.csv', [columns.join(','), ...lines, ''].join('\n'))
}

function dryRun(...flags: readonly string[]) {
  return operator.run(['fulfillments', 'import', 'shop.csv', '--dry-run', '--offline', ...flags])
}
