import { afterEach, beforeEach, expect, test } from 'vitest'
import { newOperator, type Operator } from '../support/operator.ts'

const header =
  'Name,Financial Status,Lineitem quantity,Lineitem name,Lineitem sku,Shipping Name,Shipping Address1,Shipping City,Shipping Zip,Shipping Province,Shipping Country'
const address = 'Ann Lee,1 Main St,Austin,73301,TX,US'
let operator: Operator

beforeEach(async () => {
  operator = await newOperator('empty')
})
afterEach(() => operator.leave())

test('a line of an order that failed keeps its reference when it is imported from the errors file alone', async () => {
  const lines = ['BOX', 'SLV-R'].map((sku) => `#1001,paid,1,Item ${sku},${sku},${address}`)
  operator.write('orders.csv', `${[header, ...lines].join('\n')}\n`)
  const first = await operator.run(['fulfillments', 'import', 'orders.csv'])
  expect([first.exitCode, first.stderr]).toEqual([9, expect.stringContaining('Recognised: Shopify orders')])

  const [names = '', , failed = ''] = operator.read('orders.csv.errors.csv').split('\n')
  expect(names).toContain(',external_ref,error_row,')
  operator.write('one.csv', `${names}\n${failed}\n`)
  const args = ['fulfillments', 'import', 'one.csv', '--dry-run', '--output', 'csv']
  const { exitCode, stdout } = await operator.run(args)
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/\nSLV-R,1,.*,#1001\/SLV-R\n$/)])
})
