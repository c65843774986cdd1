import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import type { InventoryLevel, Item } from '../../src/contract/resources/item.ts'
import { newOperator, type Operator } from '../support/operator.ts'
import { counts } from '../support/order-files.ts'
import { ageNotes, eightDaysLater, forgetResults, rewriteNotes } from '../support/passed-time.ts'

const header = 'qid,sku,quantity,recipient_name,street,city,state,zip,country,external_ref'
let operator: Operator
let qids: string[]
let sku: string

beforeEach(async () => {
  operator = await newOperator()
  await readStock()
})
afterEach(() => operator.leave())

test('a file that was sent by a clock that was ten days ahead is not sent again when that time has come', async () => {
  expect(counts(await importOrders([order(0, 'A')]))).toEqual([0, 1, 0, 0])
  ageNotes(operator, -240)
  for (const hours of [0, 241]) {
    forgetResults(operator.database)
    ageNotes(operator, hours)
    const again = await importOrders([order(0, 'A')])
    expect([...counts(again), again.stderr]).toEqual([
      0,
      1,
      0,
      0,
      expect.stringContaining('Nothing was sent'),
    ])
  }
})

describe('a file of orders that was corrected', () => {
  test('orders only what failed before, wherever it was corrected, also with nothing remembered here', async () => {
    const first = await importOrders([order(0, 'A', { zip: 'none' }), order(1, 'B')])
    expect(counts(first)).toEqual([9, 1, 1, 0])
    const corrected = [order(0, 'A'), order(1, 'B')]
    const tried = await importOrders(corrected, '--dry-run')
    expect([tried.exitCode, tried.stdout]).toEqual([0, 'rows\t2\ngood\t1\nbad\t0\nalready_ordered\t1\n'])
    const printed = await importOrders(
      [...corrected, order(2, 'C', { zip: 'none' })],
      '--dry-run',
      '--output',
      'csv',
    )
    expect(printed.stdout.match(/,US,.*$/gm)).toEqual([',US,A'])
    expect(counts(await importOrders(corrected))).toEqual([0, 1, 0, 1])
    rmSync(operator.path('state'), { recursive: true })
    expect(counts(await importOrders([...corrected, order(2, 'C')]))).toEqual([0, 1, 0, 2])
    expect(await ordersOf('A', 'B', 'C')).toEqual([1, 1, 1])
  })

  test('with --resume is refused before anything is sent: exit 6, and it is said what happens without it', async () => {
    await importOrders([order(0, 'A', { zip: 'none' }), order(1, 'B')])
    const { exitCode, stdout, stderr } = await importOrders([order(0, 'A'), order(1, 'B')], '--resume')
    expect([exitCode, stdout]).toEqual([6, ''])
    expect(stderr).toMatch(
      /day\.csv was changed since its import of 20\S+: --resume goes on with the same bytes alone\./,
    )
    expect(stderr).toContain('Without --resume every row is compared with what was ordered before')
    expect(await ordersOf('A', 'B')).toEqual([0, 1])
  })

  test('fails where a reference has other content now, naming the earlier order; --again orders it on purpose', async () => {
    await importOrders([order(0, 'A'), order(1, 'B')])
    const [{ id, status } = { id: '', status: '' }] = await find('A')
    const changed = [order(0, 'A', { zip: '10002' }), order(1, 'B')]
    const words = `row 1, line 2  external_ref "A" was ordered before with other content (order ${id}, ${status}); zip is "10002" here and "10001" there.`
    for (const flags of [['--dry-run'], []]) {
      const refused = await importOrders(changed, ...flags)
      expect([refused.exitCode, refused.stderr]).toEqual([9, expect.stringContaining(words)])
    }
    expect(operator.read('day.csv.errors.csv')).toMatch(
      /,A,1,state_conflict,"external_ref ""A"" was ordered before/,
    )
    expect(await ordersOf('A', 'B')).toEqual([1, 1])
    await operator.run(['fulfillments', 'cancel', id, '--yes'])
    const again = await importOrders([order(0, 'A', { zip: '10002' })], '--again')
    expect(counts(again)).toEqual([0, 1, 0, 0])
    expect(await ordersOf('A', 'B')).toEqual([2, 1])
  })
})

