import { expect, test } from 'vitest'
import { forEachTest } from '../support/each.ts'
import { operatorWith } from '../support/operator.ts'
import { type Cell, workbookOf } from '../support/workbook.ts'

const operator = forEachTest(operatorWith('empty'))

test('saved maps are stored by name, listed, shown, applied, and deleted', async () => {
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
  for (const name of ['@northgate', 'northgate'])
    expect((await operator.run(['presets', 'show', name])).stdout).toContain('--map Artikel=name')
  const mistyped = await operator.run(['presets', 'show', 'nortgate'])
  expect([mistyped.exitCode, mistyped.stderr]).toEqual([
    4,
    expect.stringContaining('Did you mean @northgate?'),
  ])
  await operator.run(['presets', 'rm', '@northgate'])
  const gone = await operator.run(['products', 'import', file, '--map', '@northgate'])
  expect([gone.exitCode, gone.stderr]).toEqual([2, expect.stringContaining('--save-map')])
})

test('a workbook is checked, imported, resumed, and corrected like a CSV file', async () => {
  const header = [
    'Title',
    'SKU',
    'length',
    'width',
    'height',
    'dimension_unit',
    'weight',
    'weight_unit',
    'EAN',
  ]
  const box = (sku: string, weight: Cell): Cell[] => [
    `Box ${sku}`,
    sku,
    1.5,
    2,
    3,
    'in',
    weight,
    'oz',
    850019432626,
  ]
  const write = (...rows: Cell[][]) => operator.write('catalog.xlsx', workbookOf([header, ...rows]))
  const load = ['products', 'import', write(box('A', 12), [], box('B', 'heavy'), box('C', 1000.25))]

  const trial = await operator.run([...load, '--dry-run', '--output', 'csv'])
  // Prints what it would send, and no faults.
  expect(trial.stdout).toContain('Box A,A,850019432626,1.5,2,3,in,12,oz\n')
  expect(trial.stdout).not.toContain('Box B')
  expect([trial.exitCode, trial.stderr]).toEqual([
    9,
    expect.stringContaining('row 2, line 4  weight "heavy"'),
  ])
  const sent = await operator.run(load)
  expect([sent.exitCode, sent.stdout.split('\n')[0]]).toEqual([9, 'created\t2'])
  const again = await operator.run([...load, '--resume'])
  expect([again.exitCode, again.stdout]).toEqual([9, expect.stringContaining('unchanged\t2\n')])

  const failed = operator.read('catalog.xlsx.errors.csv')
  expect(failed).toMatch(/^\ufeffTitle,SKU,.*,EAN,error_row,.*\nBox B,B,1.5,2,3,in,heavy,oz,850019432626,2,/)
  const fixed = operator.write('fixed.csv', failed.replace(',heavy,', ',9,'))
  expect((await operator.run(['products', 'import', fixed])).exitCode).toBe(0)

  write(box('A', 12), box('B', 9), box('D', 1))
  expect(await operator.json(load)).toMatchObject({ totals: { created: 1, failed: 0, unchanged: 2 } })
})

test('a file in another form may have any size', async () => {
  const rows = Array.from({ length: 6000 }, (_, n) => `Box ${n};B-${n};1,5;1;1;in;1;oz\n`)
  const file = operator.write(
    'large.csv',
    `Title;SKU;length;width;height;dimension_unit;weight;weight_unit\n${rows.join('')}`,
  )
  const { exitCode, stdout, stderr } = await operator.run(['products', 'import', file])
  expect([exitCode, stdout.split('\n')[0], stderr]).toEqual([0, 'created\t6000', expect.any(String)])
})
