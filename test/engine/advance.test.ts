import { beforeEach, describe, expect, test } from 'vitest'
import type { ItemStatus } from '../../src/contract/enums.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { shelve } from '../support/arrivals.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { eventLines } from '../support/event-lines.ts'
import { databases } from '../support/harness.ts'

describe.each(databases)('sandbox/items/{qid}/advance over $name (4.3, decisions 8, 11)', (database) => {
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
})
