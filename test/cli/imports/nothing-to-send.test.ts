import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { cliUser, forAllTests } from '../../support/each.ts'
import { workbookOf } from '../../support/workbook.ts'

const user = forAllTests(cliUser)
let env: Record<string, string>
beforeAll(async () => {
  env = { CUSTODY_DATABASE: join(user.home, 'own.db') }
  await run('sandbox', 'reset', '--no-seed', '--yes')
})

const orders = `Name,Financial Status,Cancelled at,Lineitem quantity,Lineitem name,Lineitem sku,Shipping Name,Shipping Address1,Shipping City,Shipping Zip,Shipping Province,Shipping Country
#1,paid,2026-01-02 10:00:00,1,Item,A,Ann,1 Main St,Reno,89501,NV,US
#2,refunded,,1,Item,A,Ann,1 Main St,Reno,89501,NV,US
`
const products = 'Title,URL handle,Vendor,SKU,Weight value (grams)\nBox,box,Shop,,9\n'
const sizes = ['length', 'width', 'height'].map((name) => ` --set ${name}=1`).join('')
const pricing = 'TCGplayer Id,Product Line,Set Name,Product Name,TCG Market Price,Total Quantity'
const scanned = `${pricing},Add to Quantity,Product ID,Printing\n1,Magic,Set,Card,2.00,3,0,7,Foil\n`
const own = 'sku,quantity,recipient_name,street,city,state,zip,country\n'

const cases = [
  ['orders', 'fulfillments import', orders, { cancelled: 1, refunded: 1 }, 'Nothing to order.'],
  [
    'products',
    `products import --set dimension_unit=in${sizes}`,
    products,
    { 'without a SKU': 1 },
    'Nothing to import.',
  ],
  ['cards', 'manifests submit --reference R-1', scanned, { 'of quantity 0': 1 }, 'Nothing to submit.'],
  ['all-or-none', 'manifests submit --strict --reference R-1', scanned, { 'of quantity 0': 1 }, 'Nothing'],
] as const

describe.each(cases)('a file of which every row is skipped: %s', (name, command, text, skipped, nothing) => {
  const file = `${name}.csv`
  const [noun, verb, ...flags] = command.split(' ') as [string, string, ...string[]]
  const args = [noun, verb, file, ...flags]

  test('ends with 0, says so, and sends nothing', async () => {
    writeFileSync(join(user.home, file), text)
    const { code, err } = await run(...args)
    expect([code, err]).toEqual([0, expect.stringContaining(nothing)])
    for (const [why, count] of Object.entries(skipped)) expect(err).toContain(`${count} ${why}`)
    expect(JSON.parse((await run('manifests', 'ls', '--json')).out)).toEqual([])
  })

  test('names the reasons in JSON, also in a dry run', async () => {
    writeFileSync(join(user.home, file), text)
    const sent = await run(...args, '--json')
    const { totals } = JSON.parse(sent.out)
    expect([sent.code, JSON.parse(sent.out)]).toEqual([0, expect.objectContaining({ skipped, errors: [] })])
    expect(totals).toMatchObject({ created: 0, failed: 0, submitted: 0 })
    const dry = await run(...args, '--dry-run', '--json')
    expect([dry.code, JSON.parse(dry.out)]).toMatchObject([0, { rows: 0, good: 0, bad: 0, skipped }])
  })
})

test('a workbook whose hidden rows are skipped may have no others', async () => {
  const row = ['A', '1', 'Ann', '1 Main St', 'Reno', 'NV', '89501', 'US']
  const rows = [own.trim().split(','), row]
  writeFileSync(join(user.home, 'filtered.xlsx'), workbookOf(rows, [], [2]))
  const { code, out } = await run('fulfillments', 'import', 'filtered.xlsx', '--hidden', 'skip', '--json')
  expect([code, JSON.parse(out)]).toMatchObject([0, { totals: { submitted: 0 }, skipped: { hidden: 1 } }])
})

test.each([
  ['a header alone', own, 'fulfillments import'],
  ['empty rows', `${own},,,,,,,\n,,,,,,,\n`, 'fulfillments import'],
  ['a header of a shop alone', orders.split('\n').slice(0, 1).join('\n'), 'fulfillments import'],
  ['a header of arrivals alone', 'grader,grade,cert_number\n', 'warehouse intake'],
  ['a header of arrivals below a title', 'Tuesday\ngrader,grade,cert_number\n', 'warehouse intake'],
])('a file that never had a row is an error: %s', async (_, text, command) => {
  writeFileSync(join(user.home, 'none.csv'), text)
  const { code, err } = await run(...command.split(' '), 'none.csv')
  expect([code, err]).toEqual([6, expect.stringContaining('none.csv has no data row')])
})

function run(...args: string[]) {
  return user.run(args, { env })
}
