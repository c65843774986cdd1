import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { scopeTime } from '../../src/cli/connection/scope-time.ts'
import { isSeeded, type Seeded, seed } from '../../src/cli/seed/seed.ts'
import type { Client } from '../../src/client/client.ts'
import { everyResult, type List } from '../../src/client/client.ts'
import { fulfillmentStatuses, itemStatuses } from '../../src/contract/enums.ts'
import { sql } from '../../src/store/database.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'

const [sqlite] = databases
const day = 86_400_000

describe('the sample data', () => {
  let harness: Harness
  beforeEach(async () => {
    if (sqlite === undefined) throw new Error('no database')
    harness = await startHarness(sqlite)
  })
  afterEach(() => harness.close())
  const forgetKeys = () => harness.db.write((tx) => tx.run(sql`delete from idempotency`))

  test('show every status of items, fulfillments, manifests, and transfers', async () => {
    const { client } = harness
    expect(await isSeeded(client)).toBe(false)
    const seeded = await fill(client)
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

  test('are completed without duplicates after an interruption anywhere, even with forgotten keys', async () => {
    const { client } = harness
    for (const calls of [1, 2, 5, 12, 30, 70, 90, 100, 110, 115, 120, 125, 130]) {
      await expect(fill(cutAfter(client, calls))).rejects.toThrow('cut off')
      await forgetKeys()
      harness.pass(3 * day)
    }
    await fill(client)
    expect(await isSeeded(client)).toBe(true)
    const whole = await startHarness(sqlite!)
    await fill(whole.client)
    expect(await totalsOf(client)).toEqual(await totalsOf(whole.client))
    expect(await statusesOf(client)).toEqual(await statusesOf(whole.client))
    await whole.close()
  })

  test("are created if the sandbox's clock is ahead, moves between two runs, or moves during one", async () => {
    const ahead = await startHarness(sqlite!, { startAt: new Date().toISOString() })
    const { client } = ahead
    const advance = () => client.advanceClock({ body: { seconds: (20 * day) / 1000 } })
    await advance()
    for (const calls of [8, 70, 120]) {
      await expect(fill(cutAfter(client, calls))).rejects.toThrow('cut off')
      await advance()
    }
    await fill(cutAfter(client, 100, advance))
    expect(await isSeeded(client)).toBe(true)
    await fill(harness.client)
    expect(await totalsOf(client)).toEqual(await totalsOf(harness.client))
    expect(await statusesOf(client)).toEqual(await statusesOf(harness.client))
    await ahead.close()
  })

  test('can be completed if the manifests closed while the service was paused', async () => {
    const { client } = harness
    await expect(fill(cutAfter(client, 11))).rejects.toThrow('cut off')
    for (const { id, status } of (await client.listManifests({})).data.results)
      if (status !== 'reconciled') await client.closeManifest({ params: { manifest_id: id } })
    await expect(fill(cutAfter(client, 60))).rejects.toThrow('cut off')
    await fill(client)
    expect(await isSeeded(client)).toBe(true)
    const { total } = (await client.listItems({})).data
    await forgetKeys()
    await fill(client)
    expect((await client.listItems({})).data.total).toBe(total)
  })

  test('can be completed if somebody changed what they would change', async () => {
    const { client } = harness
    await expect(fill(cutAfter(client, 100))).rejects.toThrow('cut off')
    const { results } = (await client.listItems({ query: { status: 'available', page_size: 100 } })).data
    await client.requestTransfer({ body: { qids: results.map(({ qid }) => qid) } })
    await fill(client)
    const { qids } = (await client.listTransfers({})).data.results.at(-1) ?? {}
    expect(qids).toHaveLength(results.length)
  })

  test('set the clock forward step by step, and to now at the end', async () => {
    const times: number[] = []
    await seed(
      harness.client,
      async () => Date.now(),
      (time) => times.push(time),
    )
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times.at(-1)).toBeGreaterThan(Date.now() - 60_000)
    expect(times[0]).toBeLessThan(Date.now() - 30 * 86_400_000)
  })
})

function fill(client: Client): Promise<Seeded> {
  return seed(client, () => scopeTime({ io: Date, target: async () => ({ client, environment: 'sandbox' }) }))
}

async function statusesOf(client: Client): Promise<unknown> {
  const { data } = await client.getItemSummary({})
  const orders = (await client.listFulfillments({})).data.results
  const transfers = (await client.listTransfers({})).data.results
  const named = [...orders, ...transfers].map(({ external_ref, status }) => `${external_ref} ${status}`)
  return [data.by_status, named.sort()]
}

async function totalsOf(client: Client): Promise<number[]> {
  const { listItems, listIntakes, listManifests, listFulfillments, listTransfers } = client
  const lists = [listItems, listIntakes, listManifests, listFulfillments, listTransfers]
  return Promise.all(lists.map(async (list) => (await list({})).data.total))
}

/** A client whose process ends after this many requests, or goes on after `pause`. */
function cutAfter(client: Client, calls: number, pause = cutOff): Client {
  let left = calls
  return new Proxy(client, {
    get(target, name) {
      const call = Reflect.get(target, name) as (...args: unknown[]) => unknown
      const counted = async (...args: unknown[]) => {
        if (left-- === 0) await pause()
        return call(...args)
      }
      return Object.assign(counted, { all: () => everyResult(counted as List) })
    },
  })
}

async function cutOff(): Promise<unknown> {
  throw new Error('cut off')
}
