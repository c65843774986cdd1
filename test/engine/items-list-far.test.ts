import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import type { ItemStatus } from '../../src/contract/enums.ts'
import { nameMax } from '../../src/contract/limits.ts'
import type { QueryInput, QueryOf } from '../../src/contract/operations.ts'
import { isHeld, stockChange } from '../../src/domain/items/item-states.ts'
import { makeQid, qidRandomBytes } from '../../src/domain/items/qid.ts'
import { defaultSettings, type UnitOfWork } from '../../src/engine/context.ts'
import { listItems } from '../../src/engine/items/item-list.ts'
import { changedItem, countItem, loadItem, saveItems } from '../../src/engine/items/items.ts'
import { readContext } from '../../src/engine/unit-of-work.ts'
import { type Tx, transactionOver } from '../../src/store/database.ts'
import { insertItems, type OwnItem } from '../../src/store/tables/items.ts'
import type { Scope } from '../../src/store/tables/scopes.ts'
import { forAllTests, harnessWith } from '../support/each.ts'
import { databases, type Harness, usualTest } from '../support/harness.ts'
import { itemOf } from '../support/stored-items.ts'
import { withWork } from '../support/with-work.ts'

type Query = NonNullable<QueryInput<'listItems'>>
type Order = Pick<Query, 'sort_by' | 'sort_dir'>
type Filter = Pick<Query, 'status' | 'grader' | 'intake_after' | 'intake_before'>

const total = 11_500
const pageSize = 250
const statuses: readonly ItemStatus[] = Array.from({ length: 10 }, (_, n) =>
  n === 4 ? 'delivered' : n === 9 ? 'received' : 'available',
)
const orders: readonly Order[] = (['intake_at', 'updated_at'] as const).flatMap((sort_by) =>
  (['asc', 'desc'] as const).map((sort_dir) => ({ sort_by, sort_dir })),
)

