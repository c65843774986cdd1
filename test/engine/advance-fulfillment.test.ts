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

    const item = async () => (await harness.client.getItem({ params: { qid: slabs[0]?.qid ?? '' } })).data

    test('keeps the items on the fulfillment in transit (decisions 11)', async () => {
      await advance({ to_status: 'shipped' })
      expect(await item()).toMatchObject({ status: 'in_transit', active_fulfillment_id: made.id })
      const { sku } = slabs[0] as Item
      const { data } = await harness.client.listInventory({ query: { sku } })
      expect(data.results).toEqual([{ sku, on_hand: 0, available: 0, allocated: 0 }])
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
