import { beforeEach, describe, expect, test } from 'vitest'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { moveTransfer } from '../../src/engine/fulfillments/transfers.ts'
import * as warehouse from '../../src/engine/fulfillments/warehouse-shipping.ts'
import { shelve } from '../support/arrivals.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { eventLines } from '../support/event-lines.ts'
import { type Harness, usualDatabases } from '../support/harness.ts'
import { orderOf } from '../support/orders.ts'
import { withWork } from '../support/with-work.ts'

const label = {
  carrier: 'ups',
  service: 'ups_2nd_day_air',
  tracking_number: '1Z999AA10123456784',
  tracking_url: 'https://www.ups.com/track?tracknum=1Z999AA10123456784',
}
const noLabel = { carrier: null, service: null, tracking_number: null, tracking_url: null }

describe.each(usualDatabases)('the warehouse in production over $name (3.3 to 3.5)', (database) => {
  const harness = forEachTest(harnessWith(database, { environment: 'production' }))
  let slabs: Item[]
  let id: string
  beforeEach(async () => {
    slabs = await shelve(harness, [{}, {}])
    id = (await harness.client.createFulfillment({ body: orderOf(slabs) })).data.id
  })

  const read = async (): Promise<Fulfillment> =>
    (await harness.client.getFulfillment({ params: { fulfillment_id: id } })).data

  test('reports each stage: pick, pack, verify, label, queue, ship, deliver', async () => {
    const picked = await withWork(harness, (work) => warehouse.pickFulfillment(work, id))
    expect(JSON.parse(picked)).toMatchObject({ status: 'processing', processing_stage: 'picked', ...noLabel })
    await withWork(harness, (work) => warehouse.packFulfillment(work, id))
    await withWork(harness, (work) => warehouse.verifyFulfillment(work, id))
    expect(await read()).toMatchObject({ processing_stage: 'verified', ...noLabel })
    await withWork(harness, (work) => warehouse.labelFulfillment(work, id, label))
    expect(await read()).toMatchObject({ processing_stage: 'labeled', ...label })
    await withWork(harness, (work) => warehouse.queueFulfillment(work, id))
    await withWork(harness, (work) => warehouse.shipFulfillment(work, id))
    expect(await read()).toMatchObject({ status: 'shipped', processing_stage: null, ...label })
    await withWork(harness, (work) => warehouse.deliverFulfillment(work, id))
    expect(await read()).toMatchObject({ status: 'delivered', ...label })
    expect(eventLines(await harness.events()).filter((line) => line.startsWith('fulfillment'))).toEqual(
      ['pending', 'processing', 'shipped', 'delivered'].map((to) => `fulfillment.status.changed ${id} ${to}`),
    )
  })

  test('invents no label: shipping without one is rejected and changes nothing', async () => {
    await withWork(harness, (work) => warehouse.pickFulfillment(work, id))
    const required = ['is required: the carrier needs a label by now']
    await expect(withWork(harness, (work) => warehouse.shipFulfillment(work, id))).rejects.toMatchObject({
      code: 'validation_error',
      extra: { fields: { carrier: required, service: required, tracking_number: required } },
    })
    expect(await read()).toMatchObject({ status: 'processing', processing_stage: 'picked' })
    await withWork(harness, (work) => warehouse.shipFulfillment(work, id, label))
    expect(await read()).toMatchObject({ status: 'shipped', ...label })
  })

  test('resolves an issue after the label where it was, and a new label replaces the old one', async () => {
    await withWork(harness, (work) => warehouse.pickFulfillment(work, id))
    await withWork(harness, (work) => warehouse.labelFulfillment(work, id, label))
    const issue = { code: 'damaged_in_handling', message: 'The corner of the case is chipped.' }
    await withWork(harness, (work) => warehouse.raiseIssue(work, id, issue))
    expect(await read()).toMatchObject({ status: 'exception', issue, ...label })
    await withWork(harness, (work) => warehouse.resolveIssue(work, id))
    expect(await read()).toMatchObject({ status: 'processing', processing_stage: 'labeled', issue: null })
    const other = { ...label, tracking_number: '1Z999AA10123456793' }
    await withWork(harness, (work) => warehouse.queueFulfillment(work, id, other))
    expect(await read()).toMatchObject(other)
    await expect(withWork(harness, (work) => warehouse.resolveIssue(work, id))).rejects.toMatchObject({
      code: 'state_conflict',
      message: 'This fulfillment has no open issue.',
    })
  })

  test('resolves an issue in transit to shipped, and a return keeps the issue', async () => {
    const issue = { code: 'carrier_delay', message: 'Held at the depot.' }
    await withWork(harness, (work) => warehouse.pickFulfillment(work, id))
    await withWork(harness, (work) => warehouse.shipFulfillment(work, id, label))
    await withWork(harness, (work) => warehouse.raiseIssue(work, id, issue))
    await withWork(harness, (work) => warehouse.resolveIssue(work, id))
    expect(await read()).toMatchObject({ status: 'shipped', issue: null })
    await withWork(harness, (work) => warehouse.raiseIssue(work, id, issue))
    await withWork(harness, (work) => warehouse.returnFulfillment(work, id))
    expect(await read()).toMatchObject({ status: 'returned', issue })
  })

  test.each<[string, (harness: Harness, id: string) => Promise<unknown>]>([
    ['packed before processing', (h, f) => withWork(h, (work) => warehouse.packFulfillment(work, f))],
    ['shipped when pending', (h, f) => withWork(h, (work) => warehouse.shipFulfillment(work, f, label))],
    ['delivered when pending', (h, f) => withWork(h, (work) => warehouse.deliverFulfillment(work, f))],
    ['returned when pending', (h, f) => withWork(h, (work) => warehouse.returnFulfillment(work, f))],
  ])('answers a conflict for an illegal step, which changes nothing: %s', async (_, act) => {
    const before = await read()
    await expect(act(harness, id)).rejects.toMatchObject({
      code: 'state_conflict',
      extra: { status: 'pending', processing_stage: null },
    })
    expect(await read()).toEqual(before)
  })

  test('never goes back to an earlier stage', async () => {
    await withWork(harness, (work) => warehouse.pickFulfillment(work, id))
    await withWork(harness, (work) => warehouse.verifyFulfillment(work, id))
    await expect(withWork(harness, (work) => warehouse.pickFulfillment(work, id))).rejects.toMatchObject({
      code: 'state_conflict',
    })
  })

  test('digitizes, then shelves: received -> digitized -> available, in that order only', async () => {
    const [slab] = (await shelve(harness, [{ status: 'received' }])) as [Item]
    await expect(withWork(harness, (work) => warehouse.storeItem(work, slab.qid))).rejects.toMatchObject({
      code: 'state_conflict',
      message: 'This item is received and cannot become available.',
      extra: { status: 'received' },
    })
    const [front] = (await withWork(harness, (work) => warehouse.attachImagery(work, slab.qid))).item
      .image_assets
    expect(front).toMatchObject({ variant: 'front', format: 'webp' })
    await expect(withWork(harness, (work) => warehouse.attachImagery(work, slab.qid))).rejects.toMatchObject({
      message: 'This item is digitized and cannot become digitized.',
    })
    const stored = await withWork(harness, (work) => warehouse.storeItem(work, slab.qid))
    expect(stored.item).toMatchObject({ status: 'available', image_assets: expect.arrayContaining([front]) })
  })

  test("settles a transfer by the buyer's decision", async () => {
    const [slab] = (await shelve(harness, [{}])) as [Item]
    const { data } = await harness.client.requestTransfer({ body: { qids: [slab.qid] } })
    const settled = await withWork(harness, (work) => moveTransfer(work, data.id, 'completed'))
    expect(JSON.parse(settled)).toMatchObject({ id: data.id, status: 'completed' })
    await expect(withWork(harness, (work) => moveTransfer(work, data.id, 'declined'))).rejects.toMatchObject({
      code: 'state_conflict',
    })
  })

  test("does not find another partner's fulfillment or item", async () => {
    const { strangerScope } = harness
    const foreign = [
      () => withWork(harness, (work) => warehouse.pickFulfillment(work, id), strangerScope),
      () => withWork(harness, (work) => warehouse.storeItem(work, slabs[0]?.qid ?? ''), strangerScope),
    ]
    for (const attempt of foreign) await expect(attempt()).rejects.toMatchObject({ code: 'not_found' })
  })
})