test('several rows of one reference are one order each; a row that is added is ordered', async () => {
  expect(counts(await importOrders([order(0, 'A'), order(1, 'A')]))).toEqual([0, 2, 0, 0])
  const more = await importOrders([order(0, 'A'), order(1, 'A'), order(2, 'A')])
  expect(counts(more)).toEqual([0, 1, 0, 2])
})

test('rows of one reference are one order each, wherever they are in the file', async () => {
  await importOrders([order(0, 'A')])
  const wrong = Array.from({ length: 4999 }, (_, n) => order(3, `W-${n}`, { zip: 'none' }))
  const [ordered, other] = [order(0, 'A'), order(1, 'A')]
  for (const rows of [
    [...wrong, ordered, other],
    [...wrong, other, ordered],
    [other, ...wrong, ordered],
    [ordered, ...wrong, other],
  ]) {
    const { stdout } = await importOrders(rows, '--dry-run')
    expect(stdout).toBe('rows\t5001\ngood\t1\nbad\t4999\nalready_ordered\t1\n')
  }
  const changed = await importOrders(
    [ordered, ...wrong, order(0, 'A', { zip: '10002' })],
    '--dry-run',
    '--json',
  )
  expect(JSON.parse(changed.stdout)).toMatchObject({ good: 0, bad: 5000, already_ordered: 1 })
})

test('an order that was cancelled since is not made again by itself, and that is said', async () => {
  await importOrders([order(0, 'A'), order(1, 'B')])
  const [{ id } = { id: '' }] = await find('A')
  await operator.run(['fulfillments', 'cancel', id, '--yes'])
  const again = await importOrders([order(0, 'A'), order(1, 'B'), order(2, 'C')])
  expect([counts(again), again.stderr]).toEqual([
    [0, 1, 0, 2],
    expect.stringContaining('Row 1 was ordered before and cancelled since'),
  ])
})

describe('a single order that is typed twice', () => {
  const create = (quantity: number, ...flags: string[]) =>
    operator.run([
      ...['fulfillments', 'create', '--sku', sku, '--quantity', `${quantity}`, '--recipient-name', 'Ann'],
      ...[
        '--street',
        '1 Main St',
        '--city',
        'New York',
        '--state',
        'ny',
        '--zip',
        '10001',
        '--country',
        'us',
      ],
      ...flags,
    ])

  test('is exit 5 and names the first, until that is cancelled or with --again', async () => {
    const web = ['--external-ref', 'WEB-77']
    expect((await create(1, ...web)).exitCode).toBe(0)
    const [{ id, created_at } = { id: '', created_at: '' }] = await find('WEB-77')
    const twice = await create(1, ...web)
    const words = `WEB-77 was ordered just so before (order ${id} of ${created_at}, pending); nothing was ordered. --again orders it once more.`
    expect([twice.exitCode, twice.stderr]).toEqual([5, expect.stringContaining(words)])
    const imported = await importOrders([bySku(1, 'WEB-77')])
    expect(counts(imported)).toEqual([0, 0, 0, 1])
    expect((await create(1, ...web, '--idempotency-key', 'mine')).exitCode).toBe(0)
    expect((await create(1, ...web, '--again')).exitCode).toBe(0)
    expect(await ordersOf('WEB-77')).toEqual([3])
    for (const { id } of await find('WEB-77')) await operator.run(['fulfillments', 'cancel', id, '--yes'])
    expect((await create(1, ...web)).exitCode).toBe(0)
  })

  test('is another order where anything of it differs, or without a reference', async () => {
    const ref = ['--external-ref', 'A']
    const withdrawal = [...ref, '--type', 'withdrawal']
    for (const flags of [[], [], ref, withdrawal]) expect((await create(1, ...flags)).exitCode).toBe(0)
    for (const [flags, isSame] of [
      [withdrawal, true],
      [[...ref, '--street-2', 'Flat 4'], false],
    ] as const)
      expect((await create(1, ...flags)).stderr.includes('just so')).toBe(isSame)
  })
})

