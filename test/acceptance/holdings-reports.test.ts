import { expect, test } from 'vitest'
import type { Group } from '../../src/cli/report/holdings/groups.ts'
import type { StorageDay } from '../../src/cli/report/holdings/storage-days.ts'
import type { WebhookEvent } from '../../src/contract/resources/event.ts'
import type { Item, ItemSummary } from '../../src/contract/resources/item.ts'
import { forAllTests } from '../support/each.ts'
import { newOperator, operatorWith } from '../support/operator.ts'
import { servedBy } from '../support/served.ts'

const operator = forAllTests(operatorWith())
const served = forAllTests(servedBy(operator, { isOwn: true }))

const report = <T>(...args: string[]) => operator.json<T>(['report', ...args])
const counts = (groups: readonly Group[]) =>
  Object.fromEntries(groups.filter(({ items }) => items > 0).map(({ group, items }) => [group, items]))

test('holdings now, and holdings computed from the whole log, equal items summary', async () => {
  const { by_status } = await operator.look<ItemSummary>(['items', 'summary'])
  const { delivered: _, released: __, withdrawn: ___, ...held } = by_status
  const total = Object.values(held).reduce((sum, count) => sum + count, 0)
  const groups = await report<Group[]>('holdings')
  expect(counts(groups)).toEqual({ ...held, total })
  expect(await report<Group[]>('holdings', '--at', '0s')).toEqual(groups)
  const byGrader = await report<Group[]>('holdings', '--by', 'grader')
  expect(byGrader.slice(0, -1).reduce((sum, { items }) => sum + items, 0)).toBe(total)
  const { stdout } = await operator.run(['items', 'summary', '--no-header'])
  expect(stdout.trimEnd().split('\n')).toContain(`held\t${total}`)
})

test('holdings by grader count each grader once, however its name is written', async () => {
  const fresh = await newOperator()
  for (const [at, grader] of ['PSA', 'PSA 10', 'Beckett', 'BGS', 'Beckett (BGS)'].entries())
    await fresh.json([
      'sandbox',
      'intake',
      '--grader',
      grader,
      '--grade',
      '9',
      '--cert-number',
      `7770000${at}`,
    ])
  const groups = await fresh.json<Group[]>(['report', 'holdings', '--by', 'grader'])
  const names = groups.map(({ group }) => group)
  expect(names.filter((name) => /PSA|BGS|Beckett/i.test(name)).toSorted()).toEqual(['BGS', 'PSA'])
  expect(names).toContain('none')
  fresh.leave()
})

test('holdings at a day are the items that had arrived and not left by its end', async () => {
  const events = await operator.look<WebhookEvent[]>(['events', 'ls', '--all'])
  const day = events[Math.floor(events.length / 2)]?.created_at.slice(0, 10) ?? ''
  const last = new Map<string, string>()
  for (const { type, created_at, data } of events)
    if (created_at.slice(0, 10) <= day && type.startsWith('item.')) {
      const { qid, status, item } = data as { qid: string; status?: string; item?: Item }
      last.set(qid, status ?? item?.status ?? '')
    }
  const statuses = [...last.values()].filter((status) => !/delivered|released|withdrawn/.test(status))
  const expected = Object.groupBy(statuses, (status) => status)
  const { total, ...found } = counts(await report<Group[]>('holdings', '--at', day))
  expect(found).toEqual(Object.fromEntries(Object.entries(expected).map(([key, all]) => [key, all?.length])))
  expect(total).toBe(statuses.length)
})

test('report rejects a day that has not begun', async () => {
  for (const name of ['holdings', 'ageing']) {
    const ran = await operator.run(['report', name, '--at', '2099-01-01'])
    expect([ran.exitCode, ran.stdout, ran.stderr]).toEqual([
      2,
      '',
      expect.stringContaining('--at: "2099-01-01" is in the future.'),
    ])
  }
})

