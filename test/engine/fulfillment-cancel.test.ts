import { beforeEach, describe, expect, test } from 'vitest'
import { type ProcessingStage, processingStages } from '../../src/contract/enums.ts'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { shelve } from '../support/arrivals.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { eventLines } from '../support/event-lines.ts'
import { usualDatabases } from '../support/harness.ts'
import { orderOf } from '../support/orders.ts'

describe.each(usualDatabases)('cancelling fulfillments over $name (3.4, 4.4)', (database) => {
  const harness = forEachTest(harnessWith(database))
  let slabs: Item[]
  let made: Fulfillment
  beforeEach(async () => {
    slabs = await shelve(harness, [{}, {}])
    made = (await harness.client.createFulfillment({ body: orderOf(slabs) })).data
  })

  const cancel = () => harness.client.cancelFulfillment({ params: { fulfillment_id: made.id } })
  const advance = (body: object) =>
    harness.client.advanceFulfillment({ params: { fulfillment_id: made.id }, body })
  const itemStatuses = async () => (await harness.client.getItemSummary({})).data.by_status

  async function expectRejected(message: string, status: string, stage: ProcessingStage | null = null) {
    const before = await harness.events()
    await expect(cancel()).rejects.toMatchObject({
      status: 409,
      code: 'state_conflict',
      message,
      extra: { status, processing_stage: stage },
    })
    expect(await harness.events()).toEqual(before)
  }

  test("frees a pending one's items, with events in order", async () => {
    const before = (await harness.events()).length
    harness.pass(60_000)
    const { data, status } = await cancel()
    expect(status).toBe(200)
    expect(data).toEqual({ ...made, status: 'cancelled', updated_at: '2026-05-01T09:01:00.000Z' })
    const events = (await harness.events()).slice(before)
    expect(eventLines(events)).toEqual([
      `fulfillment.status.changed ${made.id} cancelled`,
      ...slabs.map(({ qid }) => `item.status.changed ${qid} available`),
    ])
    expect(events.map((event) => event.data)).toEqual([
      data,
      ...slabs.map((slab) => ({ ...slab, updated_at: '2026-05-01T09:01:00.000Z' })),
    ])
    expect(await itemStatuses()).toMatchObject({ available: 2, in_fulfillment: 0 })
    const { sku } = slabs[0] as Item
    expect((await harness.client.listInventory({ query: { sku } })).data.results).toEqual([
      { sku, on_hand: 2, available: 2, allocated: 0 },
    ])
  })

  test.each(processingStages)('answers 409 after pick (%s) and leaves the items held', async (stage) => {
    await advance({ to_status: 'processing', to_stage: stage })
    await expectRejected(
      'This fulfillment is already past pick and can no longer be cancelled.',
      'processing',
      stage,
    )
    const { data } = await harness.client.getItem({ params: { qid: slabs[0]?.qid ?? '' } })
    expect(data).toMatchObject({ status: 'in_fulfillment', active_fulfillment_id: made.id })
  })

  test('answers 409 in exception, picked or not (decisions 11)', async () => {
    const issue = { code: 'address_undeliverable', message: 'The street does not exist.' }
    await advance({ to_status: 'exception', issue })
    const message = 'This fulfillment has an open issue, which the warehouse must resolve first.'
    await expectRejected(message, 'exception')
    await advance({ to_status: 'processing', to_stage: 'picked' })
    await advance({ to_status: 'exception', issue })
    await expectRejected(message, 'exception')
  })
})
