import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { shelve } from '../support/arrivals.ts'
import { everyEvent } from '../support/every-event.ts'
import { startFleet } from '../support/fleet.ts'
import { fulfillmentCsv } from '../support/fulfillment-csv.ts'
import { eventually } from '../support/load.ts'
import { outcomeOf } from '../support/outcome.ts'
import { sharedDatabases } from '../support/shared-database.ts'

const rows = 1_000

test.each(sharedDatabases)(
  'retries finish an upload over $name with the same bytes after kill -9 between its steps',
  async ({ make }) => {
    const shared = await make()
    const fleet = await startFleet(shared.place, 2)
    const { scope, key } = await shared.partner('Killed in between')
    const sources = { clock: Date.now, uptime: () => performance.now(), random: randomBytes }
    const items = await shelve(
      { db: shared.db, scope, sources },
      Array.from({ length: rows }, () => ({})),
    )
    const form = { file: fulfillmentCsv(items.map(({ qid }) => ({ qid }))) }
    const idempotencyKey = 'one-upload'
    const client = fleet.client(1, key)
    const made = async () => (await client.listFulfillments({})).data.total

    const killed = fleet.client(0, key).importFulfillmentsCsv({ form, idempotencyKey })
    const end = outcomeOf(killed).catch(() => 'killed')
    await eventually('some are made', async () => (await made()) > 0, 20_000)
    await fleet.kill(0)
    expect(await end).toBe('killed')
    expect(await made()).toBeLessThan(rows)
    await fleet.replace(0)
    const retries = [0, 1].map((n) => fleet.client(n, key).importFulfillmentsCsv({ form, idempotencyKey }))
    const [{ text, data }, other] = (await Promise.all(retries)) as [Awaited<typeof killed>, unknown]
    expect(other).toMatchObject({ text })
    expect(data.totals).toEqual({ created: rows, failed: 0, submitted: rows })
    const events = await everyEvent(client)
    const docs = events.filter(({ type }) => type === 'fulfillment.status.changed').map((event) => event.data)
    expect(text.startsWith(`{"created":${JSON.stringify(docs)},"errors":[]`)).toBe(true)
    expect([await made(), events.length]).toEqual([rows, 2 * rows])
    expect(await shared.findings()).toEqual([])
    await fleet.stop()
    await shared.close()
  },
)
