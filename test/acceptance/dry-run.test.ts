import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import type { InventoryLevel, Item } from '../../src/contract/resources/item.ts'
import { newOperator, type Operator } from '../support/operator.ts'
import { type Served, serve } from '../support/served.ts'
import { isLong } from '../support/soak.ts'

type Row = {
  sku?: string
  qid?: string
  quantity?: number
  name?: string
  city?: string
  ref?: string
  by?: string
  country?: string
}
/** `before` is imported first; `gone` are references cancelled after that. `says`: the message of each failed row, by row. */
type Case = {
  name: string
  before?: Row[]
  beforeFlags?: string[]
  gone?: string[]
  rows: Row[]
  flags?: string[]
  says: Record<number, RegExp>
}

const header =
  'sku,quantity,qid,recipient_name,street,city,state,zip,country,external_ref,special_instructions,deliver_by'
/** In stock at the start: 100, and a few. */
const plenty = 'BOX-100'
const scarce = 'PKM-PRE-ETB'
const past = '2020-02-02'
const byOrder = ['--ship-by', 'order']
const notKnown = /sku "NO-SUCH" is not in the catalog: create the product first, or correct the SKU\.$/

test('products import --dry-run shows 20 faults, and rows of the same one together, lists all as JSON, and counts each row once, as the import does', async () => {
  const operator = await newOperator('empty')
  const row = (sku: string, weight = '1') => `Box,${sku},1,1,1,in,${weight},oz`
  const bad = Array.from({ length: 30 }, (_, at) => row(`BAD-${at}`, at < 10 ? 'heavy' : `heavy ${at}`))
  const rows = [row('A'), row('B', ''), row('B'), row('B', 'heavy'), ...bad, row('C')]
  operator.write(
    'box.csv',
    `name,sku,length,width,height,dimension_unit,weight,weight_unit\n${rows.join('\n')}\n`,
  )
  const dry = await operator.run(['products', 'import', 'box.csv', '--dry-run', '--json'])
  const real = await operator.run(['products', 'import', 'box.csv', '--json'])
  operator.leave()
  const { errors, ...counts } = JSON.parse(dry.stdout) as { errors: unknown[] }
  expect(counts).toEqual({ rows: 35, good: 2, bad: 33, warnings: [], skipped: {} })
  expect([dry.exitCode, errors]).toEqual([real.exitCode, JSON.parse(real.stdout).errors])
  expect(dry.stderr).toMatch(
    /33 rows failed:[\s\S]* {2}rows 5, 6, 7, 8, 9 and 5 more {2}[\s\S]* {2}… and 4 more/,
  )
})

test('fulfillments import --dry-run shows 20 odd rows, says how many more there are, and lists all as JSON', async () => {
  const operator = await newOperator('seeded')
  const rows = Array.from({ length: 25 }, (_, at) => `NONE,1,A,1 Main St,Reno,NV,10001,US,R-${at}`)
  const head = 'sku,quantity,recipient_name,street,city,state,zip,country,external_ref'
  operator.write('orders.csv', `${[head, ...rows].join('\n')}\n`)
  const dry = await operator.here('fulfillments import orders.csv --dry-run --offline --json'.split(' '))
  operator.leave()
  expect(JSON.parse(dry.stdout).warnings).toHaveLength(25)
  expect(dry.stderr).toMatch(/check these:\n(?: {2}row .*is in NY.*\n){20} {2}… and 5 more\n/)
})

