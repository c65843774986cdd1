import { beforeEach, describe, expect, test } from 'vitest'
import type { Transfer } from '../../src/contract/resources/fulfillment.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { shelve } from '../support/arrivals.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { eventLines } from '../support/event-lines.ts'
import { usualDatabases } from '../support/harness.ts'
import { orderOf } from '../support/orders.ts'

describe.each(usualDatabases)('transfers over $name (2.8, 3.5, 4.5)', (database) => {
  const harness = forEachTest(harnessWith(database))
  let slabs: Item[]
  let qids: string[]
  beforeEach(async () => {
    slabs = await shelve(harness, [{}, {}])
    qids = slabs.map(({ qid }) => qid)
  })

  const request = async (external_ref?: string): Promise<Transfer> =>
    (await harness.client.requestTransfer({ body: { qids, external_ref } })).data
  const itemLines = (status: string) => qids.map((qid) => `item.status.changed ${qid} ${status}`)

  async function stock(): Promise<object> {
    const { sku } = slabs[0] as Item
    const { data } = await harness.client.listInventory({ query: { sku } })
    const { by_status } = (await harness.client.getItemSummary({})).data
    return { ...data.results[0], by_status }
  }

  test.each([
    ['completed', 'released', { on_hand: 0, available: 0, allocated: 0 }],
    ['declined', 'available', { on_hand: 2, available: 2, allocated: 0 }],
  ] as const)('%s: their items become %s, and stock follows', async (to_status, itemStatus, levels) => {
    const requested = await request()
    harness.pass(60_000)
    const params = { transfer_id: requested.id }
    const { data, status } = await harness.client.resolveTransfer({ params, body: { to_status } })
    expect(status).toBe(200)
    expect(data).toEqual({ ...requested, status: to_status, updated_at: '2026-05-01T09:01:00.000Z' })
    const events = (await harness.events()).slice(3)
    expect(eventLines(events)).toEqual([
      `transfer.${to_status} ${data.id} ${to_status}`,
      ...itemLines(itemStatus),
    ])
    expect(events[0]?.data).toEqual(data)
    expect(await stock()).toMatchObject({ ...levels, by_status: { [itemStatus]: 2, pending_transfer: 0 } })
  })

  test('hold an item that can neither be sent nor sold back again: a 409 names it', async () => {
    await request()
    const availability = qids.map((qid) => ({ qid, status: 'pending_transfer', requested: 1, available: 0 }))
    await expect(request()).rejects.toMatchObject({ status: 409, extra: { availability } })
    await expect(harness.client.createFulfillment({ body: orderOf(slabs) })).rejects.toMatchObject({
      status: 409,
      extra: { availability },
    })
  })
})
