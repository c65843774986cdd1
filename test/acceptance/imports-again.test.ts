import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Manifest } from '../../src/contract/resources/manifest.ts'
import { newOperator, type Operator } from '../support/operator.ts'
import { ageNotes, eightDaysLater, forgetResults, rewriteNotes } from '../support/passed-time.ts'

const productHeader = 'name,sku,upc,length,width,height,dimension_unit,weight,weight_unit,image_url'
let operator: Operator

beforeEach(async () => {
  operator = await newOperator()
})
afterEach(() => operator.leave())

describe('orders whose bytes come again', () => {
  test('after their stored result is gone order nothing: it is said when they were imported, with the exit of then', async () => {
    const file = operator.write('orders.csv', ordersWith('NO-SUCH-SKU'))
    const first = await operator.run(['fulfillments', 'import', file])
    expect([first.exitCode, first.stdout.split('\n')[1]]).toEqual([9, 'failed\t1'])
    const orders = countOrders()
    eightDaysLater(operator)
    for (const flags of [[], ['--resume'], []]) {
      const { exitCode, stdout, stderr } = await operator.run(['fulfillments', 'import', file, ...flags])
      expect([exitCode, stdout.split('\n').slice(0, 3)]).toEqual([9, first.stdout.split('\n').slice(0, 3)])
      expect(stderr).toMatch(/orders\.csv was imported on 20\S+: 11 rows, 1 failed\./)
      expect(stderr).not.toMatch(/twice|rows? failed:/)
      expect(stderr.includes('Nothing was sent; --again sends it once more.')).toBe(flags.length === 0)
      expect(stderr.includes('Nothing to do: ')).toBe(flags.length === 1)
      expect(countOrders()).toBe(orders)
    }
  })

  test('are sent again where the target was restored since, and with --again', async () => {
    const file = operator.fixture('fulfillments/orders.csv')
    const before = countOrders()
    const restore = backup()
    await operator.run(['fulfillments', 'import', file])
    restore()
    eightDaysLater(operator)
    const { stderr } = await operator.run(['fulfillments', 'import', file])
    expect(stderr).not.toContain('was imported on')
    expect(countOrders()).toBe(before + 10)
    await operator.run(['fulfillments', 'import', file, '--again'])
    expect(countOrders()).toBeGreaterThan(before + 10)
  })

  test('within hours are answered from the stored result, however often, and --again is not suggested', async () => {
    const file = operator.fixture('fulfillments/orders.csv')
    await operator.run(['fulfillments', 'import', file])
    const orders = countOrders()
    const replayed = await operator.run(['fulfillments', 'import', file])
    expect(replayed.stderr).toContain('nothing was added twice')
    expect(replayed.stderr).not.toContain('--again')
    // Having been answered from the stored result does not make it younger.
    ageNotes(operator, 19)
    await operator.run(['fulfillments', 'import', file])
    ageNotes(operator, 19)
    forgetResults(operator.database)
    await operator.run(['fulfillments', 'import', file])
    expect(countOrders()).toBe(orders)
  })

  test('of which none could be made are not tried again by themselves either', async () => {
    const [header = '', first = ''] = ordersWith('NO-SUCH-SKU').trimEnd().split('\n')
    const file = operator.write('none.csv', `${header}\n${first.replace(/^,[^,]*/, ',NO-SUCH-SKU')}\n`)
    expect((await operator.run(['fulfillments', 'import', file])).exitCode).toBe(9)
    eightDaysLater(operator)
    const { exitCode, stderr } = await operator.run(['fulfillments', 'import', file])
    expect([exitCode, stderr]).toEqual([9, expect.stringContaining('none.csv was imported on')])
  })

  test('that were cut off go on after the acknowledged part, without asking for it by sending it', async () => {
    const file = operator.fixture('fulfillments/orders.csv')
    await operator.run(['fulfillments', 'import', file])
    const orders = countOrders()
    rewriteNotes(operator, (text) => text.replace(/\n[^\n]*"done"[^\n]*/, ''))
    eightDaysLater(operator)
    const { exitCode, stderr } = await operator.run(['fulfillments', 'import', file, '--resume'])
    expect([exitCode, countOrders()]).toEqual([0, orders])
    expect(stderr).not.toContain('twice')
  })
})

