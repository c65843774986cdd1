import { beforeEach, describe, expect, test } from 'vitest'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { shelve } from '../support/arrivals.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { eventLines } from '../support/event-lines.ts'
import { usualDatabases } from '../support/harness.ts'
import { orderOf } from '../support/orders.ts'

const issue = { code: 'address_undeliverable', message: 'The street does not exist.' }

describe.each(usualDatabases)(
  'sandbox/fulfillments/{id}/advance over $name (decisions 7, 10, 11)',
  (database) => {
    const harness = forEachTest(harnessWith(database))
    let slabs: Item[]
    let made: Fulfillment
    let seen: number
    beforeEach(async () => {
      slabs = await shelve(harness, [{}, {}])
      made = (await harness.client.createFulfillment({ body: orderOf(slabs) })).data
      seen = (await harness.events()).length
    })

    async function advance(body: object): Promise<Fulfillment> {
      harness.pass(60_000)
      return (await harness.client.advanceFulfillment({ params: { fulfillment_id: made.id }, body })).data
    }

    /** The events since the last call. */
    async function newEvents(): Promise<string[]> {
      const events = await harness.events()
      const before = seen
      seen = events.length
      return eventLines(events.slice(before))
    }

    const itemLines = (status: string) => slabs.map(({ qid }) => `item.status.changed ${qid} ${status}`)
    const item = async () => (await harness.client.getItem({ params: { qid: slabs[0]?.qid ?? '' } })).data

    test('passes every stage: a stage emits nothing, a label brings carrier, service, and tracking', async () => {
      expect(await advance({ to_status: 'processing' })).toEqual({
        ...made,
        status: 'processing',
        updated_at: '2026-05-01T09:01:00.000Z',
      })
      expect(await newEvents()).toEqual([`fulfillment.status.changed ${made.id} processing`])
      for (const to_stage of ['picked', 'packed', 'verified']) {
        expect(await advance({ to_stage })).toMatchObject({ processing_stage: to_stage, carrier: null })
      }
      const labeled = await advance({ to_stage: 'labeled' })
      expect(labeled).toMatchObject({
        status: 'processing',
        processing_stage: 'labeled',
        carrier: expect.stringMatching(/^(usps|ups|fedex)$/),
        service: expect.stringMatching(/^(usps|ups|fedex)_/),
        tracking_number: expect.stringMatching(/^[0-9A-Z]{10,22}$/),
        tracking_url: `https://tracking.custody.example/${labeled.carrier}/${labeled.tracking_number}`,
      })
      const { carrier, tracking_number } = labeled
      const queued = await advance({ to_stage: 'queued_for_carrier' })
      expect(queued).toMatchObject({ processing_stage: 'queued_for_carrier', carrier, tracking_number })
      expect(await newEvents()).toEqual([])
      const shipped = await advance({ to_status: 'shipped' })
      expect(shipped).toMatchObject({ status: 'shipped', processing_stage: null, carrier, tracking_number })
      expect(await newEvents()).toEqual([
        `fulfillment.status.changed ${made.id} shipped`,
        ...itemLines('in_transit'),
      ])
    })

    test('reaches delivered by the shortest path, and frees the items', async () => {
      const delivered = await advance({ to_status: 'delivered' })
      expect(delivered).toMatchObject({ status: 'delivered', carrier: expect.any(String), issue: null })
      expect(await newEvents()).toEqual([
        `fulfillment.status.changed ${made.id} processing`,
        `fulfillment.status.changed ${made.id} shipped`,
        ...itemLines('in_transit'),
        `fulfillment.status.changed ${made.id} delivered`,
        ...itemLines('delivered'),
      ])
      expect(await item()).toMatchObject({ status: 'delivered', active_fulfillment_id: null })
      expect((await harness.client.getItemSummary({})).data.by_status).toMatchObject({ delivered: 2 })
      expect((await harness.client.listItems({})).data.total).toBe(0)
    })

    test('keeps the items on the fulfillment in transit (decisions 11)', async () => {
      await advance({ to_status: 'shipped' })
      expect(await item()).toMatchObject({ status: 'in_transit', active_fulfillment_id: made.id })
      const { sku } = slabs[0] as Item
      const { data } = await harness.client.listInventory({ query: { sku } })
      expect(data.results).toEqual([{ sku, on_hand: 0, available: 0, allocated: 0 }])
    })

    test('raises an issue with two events, keeps the items, and clears the issue on resolution', async () => {
      const raised = await advance({ to_status: 'exception', issue })
      expect(raised).toEqual({
        ...made,
        status: 'exception',
        issue: { ...issue, occurred_at: '2026-05-01T09:01:00.000Z' },
        updated_at: '2026-05-01T09:01:00.000Z',
      })
      expect(await newEvents()).toEqual([
        `fulfillment.status.changed ${made.id} exception`,
        `fulfillment.issue.raised ${made.id} exception`,
      ])
      const events = await harness.events()
      expect(events.slice(-2).map(({ data }) => data)).toEqual([raised, raised])
      expect(await item()).toMatchObject({ status: 'in_fulfillment', active_fulfillment_id: made.id })
      expect(await advance({ to_status: 'processing' })).toMatchObject({ status: 'processing', issue: null })
    })

    test('resumes shipping after an issue in transit, and moves the items only once', async () => {
      await advance({ to_status: 'shipped' })
      await advance({ to_status: 'exception', issue })
      await newEvents()
      expect(await advance({ to_status: 'shipped' })).toMatchObject({ status: 'shipped', issue: null })
      expect(await newEvents()).toEqual([`fulfillment.status.changed ${made.id} shipped`])
    })
  },
)
