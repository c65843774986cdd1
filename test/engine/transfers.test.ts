import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Transfer } from '../../src/contract/resources/fulfillment.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { shelve } from '../support/arrivals.ts'
import { eventLines } from '../support/event-lines.ts'
import { baseUrl, databases, type Harness, startHarness } from '../support/harness.ts'
import { orderOf } from '../support/orders.ts'

const absent = '01970000-0000-7000-8000-000000000000'

describe.each(databases)('transfers over $name (2.8, 3.5, 4.5)', (database) => {
  let harness: Harness
  let slabs: Item[]
  let qids: string[]
  beforeEach(async () => {
    harness = await startHarness(database)
    slabs = await shelve(harness, [{}, {}])
    qids = slabs.map(({ qid }) => qid)
  })
  afterEach(() => harness.close())

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

  test('answer 400 for an item twice, none, and an unknown field, and the same 404 for a foreign, absent, or malformed QID', async () => {
    const { client } = harness
    const [qid = ''] = qids
    await expect(client.requestTransfer({ body: { qids: [qid, qid] } })).rejects.toMatchObject({
      status: 400,
      extra: { fields: { 'qids[1]': ['is the same item as qids[0]; name each item once'] } },
    })
    await expect(client.requestTransfer({ body: { qids: [] } })).rejects.toMatchObject({ status: 400 })
    const sent = { qids, type: 'sell_back' }
    await expect(client.requestTransfer({ body: sent as never })).rejects.toMatchObject({
      extra: { fields: { type: ['is not known here; leave it out'] } },
    })
    const [foreign] = (await shelve(harness, [{}], harness.strangerScope)) as [Item]
    for (const wrong of [foreign.qid, 'Q-0000-0000-0000', 'nonsense']) {
      await expect(client.requestTransfer({ body: { qids: [qid, wrong] } })).rejects.toMatchObject({
        status: 404,
        code: 'not_found',
        message: 'No such resource.',
        extra: {},
      })
    }
    expect(await harness.events()).toEqual([])
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

  test('answer 400 for a malformed id, and the same 404 for an absent or foreign one', async () => {
    const { client, stranger } = harness
    const { id } = await request()
    const body = { to_status: 'completed' } as const
    for (const [caller, transfer_id] of [
      [stranger, id],
      [client, absent],
    ] as const) {
      const params = { transfer_id }
      for (const call of [
        () => caller.getTransfer({ params }),
        () => caller.cancelTransfer({ params }),
        () => caller.resolveTransfer({ params, body }),
      ]) {
        await expect(call()).rejects.toMatchObject({ status: 404, message: 'No such resource.', extra: {} })
      }
    }
    await expect(client.getTransfer({ params: { transfer_id: 'nonsense' } })).rejects.toMatchObject({
      status: 400,
      extra: { fields: { transfer_id: ['must be a UUID'] } },
    })
    expect((await stranger.listTransfers({})).data.total).toBe(0)
    expect((await client.getTransfer({ params: { transfer_id: id.toUpperCase() } })).data.status).toBe(
      'requested',
    )
  })

  test('are resolved in the sandbox only: 404 in production, and 400 for other statuses', async () => {
    const { id } = await request()
    const params = { transfer_id: id }
    const body = { to_status: 'cancelled' } as never
    await expect(harness.client.resolveTransfer({ params, body })).rejects.toMatchObject({ status: 400 })
    const production = await startHarness(database, { environment: 'production' })
    const call = production.client.resolveTransfer({ params, body: { to_status: 'completed' } })
    await expect(call).rejects.toMatchObject({ status: 404, code: 'not_found' })
    await production.close()
  })

  test('are created once under one Idempotency-Key', async () => {
    const { client } = harness
    const first = await client.requestTransfer({ body: { qids }, idempotencyKey: 't-1' })
    const again = await client.requestTransfer({ body: { qids }, idempotencyKey: 't-1' })
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect((await client.listTransfers({})).data.total).toBe(1)
  })
})