test('a part that was done and a part that is sent now are told apart', async () => {
  const rows = Array.from({ length: 6000 }, (_, index) => `Box,S-${index},,7,6,3,in,1,oz,`)
  const file = operator.write('long.csv', [productHeader, ...rows, ''].join('\n'))
  await operator.run(['products', 'import', file])
  change('delete from products where sku = ?', 'S-5999')
  change(`delete from idempotency where key like ?`, '%-2')
  const { stderr, stdout } = await operator.run(['products', 'import', file, '--json'])
  expect(stderr).toContain('A part of these rows was imported before')
  expect(stderr).not.toMatch(/twice|--again/)
  expect(JSON.parse(stdout).replayed).toBe(false)
}, 60_000)

describe('a file of failed rows that is there already', () => {
  const lines = [productHeader, 'A,A,,1,1,1,in,heavy,oz,', 'B,B,,1,1,1,in,1,oz,', '']

  test('stays as it is where nothing new was sent', async () => {
    const file = operator.write('new.csv', lines.join('\n'))
    await operator.run(['products', 'import', file])
    operator.write('new.csv.errors.csv', 'corrected')
    const { stderr, stdout } = await operator.run(['products', 'import', file])
    expect(stderr).toContain('new.csv.errors.csv was there already and was left as it is')
    expect(stdout).toContain('errors_file\tnew.csv.errors.csv\n')
    expect(operator.read('new.csv.errors.csv')).toBe('corrected')
    expect(existsSync(operator.path('new.csv.errors.2.csv'))).toBe(false)
  })

  test('is not lost where other rows were sent: theirs are beside it', async () => {
    const file = operator.write('new.csv', lines.join('\n'))
    operator.write('new.csv.errors.csv', 'corrected')
    const { stderr, stdout } = await operator.run(['products', 'import', file])
    expect(stderr).toContain('new.csv.errors.csv was there already, with other rows')
    expect(stdout).toContain('errors_file\tnew.csv.errors.2.csv\n')
    expect(operator.read('new.csv.errors.csv')).toBe('corrected')
    expect(operator.read('new.csv.errors.2.csv')).toContain('A,A,')
    for (let times = 2; times < 4; times++) {
      const again = await operator.run(['products', 'import', file])
      expect(again.stdout).toContain('errors_file\tnew.csv.errors.2.csv\n')
    }
    expect(readdirSync(operator.folder).filter((name) => name.includes('.errors'))).toHaveLength(2)
  })

  test('of a manifest, likewise', async () => {
    const file = operator.fixture('buy-sheets/two-bad-rows.csv')
    await submit(file, 'BS-1')
    operator.write('two-bad-rows.csv.errors.csv', 'corrected')
    const replayed = await submit(file, 'BS-1')
    expect(replayed.stderr).toContain('was left as it is, since nothing new was sent')
    expect(existsSync(operator.path('two-bad-rows.csv.errors.2.csv'))).toBe(false)
    await submit(file, 'BS-2')
    expect(operator.read('two-bad-rows.csv.errors.csv')).toBe('corrected')
    expect(operator.read('two-bad-rows.csv.errors.2.csv')).toContain('BS-4471-05')
  })
})

