import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { resourceFields } from '../../../src/cli/base/schema-fields.ts'
import type { Load, LoneCommand, Noun } from '../../../src/cli/command.ts'
import type { View } from '../../../src/cli/output/columns.ts'
import { nouns } from '../../../src/cli/program/commands.ts'
import type { OperationId } from '../../../src/contract/operations.ts'
import type { Fulfillment } from '../../../src/contract/resources/fulfillment.ts'
import type { Item } from '../../../src/contract/resources/item.ts'
import { cliUser, forAllTests } from '../../support/each.ts'

type Named = { words: string[]; file: LoneCommand }

/** Every command whose output has columns, from the program's own definition. */
const commands = await commandsOf([], nouns)
const noColumn = /there is no column .{1,2}nmae/
const hook = 'https://hooks.example.com/custody'
const address =
  '--recipient-name Ada --street Main-1 --city Portland --state OR --zip 97214 --country US'.split(' ')

const user = forAllTests(cliUser)
beforeAll(async () => {
  const write = (name: string, text: string): void => writeFileSync(join(user.home, name), text)
  const size = 'length,width,height,dimension_unit,weight,weight_unit'
  write('products.csv', `name,sku,${size}\nBox,B-1,1,1,1,in,1,oz\n`)
  write('po.csv', 'description,sku,quantity\nBoxes,B-1,9\n')
  write(
    'orders.csv',
    'sku,quantity,recipient_name,street,city,state,zip,country\nB-0,1,Ada,Main 1,Portland,OR,97214,US\n',
  )
})

/** A story in which each writing command appears once; earlier rows of the table create what it needs. */
const story: ReadonlyArray<[string, () => Promise<string[]>]> = [
  ['sandbox seed', async () => []],
  ['products create', async () => [...box('B-0')]],
  ['products import', async () => ['products.csv']],
  ['manifests submit', async () => ['po.csv', '--reference', 'T-1']],
  ['sandbox receive', async () => ['T-1']],
  ['sandbox intake', async () => ['--sku', 'B-0', '--quantity', '3']],
  ['sandbox advance', async () => [...(await received(3)), '--to', 'available']],
  ['manifests close', async () => ['T-1', '--yes']],
  ['fulfillments import', async () => ['orders.csv']],
  ['fulfillments create', async () => [...units(1), '--external-ref', 'F-1', ...address]],
  ['fulfillments cancel', async () => ['F-1', '--yes']],
  ['sandbox fulfillment', async () => [await order('F-2'), '--to', 'shipped']],
  ['transfers request', async () => [await available(), '--external-ref', 'TR-1']],
  ['transfers cancel', async () => ['TR-1', '--yes']],
  ['sandbox transfer', async () => [await transfer(), '--to', 'completed']],
  ['warehouse resolve-transfer', async () => [await transfer(), '--to', 'declined', '--yes']],
  ['warehouse intake', async () => ['--sku', 'B-0']],
  ['warehouse digitize', async () => await received(1)],
  ['warehouse store', async () => await qids('digitized', 1)],
  ['warehouse pick', async () => [await order('F-3')]],
  ['warehouse pack', async () => ['F-3']],
  ['warehouse verify', async () => ['F-3']],
  ['warehouse label', async () => ['F-3']],
  ['warehouse queue', async () => ['F-3']],
  ['warehouse issue', async () => ['F-3', '--code', 'damaged', '--message', 'A dent.']],
  ['warehouse resolve-issue', async () => ['F-3']],
  ['warehouse ship', async () => ['F-3']],
  ['warehouse deliver', async () => ['F-3']],
  ['warehouse return', async () => ['F-3', '--yes']],
  ['webhooks create', async () => [hook]],
  ['webhooks update', async () => [hook, '--type', 'transfer.completed']],
  ['webhooks test', async () => [hook]],
  ['webhooks replay', async () => [hook, '--since', '1h']],
  ['webhooks rotate-secret', async () => [hook]],
  ['sandbox clock', async () => ['--advance', '1h']],
  ['admin partners create', async () => ['Northgate']],
  ['admin keys create', async () => ['Northgate']],
  ['admin keys rotate', async () => [await keyId()]],
  ['db copy', async () => ['--from', 'story.db', '--to', 'copy.db', '--partner', 'Northgate']],
]

describe.each(story)('%s', (name, argsOf) => {
  // Creating the sample data takes seconds while other tests run.
  test('exits 2 with a wrong column and changes nothing; without it, it changes something', {
    timeout: 120_000,
  }, async () => {
    const args = [...name.split(' '), ...(await argsOf())]
    const before = everything()
    const wrong = await run([...args, '--columns', 'nmae'])
    expect(wrong).toEqual({ code: 2, out: '', err: expect.stringMatching(noColumn) })
    expect(await run([...args, '--jq', '.id |'])).toMatchObject({ code: 2, out: '' })
    expect(everything()).toEqual(before)
    const right = await run(args)
    expect({ name, ...right }).toEqual({ name, code: 0, out: expect.any(String), err: right.err })
    expect(everything()).not.toEqual(before)
  })
})

