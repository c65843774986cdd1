import { afterEach, beforeEach, expect, test } from 'vitest'
import { newOperator, type Operator } from '../support/operator.ts'

let operator: Operator

beforeEach(async () => {
  operator = await newOperator('empty')
})
afterEach(() => operator.leave())

test('the flags that a form of file needs are kept by a name, listed, used and forgotten', async () => {
  const file = operator.write('theirs.csv', `Artikel;Item No;Preis\n=Box A;A-1;9,5\n`)
  const fit = ['--map', 'Artikel=name', '--map', 'Item No=sku', '--ignore-columns', 'preis']
  const sizes = ['length', 'width', 'height', 'weight'].flatMap((name) => ['--set', `${name}=2`])
  const units = ['--set', 'dimension_unit=in', '--set', 'weight_unit=oz']
  const flags = [...fit, ...sizes, ...units, '--save-map', 'northgate', '--dry-run']
  const refused = await operator.run(['products', 'import', file, ...flags.slice(2)])
  expect([refused.exitCode, refused.stderr]).toEqual([6, expect.not.stringContaining('Kept')])
  const kept = await operator.run(['products', 'import', file, ...flags])
  expect([kept.exitCode, kept.stderr]).toEqual([0, expect.stringContaining('--map @northgate')])

  const { stdout } = await operator.run(['presets', 'ls'])
  expect(stdout).toContain(`@northgate\t--map Artikel=name --map 'Item No=sku' --ignore-columns preis --set`)
  const sent = await operator.run(['products', 'import', file, '--map', '@northgate', '--set', 'weight=3'])
  expect([sent.exitCode, sent.stdout.split('\n')[0]]).toEqual([0, 'created\t1'])
  expect(await operator.json(['products', 'show', 'A-1'])).toMatchObject({
    name: '=Box A',
    weight: { value: 3 },
  })

  const wrong = await operator.run(['products', 'import', file, '--map', '@nortgate'])
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('Did you mean @northgate?')])
  await operator.run(['presets', 'rm', '@northgate'])
  const gone = await operator.run(['products', 'import', file, '--map', '@northgate'])
  expect([gone.exitCode, gone.stderr]).toEqual([2, expect.stringContaining('--save-map')])
})