describe.each(['embedded', 'over HTTP'])('fulfillments import --dry-run, %s', (how) => {
  let operator: Operator
  let served: Served | undefined
  let env: Record<string, string>
  let files = 0
  let slabs: string[]
  let left: number

  beforeAll(async () => {
    operator = await newOperator('seeded')
    operator.write(
      'box.csv',
      `name,sku,length,width,height,dimension_unit,weight,weight_unit\nBox,${plenty},1,1,1,in,1,oz\n`,
    )
    operator.write('po.csv', `description,sku,quantity\nBox,${plenty},100\n`)
    await operator.here(['products', 'import', 'box.csv'])
    await operator.here(['manifests', 'submit', 'po.csv', '--reference', 'PO-BOX'])
    await operator.here(['sandbox', 'receive', 'PO-BOX'])
    await operator.here(['sandbox', 'advance', '--sku', plenty, '--to', 'available'])
    served =
      how === 'over HTTP'
        ? await serve(operator, { isOwn: true, flags: ['--repeats-days', '30'] })
        : undefined
    env = served ? { ...served.env, CUSTODY_DATABASE: '' } : {}
    const items = await look<Item[]>(['items', 'ls', '--status', 'available', '--limit', '200'])
    slabs = items.filter(({ type }) => type === 'graded_slab').map(({ qid }) => qid)
    const levels = await look<InventoryLevel[]>(['inventory', 'ls', '--sku', scarce])
    left = levels[0]?.available ?? 0
  }, 60_000)
  afterAll(async () => {
    await served?.stop()
    operator.leave()
  })

  const cases: Case[] = [
    {
      name: 'a reference that was ordered with another quantity or address',
      before: [{ ref: 'A-1', quantity: 1 }, { ref: 'A-2', city: 'Salem' }, { ref: 'A-3' }],
      rows: [{ ref: 'A-1', quantity: 2 }, { ref: 'A-2' }, { ref: 'A-3' }, { ref: 'A-4' }],
      says: { 1: /quantity was 1 in order .* \(pending\)/, 2: /city was "Salem" in order/ },
    },
    {
      name: 'a reference in the other Unicode form',
      before: [{ ref: 'Café-1', quantity: 1 }, { ref: 'Café-2' }],
      rows: [{ ref: 'Cafe\u0301-1', quantity: 2 }, { ref: 'Cafe\u0301-2' }],
      says: { 1: /quantity was 1 in order/ },
    },
    {
      name: 'a whole order in the other Unicode form',
      before: [{ ref: 'Café-3', quantity: 1 }, { ref: 'Café-4' }],
      beforeFlags: byOrder,
      rows: [{ ref: 'Cafe\u0301-3', quantity: 2 }, { ref: 'Cafe\u0301-4' }],
      flags: byOrder,
      says: { 1: /quantity was 1 in order/ },
    },
    {
      name: 'a reference whose order was cancelled',
      before: [{ ref: 'B-1' }, { ref: 'B-2' }],
      gone: ['B-1'],
      rows: [{ ref: 'B-1' }, { ref: 'B-2' }],
      says: { 1: /already used by order .* \(cancelled\): to order it again/ },
    },
    {
      name: 'a reference of an order of several items',
      before: [{ ref: 'C-1' }, { ref: 'C-1', sku: scarce }],
      beforeFlags: byOrder,
      rows: [{ ref: 'C-1' }, { ref: 'C-2' }, { ref: 'C-1', sku: 'TOP-CHR-24-HOB' }],
      says: { 3: /already used by order .* which has other items/ },
    },
    {
      name: 'another item under a reference of single items',
      before: [{ ref: 'D-1' }],
      rows: [{ ref: 'D-1', sku: scarce }, { ref: 'D-1' }, { ref: 'D-2', sku: 'NO-SUCH' }],
      says: { 3: notKnown },
    },
    {
      name: 'short stock across the file, of combined rows too',
      rows: [
        { ref: 'E-1', sku: scarce, quantity: 2 },
        { ref: 'E-2', sku: scarce, quantity: 60 },
        { ref: 'E-2', sku: scarce, quantity: 50 },
        { ref: 'E-2', sku: scarce, quantity: 40 },
        { ref: 'E-3', sku: scarce, quantity: 90 },
        { ref: 'E-4', sku: scarce, quantity: 1 },
        { ref: 'E-5' },
        { ref: 'E-5' },
      ],
      flags: ['--combine'],
      says: {
        2: /too few available items \(requested 150, available \d\)/,
        3: /requested 150/,
        4: /requested 150/,
        5: /requested 90, available \d\)/,
      },
    },
    {
      name: 'sums of rows that were ordered singly, as one row, or as an order that was cancelled',
      before: [{ ref: 'P-1' }, { ref: 'P-2', quantity: 3 }, { ref: 'P-3' }],
      gone: ['P-3'],
      rows: [
        { ref: 'P-1' },
        { ref: 'P-2' },
        { ref: 'P-3' },
        { ref: 'P-1', quantity: 2 },
        { ref: 'P-2', quantity: 2 },
        { ref: 'P-3' },
      ],
      flags: ['--combine'],
      says: {
        1: /quantity was 1 in order/,
        3: /\(cancelled\): to order it again/,
        4: /quantity was 1 in order/,
        6: /\(cancelled\): to order it again/,
      },
    },
    {
      name: 'equal rows without a reference, which are not added up',
      rows: [{ name: 'Twin' }, { name: 'Twin' }, { name: 'Sole' }],
      flags: ['--combine'],
      says: {
        1: /is also in row 2, line 3: give all but one an external_ref\.$/,
        2: /is also in row 1, line 2: give all but one an external_ref/,
      },
    },
    {
      name: 'items by QID: taken by an earlier row, unknown, and twice under one reference',
      rows: [
        { ref: 'F-1', qid: '0' },
        { ref: 'F-2', qid: '0' },
        { ref: 'F-3', qid: 'Q-000000-0000000' },
        { ref: 'F-4', qid: '1' },
      ],
      says: {
        2: /is in_fulfillment, not available \(requested 1, available 0\)/,
        3: /not an item in custody/,
      },
    },
    {
      name: 'a date that is past, of rows and of orders',
      rows: [
        { ref: 'G-1', by: past },
        { ref: 'G-2', by: '2099-01-31' },
      ],
      says: { 1: /deliver_by 2020-02-02 is before today, 20\d\d-\d\d-\d\d \(UTC\)\.$/ },
    },
    {
      name: 'orders of several rows: short, unknown, past and refused items',
      rows: [
        { ref: 'H-1', sku: plenty, quantity: 1 },
        { ref: 'H-2', sku: scarce, quantity: 60 },
        { ref: 'H-2', sku: scarce, quantity: 50 },
        { ref: 'H-3', sku: 'NO-SUCH' },
        { ref: 'H-3', sku: plenty },
        { ref: 'H-4', sku: plenty },
        { ref: 'H-4', by: past },
        { ref: 'H-5', by: past },
        { ref: 'H-5', by: past, sku: scarce },
        { ref: 'H-6', qid: '2' },
        { ref: 'H-6', qid: '2' },
        { ref: 'H-7', qid: 'Q-ZZZZZZ-ZZZZZZZ' },
        { ref: 'H-7', sku: plenty },
        { ref: 'H-8', sku: plenty, quantity: 2 },
        { ref: 'H-8', qid: '3' },
      ],
      flags: byOrder,
      says: {
        2: /"PKM-PRE-ETB" has too few available items \(requested 110, available \d\)/,
        3: /"PKM-PRE-ETB" has too few available items \(requested 110, available \d\)/,
        4: notKnown,
        5: notKnown,
        6: /different addresses or instructions/,
        7: /different addresses or instructions/,
        8: /deliver_by 2020-02-02 is before today/,
        9: /is before today/,
        10: /is the same item/,
        11: /is the same item/,
        12: /not an item in custody/,
        13: /because of row 12/,
      },
    },
    {
      name: 'orders of several rows whose reference was used before',
      before: [
        { ref: 'J-1' },
        { ref: 'J-1', sku: scarce },
        { ref: 'J-2' },
        { ref: 'J-3' },
        { ref: 'J-4', city: 'Salem' },
      ],
      beforeFlags: byOrder,
      gone: ['J-2'],
      rows: [{ ref: 'J-1' }, { ref: 'J-2' }, { ref: 'J-3' }, { ref: 'J-4' }, { ref: 'J-5' }],
      flags: byOrder,
      says: {
        1: /already used by order .* which has other items/,
        2: /\(cancelled\): to order it again/,
        4: /city was "Salem" in order/,
      },
    },
    {
      name: 'rows without a reference that equal earlier orders',
      before: [{ name: 'Regular' }, { name: 'Gone' }],
      rows: [{ name: 'Regular' }, { name: 'New' }],
      says: { 1: /is empty, and the row equals order/ },
    },
    {
      name: 'rows without a reference that equal earlier orders, with --if-equal',
      before: [{ name: 'Monthly' }],
      rows: [{ name: 'Monthly' }, { name: 'Weekly' }],
      flags: ['--if-equal', 'order'],
      says: {},
    },
    {
      name: 'a reference that was ordered before, with --again',
      before: [{ ref: 'K-1' }],
      rows: [
        { ref: 'K-1', quantity: 2 },
        { ref: 'K-2', sku: 'NO-SUCH' },
      ],
      flags: ['--again'],
      says: { 2: notKnown },
    },
  ]

  // In npm test every other case over HTTP, and the rest embedded.
  test.each(cases.filter((_, at) => isLong || (at % 2 === 0) === (how === 'embedded')))(
    'says of each row what the import would do: $name',
    async ({ before = [], beforeFlags = [], gone = [], rows, flags = [], says }) => {
      if (before.length > 0)
        await operator.here(['fulfillments', 'import', write(before), ...beforeFlags], { env })
      for (const ref of gone) await operator.here(['fulfillments', 'cancel', ref, '--yes'], { env })
      const file = write(rows)
      const dry = await run([file, ...flags, '--dry-run'])
      const real = await run([file, ...flags])
      expect(Object.fromEntries(real.body.errors.map(({ row, message }) => [row, message]))).toEqual(
        Object.fromEntries(Object.entries(says).map(([row, words]) => [row, expect.stringMatching(words)])),
      )
      const { created, failed, already_ordered, orders = created } = real.body.totals
      expect(dry.body).toMatchObject({
        errors: real.body.errors,
        ...{ rows: rows.length, bad: failed, good: created + already_ordered, parcels: orders },
      })
      expect([dry.exit, dry.told]).toEqual([real.exit, real.told])
    },
  )

  test('changes neither stock nor orders', async () => {
    const listed = () =>
      Promise.all([look<Fulfillment[]>(['fulfillments', 'ls']), look<InventoryLevel[]>(['inventory', 'ls'])])
    const earlier = await listed()
    await run([write([{ ref: 'L-1' }, { ref: 'L-2', qid: '5' }]), '--dry-run'])
    expect(await listed()).toEqual(earlier)
    expect(left).toBeGreaterThan(2)
  })

  test('fails countries that are not served, or says that only the import can', async () => {
    const file = write([{ ref: 'N-1' }, { ref: 'N-2', country: 'BR' }])
    const { told, said } = await run([file, '--dry-run'])
    const notice = 'Only the import can tell whether the service ships to BR.'
    if (how === 'embedded') expect(told).toEqual((await run([file])).told)
    expect([told.length, said.includes(notice)]).toEqual(how === 'embedded' ? [1, false] : [0, true])
  })

  test('asks about references however long they are', async () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({ ref: `${'é'.repeat(200)}-${at}`, quantity: 2 }))
    await run([write([{ ...(rows[0] as Row), quantity: 1 }])])
    const { body } = await run([write(rows), '--dry-run'])
    expect(body.errors.find(({ row }) => row === 1)?.message).toMatch(/quantity was 1 in order/)
  })

  test('with --offline alone sends nothing, and says what is missing', async () => {
    const file = write([{ ref: 'M-1' }])
    const { exitCode, stderr } = await operator.run(['fulfillments', 'import', file, '--offline'], { env })
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/--offline .*--dry-run/)])
    expect(await look<Fulfillment[]>(['fulfillments', 'ls', '--external-ref', 'M-1'])).toEqual([])
  })

  test.each(['row', 'order'])('knows orders whose deliver_by has passed, by %s', async (unit) => {
    const flags = ['--ship-by', unit]
    const { now } = await look<{ now: string }>(['sandbox', 'clock'])
    const by = now.slice(0, 10)
    const ref = `O-${unit}`
    await run([write([{ ref, by }]), ...flags])
    await operator.run(['sandbox', 'clock', '--advance', '2d'], { env })
    const file = write([
      { ref, by },
      { ref: `${ref}-new`, by },
    ])
    const dry = await run([file, ...flags, '--dry-run'])
    const { body, told } = await run([file, ...flags])
    expect([body.totals.already_ordered, dry.body]).toMatchObject([1, { bad: 1, errors: body.errors }])
    expect([dry.told, told]).toEqual([told, [expect.stringMatching(/row 2.* before today/)]])
  })

  test('knows for how many days an order without a reference counts as a repeat', async () => {
    const row = { name: 'Repeated after a month' }
    await run([write([row])])
    await operator.here(['sandbox', 'clock', '--advance', '31d'], { env })
    const file = write([row, { ref: 'P-1' }])
    const dry = await run([file, '--dry-run'])
    const real = await run([file])
    expect([dry.exit, dry.told]).toEqual([real.exit, real.told])
    expect(real.told).toHaveLength(how === 'embedded' ? 1 : 0)
  })

  type Body = {
    errors: Array<{ row: number; message: string }>
    totals: { created: number; failed: number; already_ordered: number; orders?: number }
  }

  async function run(args: readonly string[]) {
    const { exitCode, stdout, stderr } = await operator.run(['fulfillments', 'import', ...args, '--json'], {
      env,
    })
    const told = stderr.split('\n').filter((line) => line.startsWith('  row '))
    return { exit: exitCode, told, said: stderr, body: JSON.parse(stdout) as Body }
  }

  function look<T>(args: readonly string[]): Promise<T> {
    return operator.look(args, { env })
  }

  function write(rows: readonly Row[]): string {
    const usual = { sku: plenty, qid: undefined, quantity: 1, name: 'Ann', city: 'Austin', ref: '', by: '' }
    const texts = rows.map((row) => {
      const { sku, qid, quantity, name, city, ref, by, country } = { ...usual, country: 'US', ...row }
      const item = qid === undefined ? `${sku},${quantity},` : `,,${slabs[Number(qid)] ?? qid}`
      return `${item},${name},1 Main St,${city},TX,73301,${country},${ref},,${by}`
    })
    return operator.write(`orders-${++files}.csv`, [header, ...texts, ''].join('\n'))
  }
})