test('ageing groups add up to the holdings, and each item is in one group', async () => {
  const [total] = (await report<Group[]>('holdings')).slice(-1)
  const ages = await report<Group[]>('ageing', '--buckets', '5,10,15,20')
  expect(ages.map(({ group }) => group)).toEqual([
    '0 to 5',
    '6 to 10',
    '11 to 15',
    '16 to 20',
    '21 and more',
    'total',
  ])
  expect(ages.slice(0, -1).reduce((sum, { items }) => sum + items, 0)).toBe(total?.items)
  const wrong = await operator.run(['report', 'ageing', '--buckets', '30,20'])
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('ascending')])
})

test("a day's item-days are its holdings without items in transit, and a charge is exact", async () => {
  const today = new Date().toISOString().slice(0, 10)
  const events = await operator.look<WebhookEvent[]>(['events', 'ls', '--all'])
  const sent = events.filter(({ data }) => (data as { status?: string }).status === 'in_transit')
  const sentDays = sent.map(({ created_at }) => created_at.slice(0, 10)).filter((day) => day < today)
  const month = sentDays.at(-1)?.slice(0, 7) ?? ''
  const days = await report<StorageDay[]>('storage', '--month', month, '--rate', '0.07')
  const total = days.at(-1)
  const sum = days.slice(0, -1).reduce((all, { item_days }) => all + item_days, 0)
  expect(total).toMatchObject({ date: 'total', item_days: sum, charge: (sum * 7) / 100 })
  const page = await operator.run(['report', 'storage', '--month', month, '--rate', '0.07', '--html', '-'])
  for (const { date } of days) expect(page.stdout).toContain(`>${date}<`)
  let inTransit = 0
  for (const { date, item_days } of days.filter(({ date }) => sentDays.includes(date))) {
    const found = counts(await report<Group[]>('holdings', '--at', date))
    expect([date, item_days]).toEqual([date, (found.total ?? 0) - (found.in_transit ?? 0)])
    inTransit += found.in_transit ?? 0
  }
  expect(inTransit).toBeGreaterThan(0)
})

test('values join by certificate and grader; rows that contradict each other or are damaged exit 6', async () => {
  const slabs = await operator.json<Item[]>([
    'items',
    'ls',
    '--status',
    'available',
    '--grader',
    'PSA',
    '--limit',
    '2',
  ])
  const [a, b] = slabs as [Item, Item]
  operator.write(
    'values.csv',
    `Cert Number,Grade Issuer,Value\n${a.cert_number},PSA,"$1,200.50"\n${b.cert_number},HGA,$9\n`,
  )
  const { stdout, stderr } = await operator.run(['report', 'holdings', '--values', 'values.csv', '--json'])
  expect((JSON.parse(stdout) as Group[]).at(-1)?.value).toBe(1200.5)
  expect(stderr).toContain('1 row of values.csv for items that are not held')
  operator.write('twice.csv', `Cert Number,Value\n${a.cert_number},1\n${a.cert_number},2\n`)
  const twice = await operator.run(['report', 'holdings', '--values', 'twice.csv'])
  expect([twice.exitCode, twice.stderr]).toEqual([6, expect.stringContaining('another value in line 2')])
  operator.write('cut.csv', `Cert Number,Value\n${a.cert_number},1\n'1.23457E+15,2\n`)
  const cut = await operator.run(['report', 'holdings', '--values', 'cut.csv'])
  expect([cut.exitCode, cut.stderr]).toEqual([
    6,
    expect.stringMatching(/line 3 +"1.23457E\+15" looks damaged/),
  ])
  operator.write('total.csv', `Cert Number,Value\n${a.cert_number},1\n,1\n`)
  const total = await operator.run(['report', 'holdings', '--values', 'total.csv'])
  expect(total.stderr).toContain('1 row of total.csv with a value but without a certificate or QID')
})

