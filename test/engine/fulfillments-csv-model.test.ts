import { describe, expect, test } from 'vitest'
import type { Item } from '../../src/contract/resources/item.ts'
import { defaultSettings } from '../../src/engine/context.ts'
import { openFulfillmentsCsv } from '../../src/engine/fulfillments/fulfillment-csv.ts'
import { createService } from '../../src/service/service.ts'
import { seededRandom } from '../../src/testing/seeded-random.ts'
import { shelve } from '../support/arrivals.ts'
import { fulfillmentCsv } from '../support/fulfillment-csv.ts'
import { clientWith, startHarness, usualDatabases } from '../support/harness.ts'
import { isLong } from '../support/soak.ts'
import { withWork } from '../support/with-work.ts'

type Row = { qid: string } | { sku: string; quantity: number }

/** Enough rows for several lookups of the import. */
const rowCount = 1_600
const seeds = isLong ? [1, 2, 3] : [1]
const skus = ['ETB-1', 'ETB-2', 'ETB-3']

describe.each(usualDatabases)('a large fulfillment file over $name (decisions 5)', (database) => {
  const runs = seeds.flatMap((seed) => [[seed, 'served'] as const, [seed, 'embedded'] as const])
  test.each(runs)('takes the same items for random rows (%i, %s) as one row at a time', async (seed, how) => {
    const harness = await startHarness(database, { seed })
    const embedded = { ...harness, environment: 'sandbox' as const, settings: defaultSettings }
    const service =
      how === 'served' ? harness.service : createService({ ...embedded, principal: harness.scope })
    const client = clientWith(service, harness.key, harness.sources)
    const pick = picker(seed)
    const kinds = Array.from({ length: 1_200 }, () => (pick(5) === 0 ? {} : { sku: skus[pick(3)] ?? '' }))
    const items = await shelve(harness, kinds)
    const rows = Array.from({ length: rowCount }, () => randomRow(items, pick))
    const { data } = await client.importFulfillmentsCsv({ form: { file: fulfillmentCsv(rows) } })
    const expected = oneByOne(items, rows)
    expect(data.created.map(({ qids }) => qids)).toEqual(expected.created)
    expect(data.errors.map(({ row, code, message }) => [row, code, lastNumber(message)])).toEqual(
      expected.errors,
    )
    const { created, failed, submitted } = data.totals
    expect([created, failed, submitted]).toEqual([expected.created.length, expected.errors.length, rowCount])
    expect(failed).toBeGreaterThan(100)
    const taken = expected.created.flat().length
    expect((await harness.client.getItemSummary({})).data).toMatchObject({
      total: items.length,
      by_status: { in_fulfillment: taken, available: items.length - taken },
    })
    expect(await harness.events()).toHaveLength(created + taken)
    await harness.close()
  })

  test('lets the event loop turn for others', async () => {
    const harness = await startHarness(database)
    const items = await shelve(
      harness,
      Array.from({ length: 3_000 }, () => ({})),
    )
    const file = fulfillmentCsv(items.map(({ qid }) => ({ qid })))
    const { servedCountries: countriesServed } = defaultSettings
    const upload = await openFulfillmentsCsv(file, { today: '2026-05-01', countriesServed }, 'allow')
    let turns = 0
    await withWork(harness, async (work) => {
      const ticking = setInterval(() => {
        turns += 1
      }, 1)
      const part = { created: [], errors: [] }
      for (let place = 0; place < upload.end; ) place = await upload.take(work, place, part)
      clearInterval(ticking)
    })
    expect(turns).toBeGreaterThanOrEqual(2)
    await harness.close()
  })
})

function picker(seed: number): (below: number) => number {
  const random = seededRandom(seed)
  return (below) => {
    const [high = 0, low = 0] = random(2)
    return (high * 256 + low) % below
  }
}

function randomRow(items: readonly Item[], pick: (below: number) => number): Row {
  if (pick(2) === 0) return { qid: items[pick(items.length)]?.qid ?? '' }
  return { sku: skus[pick(3)] ?? '', quantity: 1 + pick(3) }
}

/** The rule without lookups, batches, or memory of shortages. Items are in the order of their intake. */
function oneByOne(items: readonly Item[], rows: readonly Row[]) {
  const free = new Set(items)
  const created: string[][] = []
  const errors: Array<[number, string, number]> = []
  for (const [index, row] of rows.entries()) {
    const fitting = [...free].filter((item) => ('qid' in row ? item.qid === row.qid : item.sku === row.sku))
    const wanted = 'qid' in row ? 1 : row.quantity
    if (fitting.length < wanted) errors.push([index + 1, 'state_conflict', fitting.length])
    else {
      const taken = fitting.slice(0, wanted)
      for (const item of taken) free.delete(item)
      created.push(taken.map(({ qid }) => qid))
    }
  }
  return { created, errors }
}

/** The available quantity, as the end of the message says. */
function lastNumber(message: string): number {
  return Number(/available (\d+)\)\.$/.exec(message)?.[1])
}
