import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ItemStatus } from '../../src/contract/enums.ts'
import type { QueryInput } from '../../src/contract/operations.ts'
import { isHeld, stockChange } from '../../src/domain/items/item-states.ts'
import { makeQid, qidRandomBytes } from '../../src/domain/items/qid.ts'
import { countItem, loadItem, putItem } from '../../src/engine/items/items.ts'
import { checkDatabase } from '../../src/store/maintenance/check.ts'
import { insertItems, type OwnItem } from '../../src/store/tables/items.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'
import { itemOf } from '../support/stored-items.ts'
import { withWork } from '../support/with-work.ts'

type Query = NonNullable<QueryInput<'listItems'>>
type Order = Pick<Query, 'sort_by' | 'sort_dir'>
type Filter = Pick<Query, 'status' | 'intake_after' | 'intake_before'>

const total = 11_500
const pageSize = 250
const statuses: readonly ItemStatus[] = ['available', 'available', 'available', 'available', 'delivered']
const orders: readonly Order[] = (['intake_at', 'updated_at'] as const).flatMap((sort_by) =>
  (['asc', 'desc'] as const).map((sort_dir) => ({ sort_by, sort_dir })),
)

/** Pages so far from both ends that they are found by the counts of ten days each. */
describe.each(databases)('pages in the middle of long lists over $name (4.3)', (database) => {
  let harness: Harness
  /** In the order of their numbers. */
  let items: OwnItem[]

  beforeAll(async () => {
    harness = await startHarness(database)
    items = await storeMany(harness)
  })
  afterAll(() => harness.close())

  const expectPages = async (filter: Filter, order: Order): Promise<void> => {
    const { status, intake_after = '', intake_before = '9' } = filter
    const meant = items.filter((item) => {
      const isMeant = status === undefined ? isHeld(item.status) : item.status === status
      return isMeant && item.intake_at >= intake_after && item.intake_at < intake_before
    })
    const sorted = meant.map(({ qid }) => qid)
    const times = new Map(meant.map((item) => [item.qid, item[order.sort_by ?? 'intake_at']]))
    // Stable: of one time in the order of their numbers.
    sorted.sort((a, b) => compare(times.get(a), times.get(b)))
    if (order.sort_dir === 'desc') sorted.reverse()
    const middle = Math.ceil(sorted.length / 2 / pageSize)
    for (const page of [middle - 1, middle, middle + 1].filter((page) => page > 0)) {
      const query = { ...order, ...filter, page, page_size: pageSize }
      const { data } = await harness.client.listItems({ query })
      expect(data.total).toBe(sorted.length)
      expect(data.results.map(({ qid }) => qid)).toEqual(sorted.slice((page - 1) * pageSize, page * pageSize))
    }
  }

  test.each(orders)('%o', async (order) => {
    await expectPages({}, order)
  })

  test.each(orders)('of a status, %o', async (order) => {
    await expectPages({ status: 'available' }, order)
  })

  test.each(orders)('of a span of intakes, %o', async (order) => {
    const [first, second] = [items[500]?.intake_at ?? '', items[11_000]?.intake_at ?? '']
    await expectPages({ intake_after: first }, order)
    await expectPages({ intake_before: second }, order)
    await expectPages({ intake_after: first, intake_before: second }, order)
    await expectPages({ status: 'available', intake_after: first }, order)
  })

  test('spans within ten days, without any item, and the wrong way round', async () => {
    const [one, later] = [items[3000]?.intake_at ?? '', items[3100]?.intake_at ?? '']
    for (const order of orders) await expectPages({ intake_after: one, intake_before: later }, order)
    for (const span of [
      { intake_after: later, intake_before: one },
      { intake_after: '2031-01-01T00:00:00Z' },
    ]) {
      expect((await harness.client.listItems({ query: span })).data).toMatchObject({ results: [], total: 0 })
    }
  })

  test('after items changed their status they are where they belong, and the counts agree', async () => {
    await withWork(harness, async (work) => {
      for (let at = 5000; at < 5400; at += 2) {
        const record = await loadItem(work, items[at]?.qid ?? '')
        const changed = { status: at % 4 === 0 ? 'received' : 'withdrawn', updated_at: work.now } as const
        const item: OwnItem = { ...record.item, ...changed }
        await putItem(work, { ...record, item }, record.item)
        items[at] = item
      }
    })
    for (const order of orders) await expectPages({}, order)
    expect(await checkDatabase(harness.db)).toEqual([])
  })
})

/** Over fourteen months: none in some weeks, hundreds at one time, and changed in another order. */
function storeMany(harness: Harness): Promise<OwnItem[]> {
  return withWork(harness, async (work) => {
    const entries = Array.from({ length: total }, (_, n) => {
      const day = Math.floor(n / 40) + (n > 6000 ? 45 : 0)
      const intake_at = timeAt(day, n % 80 < 50 ? 0 : n % 24)
      const updated_at = timeAt(day + ((n * 7919) % 60), n % 7)
      const status = statuses[n % statuses.length] ?? 'available'
      const item = itemOf(
        { name: 'a', sku: 'a', status, intake_at, updated_at },
        makeQid(work.random(qidRandomBytes)),
        work.now,
      )
      countItem(work, item, 1)
      work.stock(item.sku, stockChange(null, status))
      const facts = { item_no: work.nextItemNo(), manifest_id: null, transfer_id: null, condition_flags: [] }
      return { record: { ...facts, item }, doc: JSON.stringify(item) }
    })
    await insertItems(work.tx, work.scope.id, entries)
    return entries.map(({ record }) => record.item)
  })
}

function timeAt(day: number, hour: number): string {
  return new Date(Date.parse('2025-01-25T00:00:00.000Z') + (day * 24 + hour) * 3_600_000).toISOString()
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0
}
