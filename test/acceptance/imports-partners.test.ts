import { readdirSync, renameSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newOperator, type Operator } from '../support/operator.ts'
import { eightDaysLater, rewriteNotes } from '../support/passed-time.ts'
import { type Served, serve, servedPartner } from '../support/served.ts'

const other = 'Other Cards'
let host: Operator
let served: Served
let operator: Operator
let files = 0

beforeAll(async () => {
  host = await newOperator('none')
  served = await serve(host)
  await host.run(['admin', 'partners', 'create', other, '--database', served.database])
})
afterAll(async () => {
  await served.stop()
  host.leave()
})
beforeEach(async () => {
  operator = await newOperator('none')
})
afterEach(() => operator.leave())

describe('two partners who take turns with the same bytes from one machine', () => {
  test('each import them once, however late they come again', async () => {
    const [first, second] = [served.key, await keyOf(other)]
    const file = newCatalog()
    expect(await importAs(first, file)).toEqual([0, 'created\t2', 'sent'])
    expect(await importAs(second, file)).toEqual([0, 'created\t2', 'sent'])
    eightDaysLater(operator, served.database)
    for (const key of [first, second, first])
      expect(await importAs(key, file)).toEqual([0, 'created\t2', 'earlier'])
  })

  test('submit a manifest once each, and the options of one bind nobody else', async () => {
    const [first, second] = [served.key, await keyOf(other)]
    const file = newBuySheet()
    const reference = newReference()
    const submit = async (key: string, ...flags: string[]) => {
      const args = ['manifests', 'submit', file, '--reference', reference, '--json', ...flags]
      const { exitCode, stdout } = await as(key, args)
      return [exitCode, exitCode === 0 && JSON.parse(stdout).manifest.id]
    }
    const [, mine] = await submit(first)
    const [, theirs] = await submit(second, '--source', 'card_show')
    expect(theirs).not.toBe(mine)
    eightDaysLater(operator, served.database)
    expect(await submit(first)).toEqual([0, mine])
    expect(await submit(second, '--source', 'card_show')).toEqual([0, theirs])
    expect(await submit(first, '--source', 'card_show')).toEqual([5, false])
  })
})

describe('a partner whose key is changed', () => {
  test('imports nothing twice, and has the journal also if the old key comes back', async () => {
    const file = newCatalog()
    await importAs(served.key, file)
    await importAs(await keyOf(other), file)
    const changed = await keyOf(servedPartner)
    eightDaysLater(operator, served.database)
    for (const key of [changed, served.key, changed])
      expect(await importAs(key, file)).toEqual([0, 'created\t2', 'earlier'])
    expect(journals()).toHaveLength(2)
  })

  test('goes on with what was cut off', async () => {
    const file = newCatalog()
    await importAs(served.key, file)
    rewriteNotes(operator, (text) => text.replace(/\n[^\n]*"done"[^\n]*/, ''))
    eightDaysLater(operator, served.database)
    const { exitCode, stderr } = await as(await keyOf(servedPartner), [
      'products',
      'import',
      file,
      '--resume',
    ])
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('Nothing to do: ')])
  })

  test('takes over the key of an import of which no answer came', async () => {
    const file = newCatalog()
    await importAs(served.key, file, '--again')
    // As if it had been killed before the answer.
    rewriteNotes(operator, (text) => `${text.split('\n')[0]}\n`)
    const { stdout } = await as(await keyOf(servedPartner), ['products', 'import', file, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ totals: { created: 2, failed: 0 }, replayed: true })
  })

  test('submits no manifest twice', async () => {
    const submit = ['manifests', 'submit', newBuySheet(), '--reference', newReference()]
    await as(served.key, submit)
    eightDaysLater(operator, served.database)
    const { stderr } = await as(await keyOf(servedPartner), submit)
    expect(stderr).toContain('These bytes were submitted before')
  })
})

test('a journal of before keys were told apart counts for the partner whose it is', async () => {
  const file = newCatalog()
  await importAs(served.key, file)
  for (const path of journals()) renameSync(path, path.replace(/-\w+\.jsonl$/, '.jsonl'))
  eightDaysLater(operator, served.database)
  expect(await importAs(await keyOf(other), file)).toEqual([0, 'created\t2', 'sent'])
  expect(await importAs(served.key, file)).toEqual([0, 'created\t2', 'earlier'])
})

async function keyOf(partner: string): Promise<string> {
  const create = ['admin', 'keys', 'create', partner, '--environment', 'sandbox']
  return (await host.json<{ key: string }>([...create, '--database', served.database])).key
}

function as(key: string, args: string[]) {
  return operator.run(args, { env: { ...served.env, CUSTODY_API_KEY: key } })
}

/** The exit code, what was created, and whether this run sent it. */
async function importAs(key: string, file: string, ...flags: string[]) {
  const { exitCode, stdout, stderr } = await as(key, ['products', 'import', file, ...flags])
  return [exitCode, stdout.split('\n')[0], stderr.includes('was imported on') ? 'earlier' : 'sent']
}

/** Bytes that no other test has. */
function newCatalog(): string {
  const name = `catalog-${++files}.csv`
  const rows = ['A', 'B'].map((sku) => `Box,${sku}-${files},,7,6,3,in,1,oz,\n`)
  const header = 'name,sku,upc,length,width,height,dimension_unit,weight,weight_unit,image_url\n'
  return operator.write(name, header + rows.join(''))
}

function newBuySheet(): string {
  return operator.write('sheet.csv', 'description,grader,cert_number\nCharizard,PSA,12345678\n')
}

function newReference(): string {
  return `PO-${++files}`
}

function journals(): string[] {
  const folder = operator.path('state/custody/imports')
  return readdirSync(folder).map((name) => `${folder}/${name}`)
}