test("values are the partner's own, from a named column, empty where missing, and never read as thousands", async () => {
  const listed = ['items', 'ls', '--status', 'available', '--grader', 'PSA', '--limit', '2']
  const [a, b] = (await operator.json<Item[]>(listed)) as [Item, Item]
  const valuesOf = async (...rows: string[]) => {
    operator.write('own.csv', `${rows.join('\n')}\n`)
    const ran = await operator.run(['report', 'holdings', '--items', '--values', 'own.csv', '--json'])
    const items = ran.exitCode === 0 ? (JSON.parse(ran.stdout) as Array<Item & { value: number | null }>) : []
    const of = ({ qid }: Item) => items.find((item) => item.qid === qid)?.value
    return { ...ran, values: [of(a), of(b)] }
  }
  const own = await valuesOf(
    'Cert Number,PSA Estimate,My Value',
    `${a.cert_number},$20,$31`,
    `${b.cert_number},$7,`,
  )
  expect(own.values).toEqual([31, null])
  expect(own.stderr).toContain('Values are from column "My Value" of own.csv, not from "PSA Estimate"')
  const estimate = await valuesOf('Cert Number,PSA Estimate,My Value', `${a.cert_number},$20,`)
  expect([estimate.values, estimate.stderr]).toEqual([
    [20, null],
    expect.stringContaining('Values are from column "PSA Estimate"'),
  ])
  const none = await valuesOf('Cert Number,PSA Estimate,My Value', `${a.cert_number},,`)
  expect([none.exitCode, none.stderr]).toEqual([
    6,
    expect.stringMatching(/own.csv has no values: .*My Value.* and .*PSA Estimate.* are empty/),
  ])
  for (const amount of ['1.234', '$1.234', '1.234.567', '"0,123"']) {
    const { exitCode, stderr } = await valuesOf('Cert Number,Value', `${a.cert_number},${amount}`)
    expect([amount, exitCode, stderr]).toEqual([amount, 6, expect.stringContaining('may mean thousands')])
  }
  expect((await valuesOf('Cert Number,Value', `${a.cert_number},"$1,234"`)).values).toEqual([1234, null])
  const words = await valuesOf('Cert Number,Value', `${a.cert_number},$5`, `${b.cert_number},n/a`)
  expect(words.stderr).toContain('"line 3":["\\"n/a\\" is not an amount"]')
})

test('a value that counts for two QIDs of one slab is named', async () => {
  const cert = '61234567'
  operator.write('twice-held.csv', `name,grader,grade,cert_number\nMew,PSA,9,${cert}\n`)
  for (const args of [[], ['--no-lint', '--again']])
    expect((await operator.run(['warehouse', 'intake', 'twice-held.csv', ...args])).exitCode).toBe(0)
  const held = await operator.look<Item[]>(['items', 'ls', '--cert-number', cert])
  expect(held).toHaveLength(2)
  operator.write('one.csv', `Cert Number,Value\n${cert},10\n`)
  const { stdout, stderr } = await operator.run(['report', 'holdings', '--values', 'one.csv', '--json'])
  expect((JSON.parse(stdout) as Group[]).at(-1)?.value).toBe(20)
  expect(stderr).toContain('1 value counts more than once, as the slab is held under several QIDs: ')
  for (const { qid } of held) expect(stderr).toContain(qid)
})

test('every report is the same over HTTP and has a page with its figures', async () => {
  const month = new Date(Date.now() - 32 * 86_400_000).toISOString().slice(0, 7)
  for (const args of [['holdings'], ['holdings', '--at', '0s', '--items'], ['storage', '--month', month]]) {
    const here = await operator.run(['report', ...args, '--output', 'csv'])
    expect(here.exitCode).toBe(0)
    expect((await operator.run(['report', ...args, '--output', 'csv'], served.overHttp)).stdout).toBe(
      here.stdout,
    )
  }
  const groups = await report<Group[]>('holdings')
  const { stdout } = await operator.run(['report', 'holdings', '--html', '-'])
  for (const { items } of groups.slice(0, -1)) expect(stdout).toContain(`data-units="${items}"`)
})
