import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cutOff, isSeeded, seed } from '../../src/cli/seed/seed.ts'
import type { Client } from '../../src/client/client.ts'
import { fulfillmentStatuses, itemStatuses } from '../../src/contract/enums.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'

const [sqlite] = databases

describe('the sample data', () => {
  let harness: Harness
  beforeEach(async () => {
    if (sqlite === undefined) throw new Error('no database')
    harness = await startHarness(sqlite)
  })
  afterEach(() => harness.close())

  test('show every status of items, fulfillments, manifests and transfers', async () => {
    const { client } = harness
    expect(await isSeeded(client)).toBe(false)
    const seeded = await seed(client)
    expect(await isSeeded(client)).toBe(true)
    expect(seeded).toMatchObject({ products: 72, manifests: 4, fulfillments: 8, transfers: 3 })
    const { by_status } = (await client.getItemSummary({})).data
    expect(Object.keys(by_status).sort()).toEqual([...itemStatuses].sort())
    const orders = (await client.listFulfillments({})).data.results
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(fulfillmentStatuses))
    const transfers = (await client.listTransfers({})).data.results
    expect(transfers.map(({ status }) => status).sort()).toEqual(['completed', 'declined', 'requested'])
    const manifests = (await client.listManifests({})).data.results
    expect(manifests.map(({ status }) => status).sort()).toEqual([
      'receiving',
      'receiving',
      'reconciled',
      'submitted',
    ])
  })

  test('that were cut off anywhere are completed, none of them twice', async () => {
    const { client } = harness
    for (const calls of [2, 30, 150]) {
      await expect(seed(cutAfter(client, calls), undefined, await cutOff(client))).rejects.toThrow('cut off')
      expect(await isSeeded(client)).toBe(false)
    }
    await seed(client, undefined, await cutOff(client))
    expect(await isSeeded(client)).toBe(true)
    const whole = await startHarness(sqlite!)
    await seed(whole.client)
    expect(await totalsOf(client)).toEqual(await totalsOf(whole.client))
    await whole.close()
  })

  test('end, and can be repeated to their end, if the manifests were closed while the service was paused', async () => {
    const { client } = harness
    await expect(seed(cutAfter(client, 5))).rejects.toThrow('cut off')
    for (const { id, status } of (await client.listManifests({})).data.results)
      if (status !== 'reconciled') await client.closeManifest({ params: { manifest_id: id } })
    await expect(seed(cutAfter(client, 60), undefined, await cutOff(client))).rejects.toThrow('cut off')
    await seed(client, undefined, await cutOff(client))
    expect(await isSeeded(client)).toBe(true)
    const { total } = (await client.listItems({})).data
    await seed(client, undefined, await cutOff(client))
    expect((await client.listItems({})).data.total).toBe(total)
  })

  test('that were cut off days ago are not completed: their keys may be forgotten', async () => {
    const { client } = harness
    const dayBefore = Date.now() - 3 * 86_400_000
    await expect(seed(cutAfter(client, 2), undefined, dayBefore)).rejects.toThrow('cut off')
    await expect(cutOff(client)).rejects.toThrow('too old to be completed')
  })

  test('set the clock from step to step, never back, and at the end to now', async () => {
    const times: number[] = []
    await seed(harness.client, (time) => times.push(time))
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times.at(-1)).toBeGreaterThan(Date.now() - 60_000)
    expect(times[0]).toBeLessThan(Date.now() - 30 * 86_400_000)
  })
})

async function totalsOf(client: Client): Promise<number[]> {
  const { listItems, listIntakes, listManifests, listFulfillments, listTransfers } = client
  const lists = [listItems, listIntakes, listManifests, listFulfillments, listTransfers]
  return Promise.all(lists.map(async (list) => (await list({})).data.total))
}

/** A client whose process ends after so many requests. */
function cutAfter(client: Client, calls: number): Client {
  let left = calls
  return new Proxy(client, {
    get(target, name) {
      const call = Reflect.get(target, name) as (...args: unknown[]) => unknown
      return (...args: unknown[]) => {
        if (left-- <= 0) throw new Error('cut off')
        return call(...args)
      }
    },
  })
}
