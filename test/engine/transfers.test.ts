import { beforeEach, describe, expect, test } from 'vitest'
import type { Transfer } from '../../src/contract/resources/fulfillment.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { shelve } from '../support/arrivals.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { eventLines } from '../support/event-lines.ts'
import { baseUrl, usualDatabases } from '../support/harness.ts'
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

  test('are answered 201 as a whole (2.8), and GET the same bytes', async () => {
    const { client } = harness
    const { data, status, text } = await client.requestTransfer({ body: { qids, external_ref: 'SB-1' } })
    expect(status).toBe(201)
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/),
      qids,
      status: 'requested',
      type: 'sell_back',
      external_ref: 'SB-1',
      created_at: '2026-05-01T09:00:00.000Z',
      updated_at: '2026-05-01T09:00:00.000Z',
    })
    expect((await client.getTransfer({ params: { transfer_id: data.id } })).text).toBe(text)
    expect(await stock()).toMatchObject({
      on_hand: 2,
      available: 0,
      allocated: 2,
      by_status: { pending_transfer: 2 },
    })
    const events = await harness.events()
    expect(eventLines(events)).toEqual([
      `transfer.requested ${data.id} requested`,
      ...itemLines('pending_transfer'),
    ])
    expect(events[0]?.data).toEqual(data)
  })

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

  test('cancelled by the partner free their items, which can be sold back again', async () => {
    const { id } = await request()
    const { data, status } = await harness.client.cancelTransfer({ params: { transfer_id: id } })
    expect([status, data.status]).toEqual([200, 'cancelled'])
    expect(eventLines((await harness.events()).slice(3))).toEqual([
      `transfer.cancelled ${id} cancelled`,
      ...itemLines('available'),
    ])
    expect((await request()).status).toBe('requested')
  })

  test.each(['completed', 'declined', 'cancelled'] as const)(
    'that are %s answer 409 to every move',
    async (to) => {
      const { client } = harness
      const params = { transfer_id: (await request()).id }
      if (to === 'cancelled') await client.cancelTransfer({ params })
      else await client.resolveTransfer({ params, body: { to_status: to } })
      const before = await harness.events()
      await expect(client.cancelTransfer({ params })).rejects.toMatchObject({
        status: 409,
        code: 'state_conflict',
        message: expect.stringMatching(`This transfer is (already )?${to}`),
        extra: { status: to },
      })
      for (const to_status of ['completed', 'declined'] as const) {
        await expect(client.resolveTransfer({ params, body: { to_status } })).rejects.toMatchObject({
          status: 409,
        })
      }
      expect(await harness.events()).toEqual(before)
    },
  )

  test('hold an item that can neither be sent nor sold back again: a 409 names it', async () => {
    await request()
    const availability = qids.map((qid) => ({ qid, status: 'pending_transfer', requested: 1, available: 0 }))
    await expect(request()).rejects.toMatchObject({ status: 409, extra: { availability } })
    await expect(harness.client.createFulfillment({ body: orderOf(slabs) })).rejects.toMatchObject({
      status: 409,
      extra: { availability },
    })
  })

  test('are listed newest first, filtered by status, with totals', async () => {
    const { client } = harness
    const made: Transfer[] = []
    for (const n of [1, 2, 3]) {
      const transfer = await request(`SB-${n}`)
      made.push((await client.cancelTransfer({ params: { transfer_id: transfer.id } })).data)
    }
    const open = await request()
    const { data } = await client.listTransfers({ query: { page_size: 2 } })
    expect(data).toEqual({
      page_size: 2,
      count: 2,
      total: 4,
      current_page_number: 1,
      next_page_number: 2,
      next: `${baseUrl}/transfers?page_size=2&page=2`,
      previous: null,
      previous_page_number: null,
      results: [open, made[2]],
    })
    const cancelled = await client.listTransfers({ query: { status: 'cancelled', page: 2, page_size: 2 } })
    expect(cancelled.data).toMatchObject({ count: 1, total: 3, results: [made[0]] })
    expect((await client.listTransfers({ query: { status: 'declined' } })).data.total).toBe(0)
    await expect(client.listTransfers({ query: { status: 'lost' as never } })).rejects.toMatchObject({
      status: 400,
    })
  })
})
