import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isSeeded, seed } from '../../src/cli/seed/seed.ts'
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

  test('set the clock from step to step, never back, and at the end to now', async () => {
    const times: number[] = []
    await seed(harness.client, (time) => times.push(time))
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times.at(-1)).toBeGreaterThan(Date.now() - 60_000)
    expect(times[0]).toBeLessThan(Date.now() - 30 * 86_400_000)
  })
})