describe('orders without a reference', () => {
  test('are known by their content, as often as they were ordered, while the target has them', async () => {
    const rows = [order(0, ''), bySku(1), bySku(1)]
    const first = await importOrders(rows)
    expect(counts(first)).toEqual([0, 3, 0, 0])
    const more = [...rows, bySku(1), order(1, '')]
    expect(counts(await importOrders(more))).toEqual([0, 2, 0, 3])
    await operator.run(['sandbox', 'reset', '--yes'])
    await readStock()
    expect(counts(await importOrders([bySku(1), order(2, '')]))).toEqual([0, 2, 0, 0])
  })
})

test('hundreds of references are asked for a hundred at a time', async () => {
  const rows = Array.from({ length: 250 }, (_, at) => bySku(1, `R-${at}`, `${at}`))
  expect(counts(await importOrders(rows.slice(0, 3)))).toEqual([0, 3, 0, 0])
  const tried = await importOrders(rows, '--dry-run', '--debug')
  expect(tried.stdout).toContain('already_ordered\t3\n')
  expect(tried.stderr.match(/external_refs=/g)?.length).toBe(3)
})

test('an import whose answer was lost is sent again as it was: its own orders are no earlier ones', async () => {
  await importOrders([order(0, 'A')])
  const rows = [order(0, 'A'), order(1, 'B'), order(2, 'B')]
  const whole = await importOrders(rows)
  // As if it had been killed between the answer and the note of it.
  rewriteNotes(operator, (text) =>
    text.includes('"known"') ? text.replace(/\n+\{"chunk"[\s\S]*/, '\n') : text,
  )
  for (const flags of [['--resume'], []]) {
    const resumed = await importOrders(rows, ...flags)
    expect([counts(whole), counts(resumed)]).toEqual([
      [0, 2, 0, 1],
      [0, 2, 0, 1],
    ])
  }
  expect(await ordersOf('A', 'B')).toEqual([1, 2])
})

test('an import that was cut off between two chunks goes on; long after, others may have ordered the rest', async () => {
  const wrong = Array.from({ length: 5000 }, (_, n) => order(3, `W-${n}`, { zip: 'none' }))
  const rows = [...wrong, bySku(1, 'A')]
  const cutOff = () => rewriteNotes(operator, (text) => text.replace(/\n+\{"chunk":2[\s\S]*/, '\n'))
  await importOrders(rows)
  cutOff()
  ageNotes(operator, 19)
  const soon = await importOrders(rows, '--resume')
  expect([counts(soon), soon.stderr]).toEqual([
    [9, 1, 5000, 0],
    expect.stringContaining('Going on after row'),
  ])
  cutOff()
  eightDaysLater(operator)
  const late = await importOrders(rows, '--resume')
  expect([counts(late), late.stderr]).toEqual([[9, 0, 5000, 1], expect.stringContaining('compared anew')])
  expect(await ordersOf('A')).toEqual([1])
})

async function readStock(): Promise<void> {
  const items = await operator.json<Item[]>(['items', 'ls', '--status', 'available', '--all'])
  qids = items.filter(({ type }) => type === 'graded_slab').map(({ qid }) => qid)
  const stock = await operator.json<InventoryLevel[]>(['inventory', 'ls', '--all'])
  sku = stock.find(({ available, sku }) => available > 3 && !sku.includes('-PSA'))?.sku ?? ''
}

function importOrders(rows: readonly string[], ...flags: string[]) {
  return operator.run([
    'fulfillments',
    'import',
    operator.write('day.csv', [header, ...rows, ''].join('\n')),
    ...flags,
  ])
}

function order(slab: number, ref: string, { zip = '10001' } = {}): string {
  return `${qids[slab]},,,Ann,1 Main St,New York,NY,${zip},US,${ref}`
}

function bySku(quantity: number, ref = '', name = 'Ann'): string {
  return `,${sku},${quantity},${name},1 Main St,New York,NY,10001,US,${ref}`
}

function find(ref: string): Promise<Fulfillment[]> {
  return operator.json(['fulfillments', 'ls', '--external-ref', ref])
}

function ordersOf(...refs: string[]): Promise<number[]> {
  return Promise.all(refs.map(async (ref) => (await find(ref)).length))
}
