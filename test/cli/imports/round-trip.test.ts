import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { cliUser, forAllTests } from '../../support/each.ts'

/** A text, and its cell in a file from which no spreadsheet runs a formula. */
const cells: ReadonlyArray<readonly [string, string]> = [
  ['@home', "'@home"],
  ["'@home", "''@home"],
  ['=1+1', "'=1+1"],
  ["''=1+1", "'''=1+1"],
  ['-5', "'-5"],
  ['+49 30', "'+49 30"],
  ['\uff1d1', "'\uff1d1"],
  ["'x", "'x"],
  ["''x", "''x"],
  ["'", "'"],
  ['say "hi"', 'say "hi"'],
  ['two\nlines', 'two\nlines'],
  ['two\n=lines', "two\n'=lines"],
  ['two\r\n-lines', "two\r\n'-lines"],
  ['a;b', 'a;b'],
  ["a;=b,'-c", "a;'=b,''-c"],
  ["'=a;=b", "''=a;'=b"],
  ['a\tb', 'a\tb'],
  ['a\t+b', "a\t'+b"],
  ['a\ufeffb', 'a\ufeffb'],
  ['a,\ufeff=b', 'a,\ufeff=b'],
  ['1,5', '1,5'],
]

/** How `custody config set excel` makes custody write CSV. */
const forms = { commas: 'false', 'commas, for Excel': ',', 'semicolons, for Excel': ';' }

type Kind = {
  name: string
  header: readonly string[]
  row: (cell: string, at: number) => readonly string[]
  command: string
  /** What the command prints for rows that it sent before. */
  known: string
  /** The rows' texts in the target. */
  texts: () => Promise<string[]>
  /** A cell of each row, and a replacement that makes the row fail. */
  spoil: readonly [good: string, bad: string]
  list?: string
}

const address = ['Austin', 'TX', '73301', 'US']
const kinds: readonly Kind[] = [
  {
    name: 'products',
    header: ['sku', 'name', 'length', 'width', 'height', 'dimension_unit', 'weight', 'weight_unit'],
    row: (cell, at) => [`S-${at}`, cell, '1.5', '2', '3', 'in', '1.25', 'oz'],
    command: 'products import',
    known: `unchanged\t${cells.length}\n`,
    texts: async () => (await json('products ls --all')).map(({ name }: { name: string }) => name),
    spoil: ['oz', 'lbs'],
    list: 'products ls --all',
  },
  {
    name: 'orders',
    header: [
      'sku',
      'quantity',
      'recipient_name',
      'city',
      'state',
      'zip',
      'country',
      'external_ref',
      'street',
    ],
    row: (cell, at) => ['S-0', '1', cell, ...address, `R-${at}`, cell],
    command: 'fulfillments import',
    known: `already_ordered\t${cells.length}\n`,
    texts: async () => {
      const orders: Array<{ shipping_address: { street: string } }> = await json('fulfillments ls --all')
      return orders.map(({ shipping_address }) => shipping_address.street)
    },
    spoil: ['73301', '7330'],
  },
  {
    name: 'lines of a manifest',
    header: ['external_ref', 'description', 'quantity'],
    row: (cell, at) => [`R-${at}`, cell, '7'],
    command: 'manifests submit --reference PO-1',
    known: `line_count\t${cells.length}\n`,
    texts: async () => {
      const { lines }: { lines: Array<{ description: string }> } = await json('manifests show PO-1')
      return lines.map(({ description }) => description)
    },
    spoil: ['7', 'seven'],
    list: 'manifests show PO-1 --columns sku,quantity,external_ref,description',
  },
]

const user = forAllTests(cliUser)
beforeAll(async () => {
  write('given.csv', given(kinds[0] as Kind))
  await run('products import given.csv --no-seed')
  write('stock.csv', `sku,quantity\nS-0,${cells.length}\n`)
  await run('warehouse intake stock.csv')
  const items: Array<{ qid: string }> = await json('items ls --all')
  await run(`sandbox advance ${items.map(({ qid }) => qid).join(' ')} --to available`)
})