/** Pages so far from both ends that the counts of ten days each find them. */
describe.each(databases)('pages in the middle of long lists over $name (4.3)', (database) => {
  const usual = usualTest(database)
  const harness = forAllTests(harnessWith(database))
  /** In the order of their numbers. */
  let items: OwnItem[]
  let ofThreeDays: OwnItem[] | undefined
  beforeAll(async () => {
    items = await storeMany(harness, total, harness.scope, timesOf)
  })

  const expectPages = (filter: Filter, order: Order) => expectPagesOf(harness.client, items, filter, order)

  const expectPagesOf = async (
    client: Client,
    items: readonly OwnItem[],
    filter: Filter,
    order: Order,
  ): Promise<void> => {
    const { status, grader, intake_after = '', intake_before = '9' } = filter
    const meant = items.filter((item) => {
      const isMeant = status === undefined ? isHeld(item.status) : item.status === status
      const isTheirs = grader === undefined || item.grader === grader.toUpperCase()
      return isMeant && isTheirs && item.intake_at >= intake_after && item.intake_at < intake_before
    })
    const sorted = meant.map(({ qid }) => qid)
    const times = new Map(meant.map((item) => [item.qid, item[order.sort_by ?? 'intake_at']]))
    // Stable: items of one time are in the order of their numbers.
    sorted.sort((a, b) => compare(times.get(a), times.get(b)))
    if (order.sort_dir === 'desc') sorted.reverse()
    const middle = Math.ceil(sorted.length / 2 / pageSize)
    for (const page of [1, middle - 1, middle, middle + 1].filter((page) => page > 0)) {
      const query = { ...order, ...filter, page, page_size: pageSize }
      const { data } = await client.listItems({ query })
      expect(data.total).toBe(sorted.length)
      expect(data.results.map(({ qid }) => qid)).toEqual(sorted.slice((page - 1) * pageSize, page * pageSize))
    }
  }

  test.each(orders)('%o', async (order) => {
    await expectPages({}, order)
  })

  test.each(orders)('list the items of a status, %o', async (order) => {
    await expectPages({ status: 'available' }, order)
  })

  test.each(orders)('list the items of a range of intakes, %o', async (order) => {
    const [first, second] = [items[500]?.intake_at ?? '', items[11_000]?.intake_at ?? '']
    await expectPages({ intake_after: first }, order)
    await expectPages({ intake_before: second }, order)
    await expectPages({ intake_after: first, intake_before: second }, order)
    await expectPages({ status: 'available', intake_after: first }, order)
  })

  usual('a range within ten days may hold most items', async () => {
    ofThreeDays ??= await storeMany(harness, 9_400, harness.strangerScope, (n) => [
      timeAt(20 + (n % 3), n % 24),
      timeAt(60 + (n % 7), n % 24),
    ])
    const span = { intake_after: timeAt(20, 0), intake_before: timeAt(23, 0) }
    for (const order of orders) await expectPagesOf(harness.stranger, ofThreeDays, span, order)
  })

  test('ranges within ten days may be empty or the wrong way round', async () => {
    const [one, later] = [items[3000]?.intake_at ?? '', items[3100]?.intake_at ?? '']
    for (const order of orders) await expectPages({ intake_after: one, intake_before: later }, order)
    for (const span of [
      { intake_after: later, intake_before: one },
      { intake_after: '2031-01-01T00:00:00Z' },
    ]) {
      expect((await harness.client.listItems({ query: span })).data).toMatchObject({ results: [], total: 0 })
    }
  })

  /** The request, how many index entries are skipped and counted before the page, and whether all matches are read. */
  const passedFor = (query: Query) =>
    harness.db.read(async (tx) => {
      const seen = { asked: 0, skipped: 0, counted: 0, isGathered: false }
      const watched = transactionOver({
        ...tx,
        all(given) {
          seen.asked += 1
          const [before, after] = given.sql.split('limit ? offset ?')
          if (after !== undefined)
            seen.skipped += Number(given.values[(before ?? '').split('?').length] as number)
          seen.isGathered ||= given.sql.includes('materialized')
          return tx.all(given)
        },
        async get<T>(given: Parameters<Tx['get']>[0]) {
          seen.asked += 1
          const row = await tx.get<T>(given)
          if (given.sql.includes('count(*) as n from items')) seen.counted += (row as { n: number }).n
          return row
        },
      })
      const view = readContext(watched, harness.scope, {
        sources: harness.sources,
        settings: defaultSettings,
      })
      const asked = {
        sort_by: 'intake_at',
        sort_dir: 'desc',
        page: 1,
        page_size: pageSize,
        ...query,
      } as const
      const list = await listItems(view, { query: asked as QueryOf<'listItems'> })
      return { ...seen, total: list.total }
    })

  /** Filters whose lists are walked in that order, or nearly so. */
  const walkedIn = (order: Order): Filter[] => {
    const span = { intake_after: items[500]?.intake_at ?? '', intake_before: items[11_000]?.intake_at ?? '' }
    return [{}, { status: 'available' }, ...(order.sort_by === 'intake_at' ? [span] : [])]
  }

  test.each(orders)('no page is far from where its search begins, %o', async (order) => {
    for (const filter of walkedIn(order)) {
      // In the middle, among 40 items of a day: the first far item, and one more.
      for (const page of [17, 18])
        expect((await passedFor({ ...order, ...filter, page })).skipped).toBeLessThan(1000)
    }
  })

  test.each(orders)('a page near an end is reached from that end, %o', async (order) => {
    for (const filter of walkedIn(order)) {
      const near = { ...order, ...filter }
      const { skipped, total } = await passedFor({ ...near, page: 3 })
      expect(skipped).toBe(2 * pageSize)
      const page = Math.ceil(total / pageSize) - 2
      expect((await passedFor({ ...near, page })).skipped).toBe(total - page * pageSize)
    }
  })

  test('a text longer than any name queries nothing', async () => {
    const askedFor = async (query: Query) => (await passedFor(query)).asked
    const longest = 'x'.repeat(18 * nameMax)
    for (const name of ['search', 'sku'] as const) {
      expect(await askedFor({ [name]: longest })).toBeGreaterThan(0)
      expect(await askedFor({ [name]: `${longest}x` })).toBe(0)
    }
  })

  test('the shorter part of the ten days at either end of a range is counted', async () => {
    const mostIn = (days: number) => days * 40
    const day = (n: number) => `2025-06-${String(n).padStart(2, '0')}T00:00:00.000Z`
    const countedFor = async (span: Filter) => (await passedFor(span)).counted
    for (const n of [12, 18]) {
      expect(await countedFor({ intake_after: day(n) })).toBeLessThanOrEqual(mostIn(2))
      expect(await countedFor({ intake_before: day(n) })).toBeLessThanOrEqual(mostIn(2))
    }
    expect(await countedFor({ intake_after: day(15) })).toBeLessThanOrEqual(mostIn(5))
    expect(await countedFor({ intake_after: day(15).replace('T00', 'T12') })).toBeLessThan(mostIn(5))
    expect(await countedFor({ intake_after: day(2), intake_before: day(28) })).toBeLessThanOrEqual(mostIn(3))
    expect(await countedFor({ intake_after: day(14), intake_before: day(16) })).toBeLessThanOrEqual(mostIn(2))
  })

  test('few items of a grader are collected; among many a page near an end is reached from there', async () => {
    const gathers = async (query: Query) => {
      const { isGathered, counted } = await passedFor(query)
      expect(counted > 0).toBe(query.grader === undefined)
      return isGathered
    }
    const changed = (grader: string, page: number) => gathers({ grader, sort_by: 'updated_at', page })
    expect([await changed('BGS', 1), await changed('PSA', 9)]).toEqual([true, true])
    expect([await changed('PSA', 1), await changed('PSA', 18)]).toEqual([false, false])
    expect(await gathers({ intake_after: items[11_000]?.intake_at })).toBe(false)
    for (const order of orders) await expectPages({ grader: 'PSA' }, order)
    for (const order of orders) await expectPages({ grader: 'PSA', status: 'available' }, order)
    for (const order of orders) await expectPages({ grader: 'bgs', status: 'available' }, order)
  })

  test('items that changed status are in their new place, and the counts agree', async () => {
    await withWork(harness, async (work) => {
      for (let at = 5000; at < 5400; at += 2) {
        const record = await loadItem(work, items[at]?.qid ?? '')
        const changed = { status: at % 4 === 0 ? 'received' : 'withdrawn', updated_at: work.now } as const
        const item: OwnItem = { ...record.item, ...changed }
        await saveItems(work, [changedItem(work, { ...record, item }, record)])
        items[at] = item
      }
    })
    for (const order of orders) await expectPages({}, order)
    expect(await harness.findings()).toEqual([])
  })
})

