import { beforeEach, describe, expect, test } from 'vitest'
import type { RequestedItems } from '../../src/domain/fulfillments/fulfillment-csv.ts'
import {
  fill as fillFrom,
  stockShelf,
  takeFromShelf,
} from '../../src/engine/fulfillments/stock-allocation.ts'
import { moveItem } from '../../src/engine/items/items.ts'
import { transactionOver } from '../../src/store/database.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { usualDatabases } from '../support/harness.ts'
import { storeItems } from '../support/stored-items.ts'
import { withWork } from '../support/with-work.ts'

describe.each(usualDatabases)('stock for the rows of a file, over $name (4.4)', (database) => {
  const harness = forEachTest(harnessWith(database))
  let qids: string[]
  beforeEach(async () => {
    const items = ['A', 'A', 'A', 'B', 'B', 'B', 'B'].map((sku, at) => ({ sku, name: `${sku}${at}` }))
    qids = (await storeItems(harness, items)).map(({ qid }) => qid)
  })

  const units = (sku: string, quantity: number): RequestedItems => ({ sku, quantity })
  /** What each row gets, and how many rows needed their own query. */
  const fill = (rows: readonly RequestedItems[]) =>
    withWork(harness, async (work) => {
      let asked = 0
      const tx = transactionOver({
        ...work.tx,
        all: (query) => {
          asked += 1
          return work.tx.all(query)
        },
      })
      const shelf = await stockShelf(
        { ...work, tx },
        rows.map((wanted) => ({ wanted })),
      )
      const got: string[] = []
      let alone = 0
      for (const wanted of rows) {
        asked = 0
        const filled = await fillFrom({ ...work, tx }, shelf, wanted)
        if (asked > 0) alone += 1
        const items = 'items' in filled ? filled.items : []
        got.push(items.map(({ item }) => item.name).join(' '))
        const moved = []
        for (const each of items) moved.push(await moveItem(work, each, 'fulfillment_created'))
        takeFromShelf(shelf, moved)
      }
      return { got, alone }
    })

  test('is looked up for all rows together', async () => {
    const rows = [units('A', 1), units('B', 2), units('A', 2), units('B', 1)]
    expect(await fill(rows)).toEqual({ got: ['A0', 'B3 B4', 'A1 A2', 'B5'], alone: 0 })
  })

  test('is given in full if enough, and only what is left if short', async () => {
    const rows = [units('A', 2), units('A', 2), units('A', 1), units('A', 1), units('B', 5), units('B', 4)]
    expect((await fill(rows)).got).toEqual(['A0 A1', '', 'A2', '', '', 'B3 B4 B5 B6'])
  })

  test('never includes an item that another row names, and keeps the others in order', async () => {
    const named = (at: number): RequestedItems => ({ qid: qids[at] ?? '' })
    const last = [named(2), units('A', 1), units('A', 1), units('A', 1)]
    expect((await fill(last)).got).toEqual(['A2', 'A0', 'A1', ''])
    const twice = [named(4), named(4), units('B', 2)]
    expect((await fill(twice)).got).toEqual(['B4', '', 'B3 B5'])
  })

  test('includes what is left behind a named item after a row that wanted too many', async () => {
    const rows = [units('A', 4), { qid: qids[1] ?? '' }, units('A', 3), units('A', 2)]
    expect((await fill(rows)).got).toEqual(['', 'A1', '', 'A0 A2'])
  })

  test('is looked up a thousand at a time, and a row beyond that makes its own lookup', async () => {
    expect((await fill([units('A', 600), units('B', 400)])).alone).toBe(0)
    expect((await fill([units('A', 600), units('B', 401)])).alone).toBe(1)
    expect((await fill([units('A', 600), units('B', 401), units('C', 1)])).alone).toBe(1)
    expect((await fill([units('A', 600), units('B', 1), units('A', 400)])).alone).toBe(1)
  })

  test('is rejected for a SKU without stock, and for an item that is gone', async () => {
    expect(await fill([units('C', 1), { qid: 'Q-0000-0000-0000' }])).toEqual({ got: ['', ''], alone: 0 })
  })
})
