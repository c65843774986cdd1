import { beforeEach, describe, expect, test } from 'vitest'
import type { Item } from '../../src/contract/resources/item.ts'
import { shelve } from '../support/arrivals.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { eventLines } from '../support/event-lines.ts'
import { usualDatabases } from '../support/harness.ts'
import { address, orderOf } from '../support/orders.ts'

describe.each(usualDatabases)('creating fulfillments over $name (decisions 10)', (database) => {
  const harness = forEachTest(harnessWith(database))
  let slabs: Item[]
  beforeEach(async () => {
    slabs = await shelve(harness, [{}, {}, {}])
  })

  test('answers 201 with the whole fulfillment of 2.7, and GET the same bytes', async () => {
    const { client } = harness
    const more = { external_ref: 'SO-7', special_instructions: 'Ring twice', deliver_by: '2026-05-01' }
    const { data, status, text } = await client.createFulfillment({ body: orderOf(slabs.slice(0, 2), more) })
    expect(status).toBe(201)
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/),
      qids: [slabs[0]?.qid, slabs[1]?.qid],
      status: 'pending',
      processing_stage: null,
      shipping_address: address,
      carrier: null,
      service: null,
      tracking_number: null,
      tracking_url: null,
      issue: null,
      ...more,
      created_at: '2026-05-01T09:00:00.000Z',
      updated_at: '2026-05-01T09:00:00.000Z',
      type: 'standard',
      verified_address_id: null,
    })
    const found = await client.getFulfillment({ params: { fulfillment_id: data.id.toUpperCase() } })
    expect(found.text).toBe(text)
  })

  test("puts its items in fulfillment, with its event before theirs and the resource's bytes", async () => {
    const { client } = harness
    const [first, second] = slabs as [Item, Item]
    const { data } = await client.createFulfillment({ body: orderOf([second, first]) })
    const events = await harness.events()
    expect(eventLines(events)).toEqual([
      `fulfillment.status.changed ${data.id} pending`,
      `item.status.changed ${second.qid} in_fulfillment`,
      `item.status.changed ${first.qid} in_fulfillment`,
    ])
    const held = (await client.getItem({ params: { qid: first.qid } })).data
    expect(held).toEqual({ ...first, status: 'in_fulfillment', active_fulfillment_id: data.id })
    expect(events.map((event) => event.data)).toEqual([data, { ...held, ...second, ...statusOf(held) }, held])
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

  test('answers 409 with requested and available if a SKU is short, and takes none', async () => {
    const { client } = harness
    await shelve(harness, [{ sku: 'ETB-1' }, { sku: 'ETB-1' }, { sku: 'ETB-1', status: 'digitized' }])
    const body = { sku: 'ETB-1', quantity: 3, shipping_address: address }
    await expect(client.createFulfillment({ body })).rejects.toMatchObject({
      status: 409,
      code: 'state_conflict',
      message: 'ETB-1 has only 2 of the 3 requested items available.',
      extra: { availability: [{ sku: 'ETB-1', requested: 3, available: 2 }] },
    })
    expect(await harness.events()).toEqual([])
    const { data } = await client.createFulfillment({ body: { ...body, quantity: 2 } })
    expect(data.qids).toHaveLength(2)
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

function statusOf({ status, active_fulfillment_id }: Item): Partial<Item> {
  return { status, active_fulfillment_id }
}