test.each(kinds)('$name are read back unchanged from every form in which they are written', async (kind) => {
  const { command, known, texts, spoil, list } = kind
  write('given.csv', given(kind))
  expect(await run(`${command} given.csv`)).toMatchObject({ code: 0 })
  expect((await texts()).sort()).toEqual(cells.map(([text]) => text).sort())
  for (const [form, excel] of Object.entries(forms)) {
    await user.run(['config', 'set', 'excel', excel])
    const of = command.startsWith('fulfillments') ? ' --offline' : ''
    write('dry.csv', (await run(`${command} given.csv --dry-run${of} --output csv`)).out)
    if (list !== undefined) write('list.csv', (await run(`${list} --output csv`)).out)
    // Failed rows of a file of failed rows, where anything added to a cell would be added twice.
    write('bad.csv', swapped(read('dry.csv'), spoil))
    for (const file of ['once.csv', 'failed.csv']) {
      expect((await run(`${command} bad.csv --errors bad.errors.csv`)).code).toBe(6)
      write(file, swapped(read('bad.errors.csv'), spoil.toReversed()))
      renameSync(join(user.home, 'bad.errors.csv'), join(user.home, 'bad.csv'))
    }
    for (const file of ['dry.csv', 'failed.csv', ...(list === undefined ? [] : ['list.csv'])]) {
      const again = await run(`${command} ${file}`)
      expect([form, file, again.code, again.out]).toEqual([form, file, 0, expect.stringContaining(known)])
    }
  }
})

test('certificates and names of slabs are read back from lists', async () => {
  const slabs = cells.map(([, cell], at) => `PSA,10,${23456701 + at},"${cell.replaceAll('"', '""')}"\n`)
  write('slabs.csv', `grader,grade,cert_number,name\n${slabs.join('')}`)
  expect(await run('warehouse intake slabs.csv --delivery D-1')).toMatchObject({ code: 0 })
  write('codes.csv', `code\n${cells.map(([, cell]) => `"${cell.replaceAll('"', '""')}"\n`).join('')}`)
  const answers = async (args: string): Promise<Array<{ given: string; answer: string }>> => json(args)
  for (const [form, excel] of Object.entries(forms)) {
    await user.run(['config', 'set', 'excel', excel])
    write('found.csv', (await run('items find codes.csv --column code --output csv')).out)
    const again = await answers('items find found.csv --column given')
    expect([form, again.map(({ given }) => given)]).toEqual([form, cells.map(([text]) => text)])
    const list = 'items ls --grader PSA --all --columns grader,grade,cert_number,name'
    write('list.csv', (await run(`${list} --output csv`)).out)
    const held = await answers('items find list.csv')
    expect([form, held.map(({ answer }) => answer)]).toEqual([form, cells.map(() => 'held')])
    const other = ['--database', `other-${Object.keys(forms).indexOf(form)}.db`]
    await user.run(['sandbox', 'reset', '--no-seed', '--yes', ...other])
    const { out } = await user.run(['warehouse', 'intake', 'list.csv', '--json', ...other])
    const names = JSON.parse(out).map(({ item }: { item: { name: string } }) => item.name)
    expect([form, names.sort()]).toEqual([form, cells.map(([text]) => text).sort()])
  }
})

/** The text with a whole cell changed in each row. */
function swapped(text: string, [from, to]: readonly string[]): string {
  return text.replaceAll(new RegExp(`([,;])${from}(?=[,;\n])`, 'g'), `$1${to}`)
}

const run = (args: string) => user.run([...args.split(' '), '--database', 'own.db'])
const json = async (args: string) => JSON.parse((await run(`${args} --json`)).out)
const write = (name: string, text: string) => writeFileSync(join(user.home, name), text)
const read = (name: string) => readFileSync(join(user.home, name), 'utf8')
const given = ({ header, row }: Kind) => {
  const rows = cells.map(([, cell], at) => row(cell, at).map((text) => `"${text.replaceAll('"', '""')}"`))
  return [header, ...rows].map((row) => `${row}\n`).join('')
}
