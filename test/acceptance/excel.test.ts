import { closeSync, openSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { forEachTest } from '../support/each.ts'
import { operatorWith } from '../support/operator.ts'

const operator = forEachTest(operatorWith())

const german = { LANG: 'de_DE.UTF-8' }

test('an exported catalog imports again unchanged, also as --excel writes it', async () => {
  const odd =
    '"=-Holo; ""x"", y",@H-1,,7.7,6.9,3.6,in,36.25,oz,\n"\'+1 box",H-2,012345678905,1,1,1,cm,1000.5,g,\n'
  const header = 'name,sku,upc,length,width,height,dimension_unit,weight,weight_unit,image_url\n'
  await operator.run(['products', 'import', operator.write('odd.csv', header + odd)])
  const list = ['products', 'ls', '--all', '--output', 'csv']
  const plain = await operator.run(list)
  const excel = await operator.run([...list, '--excel'], { env: german })
  expect(plain.stdout).toMatch(/^sku,name,upc,length,.*\n.*,(1|7\.7),/)
  expect(excel.stdout).toMatch(/^\ufeffsku;name;upc;length;.*\n/)
  expect(excel.stdout).toContain(`'@H-1;"'=-Holo; ""x"", y";;7,7;6,9;3,6;in;36,25;oz;`)
  for (const [name, { stdout }] of Object.entries({ plain, excel })) {
    const count = stdout.trim().split('\n').length - 1
    const again = await operator.json(['products', 'import', operator.write(`${name}.csv`, stdout)])
    expect(again).toMatchObject({ totals: { created: 0, failed: 0, submitted: count, unchanged: count } })
  }
})

test("failed rows are written for Excel, with the file's own separator", async () => {
  const rows = 'Title;SKU;length;width;height;dimension_unit;weight;weight_unit\nBox;B-1;1,5;1;1;in;x;oz\n'
  const semicolons = operator.write('rows.csv', rows)
  await operator.run(['products', 'import', semicolons])
  expect(operator.read('rows.csv.errors.csv')).toMatch(/^\ufeffTitle;SKU;.*;error_message\nBox;B-1;1,5;/)
  const commas = operator.write('commas.csv', rows.replace('1,5', '1.5').replaceAll(';', ','))
  await operator.run(['products', 'import', commas, '--excel'], { env: german })
  expect(operator.read('commas.csv.errors.csv')).toMatch(/^\ufeffTitle;SKU;.*;error_message\nBox;B-1;1\.5;/)
})

test('the configuration writes all CSV for Excel, with its separator', async () => {
  const place = operator.path('config/custody')
  await operator.run(['init', '--name', 'here', '--database', operator.database])
  const config = JSON.parse(operator.read('config/custody/config.json'))
  const save = (excel: unknown) =>
    writeFileSync(`${place}/config.json`, JSON.stringify({ ...config, excel }), { mode: 0o600 })
  save(';')
  const report = ['manifests', 'report', 'PO-1043']
  await operator.run([...report, '--csv', 'r.csv'])
  expect(operator.read('r.csv')).toMatch(/^\ufeff[a-z_]+;[a-z_]+;/)
  // Another change of the configuration keeps it.
  await operator.run(['profiles', 'use', 'here'])
  expect((await operator.run([...report, '--output', 'csv'])).stdout).toMatch(/^\ufeff[a-z_]+;[a-z_]+;/)
  save('tab')
  const wrong = await operator.run([...report, '--output', 'csv'])
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('excel must be')])
})

test('a stream of events has the byte order mark only at its start', async () => {
  await operator.run(['sandbox', 'receive', 'BS-2031'])
  const tail = ['events', 'tail', '--cursor-file', 'c', '--limit', '2', '--output', 'csv', '--excel']
  const first = await operator.run(tail, { env: german })
  expect(first.stdout).toMatch(/^\ufeff\w+;\w+;/)
  await operator.run(['sandbox', 'receive', 'BS-2032'])
  const next = await operator.run(tail, { env: german })
  expect(next.stdout).toMatch(/^\w+;\w+;/)
})

test('events appended to a file have one header and mark at its start, and again in a new file', async () => {
  const tail = (place: string, ...more: string[]) => {
    const fd = openSync(operator.path(place), 'a')
    const into: object = { stdio: ['ignore', fd, 'ignore'], env: german }
    const args = ['events', 'tail', '--cursor-file', 'd', '--limit', '2', '--output', 'csv', ...more]
    return operator.start(args, into).finally(() => closeSync(fd))
  }
  for (const manifest of ['PO-1042', 'PO-1043', 'PO-1044']) {
    await operator.run(['sandbox', 'receive', manifest])
    await tail(manifest === 'PO-1044' ? 'new.csv' : 'all.csv', '--excel')
  }
  const heads = ['all.csv', 'new.csv'].map((file) => operator.read(file).match(/^\ufeff?created_at;/gm))
  expect(heads).toEqual([['\ufeffcreated_at;'], ['\ufeffcreated_at;']])
})

test('output other than CSV ignores the Excel setting', async () => {
  for (const more of [[], ['--output', 'json']]) {
    const { exitCode, stderr } = await operator.run(['items', 'ls', '--excel', ...more])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--excel is for CSV')])
  }
})
