import { beforeEach, describe, expect, test } from 'vitest'
import type { ItemStatus } from '../../src/contract/enums.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { shelve } from '../support/arrivals.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { eventLines } from '../support/event-lines.ts'
import { usualDatabases } from '../support/harness.ts'

describe.each(usualDatabases)('sandbox/items/{qid}/advance over $name (4.3, decisions 8, 11)', (database) => {
  const harness = forEachTest(harnessWith(database))
  let seen: number
  beforeEach(async () => {
    seen = 0
  })

  async function advance(qid: string, to_status: ItemStatus): Promise<Item> {
    harness.pass(60_000)
    return (await harness.client.advanceItem({ params: { qid }, body: { to_status } })).data
  }

  /** The events since the last call; `slab` stands for the item's QID, `F` and `T` for another resource's id. */
  async function newEvents(qid: string): Promise<string[]> {
    const events = await harness.events()
    const before = seen
    seen = events.length
    const lines = eventLines(events.slice(before))
    return lines.map((line) => line.replace(qid, 'slab').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '#'))
  }

  const one = async (status?: 'received' | 'digitized' | 'available'): Promise<Item> =>
    (await shelve(harness, [status ? { status } : {}]))[0] as Item

  test('goes from received to available with imagery at digitized, one event each, and answers the item', async () => {
    const slab = await one('received')
    const available = await advance(slab.qid, 'available')
    const at = (variant: string) => `https://cdn.custody.example/items/${slab.qid}/${variant}.webp`
    expect(available).toEqual({
      ...slab,
      status: 'available',
      updated_at: '2026-05-01T09:01:00.000Z',
      image_assets: [
        { variant: 'front', url: at('front'), width: 1500, height: 2500, format: 'webp' },
        { variant: 'back', url: at('back'), width: 1500, height: 2500, format: 'webp' },
        { variant: 'label', url: at('label'), width: 1500, height: 500, format: 'webp' },
      ],
    })
    expect((await harness.client.getItem({ params: { qid: slab.qid } })).data).toEqual(available)
    expect(await newEvents(slab.qid)).toEqual([
      'item.status.changed slab digitized',
      'item.status.changed slab available',
    ])
    const [digitized] = await harness.events()
    expect(digitized?.data).toEqual({ ...available, status: 'digitized' })
  })

  test("keeps the catalog's imagery of a product", async () => {
    const [box] = (await shelve(harness, [{ sku: 'ETB-1', status: 'received' }])) as [Item]
    expect((await advance(box.qid, 'digitized')).image_assets).toEqual([])
  })

  test('goes from available to delivered through a fixture fulfillment that the partner can read', async () => {
    const slab = await one()
    const delivered = await advance(slab.qid, 'delivered')
    expect(delivered).toMatchObject({ status: 'delivered', active_fulfillment_id: null })
    expect(await newEvents(slab.qid)).toEqual([
      'fulfillment.status.changed # pending',
      'item.status.changed slab in_fulfillment',
      'fulfillment.status.changed # processing',
      'fulfillment.status.changed # shipped',
      'item.status.changed slab in_transit',
      'fulfillment.status.changed # delivered',
      'item.status.changed slab delivered',
    ])
    const { data } = await harness.client.listFulfillments({ query: { qid: slab.qid } })
    expect(data.results).toEqual([
      expect.objectContaining({
        qids: [slab.qid],
        status: 'delivered',
        type: 'standard',
        external_ref: null,
        shipping_address: expect.objectContaining({ city: 'Portland', state: 'OR', country: 'US' }),
        carrier: expect.any(String),
        tracking_number: expect.any(String),
      }),
    ])
  })

  test('covers the whole life one step at a time: intake, available, fulfillment, delivered, returned, sold back', async () => {
    const { qid } = await one('received')
    const path = ['digitized', 'available', 'in_fulfillment', 'in_transit', 'delivered', 'received'] as const
    for (const status of [...path, 'available', 'pending_transfer', 'released'] as const) {
      expect((await advance(qid, status)).status).toBe(status)
    }
    expect((await newEvents(qid)).slice(-4)).toEqual([
      'transfer.requested # requested',
      'item.status.changed slab pending_transfer',
      'transfer.completed # completed',
      'item.status.changed slab released',
    ])
    expect((await harness.client.getItemSummary({})).data).toMatchObject({
      total: 1,
      by_status: { released: 1 },
    })
  })

  test('goes from delivered to available by return, intake, imagery, and shelf, with one fulfillment', async () => {
    const { qid } = await one()
    await advance(qid, 'delivered')
    await newEvents(qid)
    const back = await advance(qid, 'available')
    expect(back.intake_at).toBe('2026-05-01T09:02:00.000Z')
    expect(await newEvents(qid)).toEqual([
      'fulfillment.status.changed # returned',
      'fulfillment.returned # returned',
      'item.status.changed slab received',
      'item.intake.completed slab received',
      'item.status.changed slab digitized',
      'item.status.changed slab available',
    ])
    expect((await harness.client.listIntakes({})).data.total).toBe(1)
    expect((await harness.client.listFulfillments({})).data.total).toBe(1)
  })

  test('goes from in_fulfillment to available by cancelling before pick, and by shipping and a return after', async () => {
    const { client } = harness
    const { qid } = await one()
    await advance(qid, 'in_fulfillment')
    await newEvents(qid)
    await advance(qid, 'available')
    expect(await newEvents(qid)).toEqual([
      'fulfillment.status.changed # cancelled',
      'item.status.changed slab available',
    ])
    const held = await advance(qid, 'in_fulfillment')
    const params = { fulfillment_id: held.active_fulfillment_id ?? '' }
    await client.advanceFulfillment({ params, body: { to_status: 'processing', to_stage: 'picked' } })
    await newEvents(qid)
    await advance(qid, 'available')
    expect(await newEvents(qid)).toEqual([
      'fulfillment.status.changed # shipped',
      'item.status.changed slab in_transit',
      'fulfillment.status.changed # returned',
      'fulfillment.returned # returned',
      'item.status.changed slab received',
      'item.intake.completed slab received',
      'item.status.changed slab digitized',
      'item.status.changed slab available',
    ])
  })

  test('withdraws through a withdrawal, and answers 400 while a standard fulfillment holds the item', async () => {
    const { client } = harness
    const { qid } = await one()
    expect((await advance(qid, 'withdrawn')).active_fulfillment_id).toBeNull()
    const { data } = await client.listFulfillments({})
    expect(data.results[0]).toMatchObject({ type: 'withdrawal', status: 'delivered' })
    const other = await one()
    await advance(other.qid, 'in_fulfillment')
    await expect(advance(other.qid, 'withdrawn')).rejects.toMatchObject({
      status: 400,
      code: 'validation_error',
      extra: { from: 'in_fulfillment', to: 'withdrawn', fields: { to_status: [expect.any(String)] } },
    })
  })
})
