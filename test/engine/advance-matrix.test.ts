import { describe, expect, test } from 'vitest'
import { type ItemStatus, itemStatuses } from '../../src/contract/enums.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { sql } from '../../src/store/database.ts'
import { shelve } from '../support/arrivals.ts'
import { type Harness, startHarness, usualDatabases } from '../support/harness.ts'

/** An item of a standard fulfillment cannot be withdrawn (ruling 11), and a released item is gone. */
function isReachable(from: ItemStatus, to: ItemStatus): boolean {
  if (from === to || from === 'released') return false
  return !(to === 'withdrawn' && (from === 'in_fulfillment' || from === 'in_transit'))
}

describe.each(usualDatabases)('every pair of item statuses over $name (decisions 7, 8)', (database) => {
  test('reaches what the graph reaches, rejects the rest, and keeps every count', async () => {
    const harness = await startHarness(database)
    for (const from of itemStatuses) {
      for (const to of itemStatuses) {
        const qid = await itemIn(harness, from)
        const outcome = await outcomeOf(harness, qid, to)
        expect([from, to, outcome]).toEqual([from, to, isReachable(from, to) ? to : 400])
      }
    }
    const kept = (await harness.client.getItemSummary({})).data
    expect(kept.total).toBe(itemStatuses.length ** 2)
    expect(Object.fromEntries(Object.entries(kept.by_status).filter(([, n]) => n > 0))).toEqual(
      await recounted(harness),
    )
    expect(await adrift(harness)).toEqual([])
    await harness.close()
  })
})

/** A new item in a given status. */
async function itemIn(harness: Harness, status: ItemStatus): Promise<string> {
  const isEarly = status === 'received' || status === 'digitized'
  const [{ qid }] = (await shelve(harness, [{ status: isEarly ? 'received' : 'available' }])) as [Item]
  if (status !== 'received' && status !== 'available') await outcomeOf(harness, qid, status)
  return qid
}

async function outcomeOf(harness: Harness, qid: string, to_status: ItemStatus): Promise<ItemStatus | number> {
  return harness.client.advanceItem({ params: { qid }, body: { to_status } }).then(
    ({ data }) => data.status,
    (error) => error.status,
  )
}

async function recounted({ db, scope }: Harness): Promise<Record<string, number>> {
  const rows = await db.read((tx) =>
    tx.all<{ status: string; n: number }>(
      sql`select status, count(*) as n from items where scope_id = ${scope.id} group by status`,
    ),
  )
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}

/** Items that name a fulfillment or a transfer although their status says that none holds them, or the reverse. */
async function adrift({ db, scope }: Harness): Promise<unknown[]> {
  return db.read((tx) =>
    tx.all(sql`
      select qid, status, fulfillment_id, transfer_id from items where scope_id = ${scope.id} and (
        (fulfillment_id is not null) <> (status in ('in_fulfillment', 'in_transit'))
        or (transfer_id is not null) <> (status = 'pending_transfer'))
      order by qid`),
  )
}
