import { beforeEach, describe, expect, test } from 'vitest'
import type { Item } from '../../src/contract/resources/item.ts'
import { shelve } from '../support/arrivals.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { usualDatabases } from '../support/harness.ts'
import { address, orderOf } from '../support/orders.ts'

describe.each(usualDatabases)('creating fulfillments over $name (decisions 10)', (database) => {
  const harness = forEachTest(harnessWith(database))
  let slabs: Item[]
  beforeEach(async () => {
    slabs = await shelve(harness, [{}, {}, {}])
  })

  test('takes the available items with the oldest intake for a SKU and a quantity', async () => {
    const { client } = harness
    const old = await shelve(harness, [{ sku: 'ETB-1', status: 'received' }, { sku: 'ETB-1' }])
    harness.pass(60_000)
    const recent = await shelve(harness, [{ sku: 'ETB-1' }, { sku: 'ETB-1' }])
    const body = { sku: 'ETB-1', quantity: 2, shipping_address: address }
    const { data } = await client.createFulfillment({ body })
    expect(data.qids).toEqual([old[1]?.qid, recent[0]?.qid])
  })

  test('answers 409 naming the unavailable items, and leaves the others', async () => {
    const { client } = harness
    const [first, second, third] = slabs as [Item, Item, Item]
    await client.createFulfillment({ body: orderOf([first]) })
    const [received] = (await shelve(harness, [{ status: 'received' }])) as [Item]
    const before = await harness.events()
    await expect(
      client.createFulfillment({ body: orderOf([second, first, received, third]) }),
    ).rejects.toMatchObject({
      status: 409,
      code: 'state_conflict',
      message: '2 of these items are not available.',
      extra: {
        availability: [
          { qid: first.qid, status: 'in_fulfillment', requested: 1, available: 0 },
          { qid: received.qid, status: 'received', requested: 1, available: 0 },
        ],
      },
    })
    await expect(client.createFulfillment({ body: orderOf([first]) })).rejects.toMatchObject({
      message: `${first.qid} is in_fulfillment, not available.`,
    })
    expect(await harness.events()).toEqual(before)
    expect((await client.listFulfillments({})).data.total).toBe(1)
  })

  test("judges deliver_by by the scope's clock, in UTC", async () => {
    const { client } = harness
    harness.pass(15 * 3_600_000)
    const body = orderOf(slabs, { deliver_by: '2026-05-01' })
    await expect(client.createFulfillment({ body })).rejects.toMatchObject({
      status: 400,
      extra: { fields: { deliver_by: ['2026-05-01 is before today, 2026-05-02 (UTC)'] } },
    })
    const later = await client.createFulfillment({ body: { ...body, deliver_by: '2026-05-02' } })
    expect(later.data.deliver_by).toBe('2026-05-02')
  })
})
