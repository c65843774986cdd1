import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { shelve } from '../support/arrivals.ts'
import { baseUrl, databases, type Harness, startHarness } from '../support/harness.ts'
import { orderOf } from '../support/orders.ts'

describe.each(databases)('reading fulfillments over $name (4.4, decisions 10)', (database) => {
  let harness: Harness
  let slabs: Item[]
  let made: Fulfillment[]
  beforeEach(async () => {
    harness = await startHarness(database)
    slabs = await shelve(harness, [{}, {}, {}, {}, {}])
    made = []
    for (const [index, slab] of slabs.entries()) {
      const body = orderOf([slab], { external_ref: index % 2 ? 'odd' : 'even' })
      made.push((await harness.client.createFulfillment({ body })).data)
    }
    await cancel(made[0])
    await cancel(made[1])
  })
  afterEach(() => harness.close())

  async function cancel(fulfillment: Fulfillment | undefined): Promise<void> {
    const fulfillment_id = fulfillment?.id ?? ''
    const { data } = await harness.client.cancelFulfillment({ params: { fulfillment_id } })
    made[made.findIndex(({ id }) => id === fulfillment_id)] = data
  }

  test('lists newest first, in the envelope of 2.13', async () => {
    const { data } = await harness.client.listFulfillments({ query: { page: 2, page_size: 2 } })
    expect(data).toEqual({
      page_size: 2,
      count: 2,
      total: 5,
      current_page_number: 2,
      next_page_number: 3,
      next: `${baseUrl}/fulfillments?page_size=2&page=3`,
      previous: `${baseUrl}/fulfillments?page_size=2&page=1`,
      previous_page_number: 1,
      results: [made[2], made[1]],
    })
  })

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

  test('gives totals of all pages, and an empty page past the end (decisions 11)', async () => {
    const query = { external_ref: 'even', page: 9, page_size: 1 }
    const { data } = await harness.client.listFulfillments({ query })
    expect(data).toMatchObject({ count: 0, total: 3, next: null, previous_page_number: 3, results: [] })
  })

  test('answers 400 for an unknown status and an unknown filter', async () => {
    const { client } = harness
    await expect(client.listFulfillments({ query: { status: 'lost' as never } })).rejects.toMatchObject({
      status: 400,
      extra: { fields: { status: [expect.stringContaining('must be one of pending, processing')] } },
    })
    await expect(client.listFulfillments({ query: { stauts: 'pending' } as never })).rejects.toMatchObject({
      status: 400,
      extra: { fields: { stauts: ['is not known here; did you mean status?'] } },
    })
  })

  test('answers the same 404 for an absent, foreign, or malformed id, on get and cancel (decisions 3)', async () => {
    const { client, stranger } = harness
    const foreign = made[2]?.id ?? ''
    const absent = '01970000-0000-7000-8000-000000000000'
    const replies = [
      await stranger.getFulfillment({ params: { fulfillment_id: foreign } }).catch((error) => error),
      await client.getFulfillment({ params: { fulfillment_id: absent } }).catch((error) => error),
      await client.getFulfillment({ params: { fulfillment_id: 'nonsense' } }).catch((error) => error),
      await stranger.cancelFulfillment({ params: { fulfillment_id: foreign } }).catch((error) => error),
      await client.cancelFulfillment({ params: { fulfillment_id: absent } }).catch((error) => error),
      await client.cancelFulfillment({ params: { fulfillment_id: 'nonsense' } }).catch((error) => error),
    ]
    for (const { status, code, message, extra } of replies) {
      expect({ status, code, message, extra }).toEqual({
        status: 404,
        code: 'not_found',
        message: 'No such resource.',
        extra: {},
      })
    }
    expect((await stranger.listFulfillments({})).data.total).toBe(0)
    expect((await stranger.listFulfillments({ query: { qid: slabs[0]?.qid } })).data.total).toBe(0)
    expect((await client.getFulfillment({ params: { fulfillment_id: foreign } })).data).toEqual(made[2])
  })
})