type Times = readonly [intake: string, update: string]

/** Over fourteen months: no items in some weeks, hundreds at one time, and changed in another order. */
function timesOf(n: number): Times {
  const day = Math.floor(n / 40) + (n > 6000 ? 45 : 0)
  return [timeAt(day, n % 80 < 50 ? 0 : n % 24), timeAt(day + ((n * 7919) % 400), n % 7)]
}

function storeMany(
  harness: Harness,
  count: number,
  scope: Scope,
  timesOf: (n: number) => Times,
): Promise<OwnItem[]> {
  const store = async (work: UnitOfWork) => {
    const entries = Array.from({ length: count }, (_, n) => {
      const [intake_at, updated_at] = timesOf(n)
      const status = statuses[n % statuses.length] ?? 'available'
      const item = itemOf(
        { name: 'a', sku: 'a', status, grader: graderOf(n), intake_at, updated_at },
        makeQid(work.random(qidRandomBytes)),
        work.now,
      )
      countItem(work, item, 1)
      work.stock(item.sku, stockChange(null, status), true)
      const facts = { item_no: work.nextItemNo(), manifest_id: null, transfer_id: null, condition_flags: [] }
      return { record: { ...facts, item }, doc: JSON.stringify(item) }
    })
    await insertItems(work.tx, entries)
    return entries.map(({ record }) => record.item)
  }
  return withWork(harness, store, scope)
}

function graderOf(n: number): string {
  if (n % 100 < 2) return 'BGS'
  return n % 2 === 0 ? 'PSA' : 'CGC'
}

function timeAt(day: number, hour: number): string {
  return new Date(Date.parse('2025-01-25T00:00:00.000Z') + (day * 24 + hour) * 3_600_000).toISOString()
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0
}
