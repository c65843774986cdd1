import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Product } from '../../../src/contract/resources/product.ts'
import type { CliRun } from '../../support/cli-io.ts'
import { cliUser, forAllTests } from '../../support/each.ts'

const header = 'name,sku,upc,length,width,height,dimension_unit,weight,weight_unit,Item No'
const row = (sku: string, theirs: string): string => `Box,${sku},,1,1,1,in,1,oz,${theirs}`

const user = forAllTests(cliUser)

test('an ignored known column is not sent, and another column may replace it', async () => {
  const taken = await importing(
    [row('THEIRS', 'A-1'), row('THEIRS', 'A-2')],
    [...['--map', 'Item No=sku', '--ignore-columns', 'sku,upc']],
  )
  expect([taken.code, taken.err]).toEqual([0, expect.not.stringContaining('failed')])
  const { out } = await run(['products', 'ls', '--json'])
  expect((JSON.parse(out) as Product[]).map(({ sku, upc }) => [sku, upc]).sort()).toEqual([
    ['A-1', null],
    ['A-2', null],
  ])
})

test('an ignored required column is missing, and nothing is sent', async () => {
  const { code, err } = await importing([row('S', 'I')], ['--ignore-columns', 'sku,item no'])
  expect([code, err]).toEqual([6, expect.stringContaining('lacks the required column sku')])
})

test('a formula in a failed row is guarded for spreadsheets, and plain text again after import', async () => {
  const bad = row('F-1', '-9').replace('Box', '=HYPERLINK("x")').replace(',oz,', ',stone,')
  const failed = await importing(
    [bad.replace('=HYPERLINK("x")', '"=HYPERLINK(""x"")"')],
    ['--ignore-columns', 'item no'],
  )
  const file = join(user.home, 'theirs.csv.errors.csv')
  const text = readFileSync(file, 'utf8')
  expect([failed.code, text]).toEqual([
    6,
    expect.stringContaining(`"'=HYPERLINK(""x"")",F-1,,1,1,1,in,1,stone,'-9,1`),
  ])
  writeFileSync(file, text.replace('stone', 'oz'))
  const again = await run(['products', 'import', 'theirs.csv.errors.csv', '--ignore-columns', 'item no'])
  const { out } = await run(['products', 'ls', '--json'])
  const names = (JSON.parse(out) as Product[]).map(({ name }) => name)
  expect([again.code, names]).toEqual([0, expect.arrayContaining(['=HYPERLINK("x")'])])
})

test('a column # of row numbers is left out', async () => {
  writeFileSync(join(user.home, 'buys.csv'), '#,Item,Qty\n1,Box,2\n')
  const { code, out } = await run(['manifests', 'submit', 'buys.csv', '--dry-run', '--offline'])
  expect([code, out]).toEqual([0, expect.stringContaining('good\t1')])
})

test('a column of --column that the file lacks is answered with its columns', async () => {
  writeFileSync(join(user.home, 'slabs.csv'), 'Cert,Note\n48201934,\n')
  const { code, err } = await run(['items', 'find', 'slabs.csv', '--column', 'A=x'])
  expect([code, err]).toEqual([2, expect.stringContaining('Its columns are Cert, Note.')])
})

function importing(rows: readonly string[], flags: readonly string[]): Promise<CliRun> {
  writeFileSync(join(user.home, 'theirs.csv'), [header, ...rows, ''].join('\n'))
  return run(['products', 'import', 'theirs.csv', ...flags])
}

function run(args: readonly string[]): Promise<CliRun> {
  return user.run([...args, '--no-seed', '--database', 'own.db'])
}

test.each([
  ['manifests submit', 'external_ref,description,sku,grader,cert_number,quantity'],
  ['products import', 'name,sku,length,width,height,dimension_unit,weight,weight_unit'],
  ['fulfillments import', 'sku,quantity,Recipient_Name,street,city,state,zip,country,error_row'],
])('a file for %s names it in every other command', async (right, header) => {
  writeFileSync(join(user.home, 'given.csv'), `${header}\nA\n`)
  const commands = ['manifests submit', 'products import', 'fulfillments import']
  const others = commands.filter((each) => each !== right)
  for (const command of others) {
    const { code, err } = await user.run([...command.split(' '), 'given.csv', '--dry-run'])
    expect([code, err]).toEqual([6, expect.stringContaining(`Use: custody ${right} given.csv`)])
  }
})

test('a mapped file of another import is answered with the column that it still lacks', async () => {
  writeFileSync(join(user.home, 'given.csv'), 'description,sku,quantity\nBox,S-1,2\n')
  const sizes = ['length', 'width', 'height', 'weight'].flatMap((name) => ['--set', `${name}=1`])
  const flags = ['--map', 'description=name', '--ignore-columns', 'quantity', '--set', 'dimension_unit=in']
  const { code, err } = await run(['products', 'import', 'given.csv', ...flags, ...sizes])
  expect([code, err]).toEqual([6, expect.stringContaining('lacks the required column weight_unit')])
})
