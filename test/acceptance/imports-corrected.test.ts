import { existsSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Product } from '../../src/contract/resources/product.ts'
import { newOperator, type Operator } from '../support/operator.ts'

const header = 'name,sku,upc,length,width,height,dimension_unit,weight,weight_unit,image_url'
let operator: Operator

beforeEach(async () => {
  operator = await newOperator('empty')
})
afterEach(() => operator.leave())

describe('a catalog that was imported before, in part', () => {
  test("yesterday's rows are unchanged, not failed; what differs is a conflict that names its fields", async () => {
    const yesterday = ['A', 'B', 'C'].map((sku) => product(sku))
    await importProducts('day.csv', yesterday)
    const one = await importProducts('day.csv', [...yesterday, product('D')])
    expect([one.exitCode, one.stdout]).toEqual([
      0,
      'created\t1\nfailed\t0\nsubmitted\t4\nunchanged\t3\nerrors_file\t\n',
    ])
    expect(existsSync(operator.path('day.csv.errors.csv'))).toBe(false)
    const changed = [
      product('A', { name: 'Box', weight: '2' }),
      product('B').replace(',1.0,', ',1,'),
      product('E'),
    ]
    const two = await importProducts('day.csv', changed, '--json')
    expect([two.exitCode, JSON.parse(two.stdout).totals]).toEqual([
      9,
      { created: 1, failed: 1, submitted: 3, unchanged: 1 },
    ])
    expect(two.stderr).toContain(
      'row 1, line 2  sku "A" is already in the catalog; name is "Box" here and "Box A" there; weight is 2 here and 1 there.',
    )
    const [row] = operator.read('day.csv.errors.csv').trimEnd().split('\n').slice(1)
    expect(row).toMatch(/^Box,A,.*,1,state_conflict,"sku ""A"" is already in the catalog; name is /)
  })

  test('of thousands of rows is compared page by page, and rows have the numbers of the file', async () => {
    const rows = Array.from({ length: 6_000 }, (_, index) => product(`S-${index}`))
    await importProducts('long.csv', rows)
    rows[5_500] = product('S-5500', { weight: '9' })
    const more = [...rows, ...Array.from({ length: 2_100 }, (_, index) => product(`T-${index}`))]
    more[8_001] = product('S-6002')
    more[6_002] = product('S-6002')
    more[8_050] = product('Z', { weight: '-1' })
    const { stdout, stderr, exitCode } = await importProducts('long.csv', more, '--json')
    const { totals, errors } = JSON.parse(stdout)
    expect([exitCode, totals]).toEqual([9, { created: 2_098, failed: 3, submitted: 8_100, unchanged: 5_999 }])
    expect(errors.map(({ row, message }: { row: number; message: string }) => [row, message])).toEqual([
      [5_501, 'sku "S-5500" is already in the catalog; weight is 9 here and 1 there.'],
      [8_002, 'sku "S-6002" is already in row 6003, line 6004.'],
      [8_051, 'weight "-1" must be a number greater than 0.'],
    ])
    expect(stderr).toContain('row 8002, line 8003  sku "S-6002" is already in row 6003, line 6004.')
    expect(operator.read('long.csv.errors.csv')).toContain('already in row 6003')
    expect((await operator.json<Product[]>(['products', 'ls', '--sku', 'S-5500']))[0]?.weight.value).toBe(1)
  })
})

function importProducts(name: string, rows: readonly string[], ...flags: string[]) {
  return operator.run([
    'products',
    'import',
    operator.write(name, [header, ...rows, ''].join('\n')),
    ...flags,
  ])
}

function product(sku: string, { name = `Box ${sku}`, weight = '1.0' } = {}): string {
  return `${name},${sku},,7,6,3,in,${weight},oz,`
}