// The columns of `sql` come from its query.
const judged = commands.filter(({ words: [noun] }) => noun !== 'sql')

test.each(judged.filter(({ words }) => !story.some(([name]) => name === words.join(' '))))(
  '$words rejects wrong columns even if its example names something missing',
  async ({ words, file }) => {
    const [example = ''] = file.examples
    const [typed = ''] = example.split(' > ')
    const args = typed.split(' ')
    expect(args.slice(0, words.length)).toEqual(words)
    const before = everything()
    const wrong = await run([...args, '--columns', 'nmae'])
    expect(wrong).toEqual({ code: 2, out: '', err: expect.stringMatching(noColumn) })
    expect(everything()).toEqual(before)
  },
)

test('every command of the story belongs to the program', () => {
  const names = commands.map(({ words }) => words.join(' '))
  expect(story.map(([name]) => name).filter((name) => !names.includes(name))).toEqual([])
})

/** The commands that show one resource, with the fields that they show under another name, or that are never used. */
test.each<[string, OperationId, unused?: string[]]>([
  ['manifests show', 'getManifest'],
  ['products show', 'getProduct', ['dimensions']],
  ['items show', 'getItem', ['model_3d']],
  ['fulfillments show', 'getFulfillment', ['shipping_address', 'verified_address_id']],
  ['transfers show', 'getTransfer'],
  ['webhooks show', 'getSubscription'],
  ['webhooks deliveries', 'listDeliveries'],
  ['inventory ls', 'listInventory'],
  ['intakes ls', 'listIntakes', ['manifest_id', 'manifest_line_id']],
])('%s has a column for each field of %s', (name, id, unused = []) => {
  const { file } = commands.find(({ words }) => words.join(' ') === name) as Named
  const { columns, parts = [] } = file.isPlain ? ({} as View) : (file.view('table') as View)
  const shown = new Set([...columns, ...parts].map((one) => one.name.split('.')[0]))
  const fields = resourceFields(id).filter((field) => !field.includes('.'))
  expect(fields.filter((field) => !shown.has(field))).toEqual(unused)
})

async function commandsOf(
  before: readonly string[],
  known: Readonly<Record<string, Load | Noun>>,
): Promise<Named[]> {
  const found: Named[] = []
  for (const [word, one] of Object.entries(known)) {
    const words = [...before, word]
    if (typeof one !== 'function' && 'verbs' in one) found.push(...(await commandsOf(words, one.verbs)))
    else {
      const { command } = await (typeof one === 'function' ? one() : one.load())
      const file = command as LoneCommand
      if (!file.isPlain) found.push({ words, file })
    }
  }
  return found
}

function run(args: readonly string[]) {
  return user.run(args, { env: { CUSTODY_DATABASE: 'story.db' } })
}

async function asked<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await run([...args, '--json'])
  expect([args, code, err]).toEqual([args, 0, err])
  return JSON.parse(out) as T
}

/** Every file of the user, by the hash of its content. */
function everything(): Record<string, string> {
  const files = readdirSync(user.home, { recursive: true, encoding: 'utf8' })
    .map((name) => join(user.home, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith('-shm'))
  return Object.fromEntries(
    files.map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]),
  )
}

function box(sku: string): string[] {
  const size = ['--length', '1', '--width', '1', '--height', '1', '--dimension-unit', 'in']
  return ['--name', 'Box', '--sku', sku, ...size, '--weight', '1', '--weight-unit', 'oz']
}

function units(quantity: number): string[] {
  return ['--sku', 'B-0', '--quantity', String(quantity)]
}

async function qids(status: string, count: number): Promise<string[]> {
  const items = await asked<Item[]>(
    'items',
    'ls',
    '--status',
    status,
    '--sku',
    'B-0',
    '--limit',
    String(count),
  )
  return items.map(({ qid }) => qid)
}

function received(count: number): Promise<string[]> {
  return qids('received', count)
}

async function available(): Promise<string> {
  return (await asked<Item[]>('items', 'ls', '--status', 'available', '--limit', '1'))[0]?.qid ?? ''
}

async function order(reference: string): Promise<string> {
  const args = ['fulfillments', 'create', '--qid', await available(), '--external-ref', reference]
  await asked<Fulfillment>(...args, ...address)
  return reference
}

async function transfer(): Promise<string> {
  return (await asked<{ id: string }>('transfers', 'request', await available())).id
}

async function keyId(): Promise<string> {
  return (await asked<Array<{ id: string }>>('admin', 'keys', 'ls', 'Northgate'))[0]?.id ?? ''
}