describe('a manifest whose bytes come again', () => {
  test('with the same options shows the first, also after its stored result is gone', async () => {
    const file = operator.fixture('buy-sheets/two-bad-rows.csv')
    const first = await submit(file, 'PO-7', '--json')
    eightDaysLater(operator)
    const again = await submit(file, 'PO-7', '--json')
    expect([again.exitCode, JSON.parse(again.stdout)]).toEqual([9, JSON.parse(first.stdout)])
    expect(again.stderr).toMatch(/These bytes were submitted before: PO-7 was created 20\S+,/)
    expect(await manifests('PO-7')).toBe(1)
  })

  test('with another source or window is refused: exit 5; --again is on purpose', async () => {
    const file = operator.fixture('buy-sheets/clean.csv')
    await submit(file, 'PO-7')
    for (const flag of [
      ['--source', 'card_show'],
      ['--arrives-by', '2027-01-09'],
    ]) {
      const { exitCode, stderr, stdout } = await submit(file, 'PO-7', ...flag)
      expect([exitCode, stdout]).toEqual([5, ''])
      expect(stderr).toMatch(
        /PO-7 has these bytes already \(submitted 20\S+, with other options\); a manifest cannot be changed\. --again submits another\./,
      )
    }
    expect(await manifests('PO-7')).toBe(1)
    expect((await submit(file, 'PO-7', '--source', 'card_show', '--again')).exitCode).toBe(0)
    expect(await manifests('PO-7')).toBe(2)
  })

  test('is another under another reference; where no note tells of the first, the same is it and another window is refused', async () => {
    const file = operator.fixture('buy-sheets/clean.csv')
    for (const reference of ['PO-7', 'PO-8', 'PO-8']) {
      expect((await submit(file, reference, '--arrives-by', '2027-01-09')).exitCode).toBe(0)
      expect(await manifests(reference)).toBe(1)
      rmSync(operator.path('state'), { recursive: true })
    }
    for (const flags of [[], ['--source', 'other']])
      expect((await submit(file, 'PO-8', '--arrives-by', '2027-01-10', ...flags)).exitCode).toBe(5)
    expect(await manifests('PO-8')).toBe(1)
  })

  test('is the one found open where no note told of it, also once that is closed and its stored result is gone', async () => {
    const file = operator.fixture('buy-sheets/clean.csv')
    await submit(file, 'PO-7')
    rmSync(operator.path('state'), { recursive: true })
    await submit(file, 'PO-7')
    await operator.run(['manifests', 'close', 'PO-7', '--yes'])
    for (const flags of [[], ['--json']]) {
      eightDaysLater(operator)
      const again = await submit(file, 'PO-7', ...flags)
      expect([again.exitCode, again.stderr]).toEqual([0, expect.stringContaining('submitted before: PO-7')])
    }
    expect((await submit(file, 'PO-7', '--source', 'other')).exitCode).toBe(5)
    expect(await manifests('PO-7')).toBe(1)
  })

  test('is submitted where the target does not have the first any more', async () => {
    const file = operator.fixture('buy-sheets/clean.csv')
    const restore = backup()
    await submit(file, 'PO-7')
    restore()
    expect((await submit(file, 'PO-7', '--source', 'card_show')).exitCode).toBe(0)
    expect(await manifests('PO-7')).toBe(1)
  })

  test('as JSON, likewise', async () => {
    const file = operator.write('po.json', JSON.stringify({ reference: 'J', lines: [{ description: 'A' }] }))
    const run = (...flags: string[]) => operator.run(['manifests', 'submit', file, ...flags])
    await run()
    eightDaysLater(operator)
    const again = await run()
    expect([again.exitCode, again.stderr]).toEqual([0, expect.stringContaining('submitted before: J')])
    expect((await run('--source', 'other')).exitCode).toBe(5)
    expect(await manifests('J')).toBe(1)
  })

  async function manifests(reference: string): Promise<number> {
    return (await operator.json<Manifest[]>(['manifests', 'ls', '--reference', reference])).length
  }
})

test('a header with several faults is one line and a table, which says the columns once', async () => {
  const file = operator.write('bad.csv', `${productHeader},foo,bar\n${'x,'.repeat(11)}x\n`)
  const { stderr } = await operator.run(['products', 'import', file, '--dry-run'])
  expect(stderr.split('\n').slice(1)).toEqual(['  foo  is not known', '  bar  is not known', ''])
  expect(stderr.match(/dimension_unit/g)?.length).toBe(1)
})

function submit(file: string, reference: string, ...flags: string[]) {
  return operator.run(['manifests', 'submit', file, '--reference', reference, ...flags])
}

/** The orders of a fixture, and one that fails at the service. */
function ordersWith(sku: string): string {
  const text = operator.read(operator.fixture('fulfillments/orders.csv')).trimEnd()
  const [, first = ''] = text.split('\n')
  return `${text}\n${first.replace(/^,[^,]*/, `,${sku}`)}\n`
}

/** Answers what puts the database back. */
function backup(): () => void {
  const copy = operator.path('backup.db')
  copyFileSync(operator.database, copy)
  return () => {
    for (const end of ['-wal', '-shm']) rmSync(operator.database + end, { force: true })
    copyFileSync(copy, operator.database)
  }
}

function change(statement: string, value: string): void {
  const db = new DatabaseSync(operator.database)
  db.prepare(statement).run(value)
  db.close()
}

function countOrders(): number {
  const db = new DatabaseSync(operator.database)
  const row = db.prepare('select count(*) as count from fulfillments').get() as { count: number }
  db.close()
  return row.count
}
