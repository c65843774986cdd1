import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database, ReadOptions } from '../../src/store/database.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'
import { Lookups } from '../support/lookups.ts'
import { submit } from '../support/manifests.ts'
import { inShortSteps } from '../support/steps.ts'

type Sent = { operation: Parameters<Harness['call']>[0]['operation']; body: unknown }

describe.each(databases)('possibly long reads, over $name, take their partner’s turn', (database) => {
  let harness: Harness
  let reads: Array<ReadOptions | undefined>
  let lookups: Lookups
  let id: string
  beforeEach(async () => {
    lookups = new Lookups()
    reads = []
    harness = await startHarness({
      ...database,
      open: async () => {
        const { db, dispose } = await database.open()
        const read: Database['read'] = (fn, how) => {
          reads.push(how)
          return db.read((tx) => fn(lookups.within(tx)), how)
        }
        return { db: { ...db, read }, dispose }
      },
    })
    id = (await submit(harness.client, 'PO-1', ['a', 'b'])).id
    lookups.take()
    reads = []
  })
  afterEach(() => harness.close())

  const expectTurns = () => {
    const others = reads.filter((how) => !how?.single)
    expect(others.length).toBeGreaterThan(0)
    for (const how of others) expect(how).toMatchObject({ scope: harness.scope.id, long: true })
  }
  const absent = '01990000-0000-7000-8000-000000000000'

  test.each<[string, Sent]>([
    [
      'the unknown SKUs of a manifest with another fault',
      { operation: 'submitManifest', body: { lines: [{ description: 'a', sku: 'NONE' }] } },
    ],
    [
      'the unknown SKUs of a manifest without another',
      { operation: 'submitManifest', body: { reference: 'PO', lines: [{ description: 'a', sku: 'NONE' }] } },
    ],
    [
      'the unknown lines of a receipt with another fault',
      { operation: 'receiveManifest', body: { outcome: 'nonsense', lines: [{ line_id: absent }] } },
    ],
  ])('%s', async (_, { operation, body }) => {
    const { status } = await harness.call({
      operation,
      params: { manifest_id: id },
      headers: { 'idempotency-key': 'one' },
      body: async () => ({ kind: 'json', text: JSON.stringify(body) }),
    })
    expect(status).toBe(400)
    expectTurns()
    expect(lookups.take()).not.toContain('lines in order')
  })

  test("a read of a subscription's deliveries counts events in the log", async () => {
    const body = { url: 'https://hooks.example/in', event_types: ['item.status.changed' as const] }
    const { data } = await harness.client.createSubscription({ body })
    reads = []
    await harness.client.listDeliveries({ params: { subscription_id: data.id } })
    expectTurns()
  })

  test('a file of rows waits its turn', async () => {
    const client = inShortSteps(harness)
    await client.submitManifestCsv({ form: { reference: 'PO', file: Buffer.from('description\na') } })
    for (const how of reads) expect(how?.single || how?.scope === harness.scope.id).toBe(true)
  })
})
