import { beforeEach, describe, expect, test } from 'vitest'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { shelve } from '../support/arrivals.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { databases } from '../support/harness.ts'
import { orderOf } from '../support/orders.ts'

describe.each(databases)('reading fulfillments over $name (4.4, decisions 10)', (database) => {
  const harness = forEachTest(harnessWith(database))
  let slabs: Item[]
  let made: Fulfillment[]
  beforeEach(async () => {
    slabs = await shelve(harness, [{}, {}, {}, {}, {}])
    made = []
    for (const [index, slab] of slabs.entries()) {
      const body = orderOf([slab], { external_ref: index % 2 ? 'odd' : 'even' })
      made.push((await harness.client.createFulfillment({ body })).data)
    }
    await cancel(made[0])
    await cancel(made[1])
  })

  async function cancel(fulfillment: Fulfillment | undefined): Promise<void> {
    const fulfillment_id = fulfillment?.id ?? ''
    const { data } = await harness.client.cancelFulfillment({ params: { fulfillment_id } })
    made[made.findIndex(({ id }) => id === fulfillment_id)] = data
  }

  test('filters by status, external_ref, and qid, alone and together, each with its total', async () => {
    const { client } = harness
    const again = await client.createFulfillment({ body: orderOf([slabs[0] as Item]) })
    const list = async (query: object) => {
      const { data } = await client.listFulfillments({ query: { ...query, page_size: 10 } })
      expect(data.total).toBe(data.results.length)
      return data.results
    }
    const [a, b, c, d, e] = made
    const qid = slabs[0]?.qid
    expect(await list({ status: 'cancelled' })).toEqual([b, a])
    expect(await list({ status: 'pending' })).toEqual([again.data, e, d, c])
    expect(await list({ external_ref: 'even' })).toEqual([e, c, a])
    expect(await list({ external_ref: 'even', status: 'pending' })).toEqual([e, c])
    expect(await list({ qid })).toEqual([again.data, a])
    expect(await list({ qid: qid?.toLowerCase(), status: 'cancelled' })).toEqual([a])
    expect(await list({ qid, external_ref: 'even' })).toEqual([a])
    expect(await list({ qid, external_ref: 'even', status: 'pending' })).toEqual([])
    expect(await list({ status: 'exception' })).toEqual([])
    expect(await list({ qid: 'nonsense' })).toEqual([])
    expect(await list({ external_ref: 'EVEN' })).toEqual([])
    expect(await list({ external_refs: '["odd","a,b"]' })).toEqual([d, b])
    expect(await list({ external_refs: '["odd","even","even"]', status: 'pending' })).toEqual([e, d, c])
    expect(await list({ external_refs: '["odd"]', external_ref: 'even' })).toEqual([])
    expect(await list({ external_refs: JSON.stringify(Array(100).fill('odd')) })).toEqual([d, b])
    const accented = await client.createFulfillment({
      body: orderOf([slabs[1] as Item], { external_ref: 'Café'.normalize('NFD') }),
    })
    for (const form of ['NFC', 'NFD'])
      expect(await list({ external_ref: 'Café'.normalize(form) })).toEqual([accented.data])
    for (const external_refs of [
      'odd',
      '[]',
      '[1]',
      '["odd",1]',
      '{}',
      '["\\ud800"]',
      JSON.stringify(Array(101).fill('a')),
    ])
      await expect(list({ external_refs })).rejects.toMatchObject({
        status: 400,
        extra: { fields: { external_refs: ['must be a JSON array of 1 to 100 strings'] } },
      })
  })
})
