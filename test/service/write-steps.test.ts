import { describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { type Database, sql } from '../../src/store/database.ts'
import { shelve } from '../support/arrivals.ts'
import { box } from '../support/box.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { fulfillmentCsv } from '../support/fulfillment-csv.ts'
import { databases, usualTest } from '../support/harness.ts'
import { outcomeOf } from '../support/outcome.ts'
import { cutOffAfter, inShortSteps } from '../support/steps.ts'

const idempotencyKey = 'one-upload'
const today = '2026-05-01'

describe.each(databases)('an upload that takes several steps, over $name', (database) => {
  const usual = usualTest(database)
  const harness = forEachTest(harnessWith(database, { startAt: `${today}T09:00:00.000Z` }))

  /** Rows of all kinds: good ones, one for today, and rows that fail because of the file or the stored data. */
  const orders = async () => {
    const items = await shelve(
      harness,
      Array.from({ length: 120 }, () => ({ sku: 'ETB-1' })),
    )
    const rows: object[] = items.slice(0, 100).map(({ qid }) => ({ qid }))
    rows[60] = { ...rows[60], deliver_by: today }
    rows.splice(50, 0, { qid: items[3]?.qid }, { qid: 'Q-0000', zip: 'x' }, { sku: 'ETB-1', quantity: 300 })
    rows.push({ qid: items[100]?.qid, country: 'ZZ' }, { sku: 'ETB-1', quantity: 20 })
    return fulfillmentCsv(rows)
  }
  const failed = [51, 52, 53, 104]
  const totals = { created: 101, failed: 4, submitted: 105 }
  /** That the rows of `orders` take, each with good ones; one more transaction creates the answer. */
  const steps = 3

  /** According to the events, every order was created once. */
  const expectWhole = async (text: string) => {
    const events = await harness.events()
    const made = events.filter(({ type }) => type === 'fulfillment.status.changed').map((event) => event.data)
    expect(made).toHaveLength(totals.created)
    expect(text.startsWith(`{"created":${JSON.stringify(made)},"errors":[`)).toBe(true)
    expect(JSON.parse(text)).toMatchObject({ errors: failed.map((row) => ({ row })), totals })
    expect(await harness.findings()).toEqual([])
    const left = await harness.db.read((tx) => tx.all(sql`select 1 from unfinished_parts`))
    expect(left).toEqual([])
  }

  test('continues by a retry after a cut between any two, and answers the bytes of all', async () => {
    const form = { file: await orders() }
    const answers: unknown[] = []
    for (const writes of [0, 1, 1, 1, 2]) {
      const upload = inShortSteps(harness, cutOffAfter(harness, writes)).importFulfillmentsCsv({
        form,
        idempotencyKey,
      })
      const { status, extra } = await outcomeOf(upload)
      answers.push([status, (extra as { outcome?: string } | undefined)?.outcome])
      if (writes > 0) harness.pass(86_400_000)
    }
    const inPart = [503, 'unknown']
    expect(answers).toEqual([[503, undefined], inPart, inPart, inPart, [200, undefined]])
    const { text, headers } = await harness.client.importFulfillmentsCsv({ form, idempotencyKey })
    expect(headers['idempotency-replayed']).toBe('true')
    await expectWhole(text)
  })

  usual('lets its own partner and others in between, who see what it has created so far', async () => {
    const form = { file: await orders() }
    let begun = 0
    let others: Promise<number[]> | undefined
    const createAndCount = async ({ createProduct, listFulfillments }: Client) => {
      await createProduct({ body: product })
      return (await listFulfillments({})).data.total
    }
    const watched: Database = {
      ...harness.db,
      async write(fn, how) {
        begun += 1
        // The others write beside the step before, and the last step that creates orders waits until they have counted.
        if (begun === steps) await others
        const result = await harness.db.write(fn, how)
        others ??= Promise.all([harness.client, harness.stranger].map(createAndCount))
        return result
      },
    }
    const { text } = await inShortSteps(harness, watched).importFulfillmentsCsv({ form, idempotencyKey })
    const [own, ofOthers] = (await others) ?? []
    expect(begun).toBe(steps + 1)
    expect(own).toBeGreaterThan(0)
    expect(own).toBeLessThan(totals.created)
    expect(ofOthers).toBe(0)
    await expectWhole(text)
  })

  test('is done once by two processes at once, with the same answer', async () => {
    const form = { file: await orders() }
    const both = [0, 1].map(() => inShortSteps(harness).importFulfillmentsCsv({ form, idempotencyKey }))
    const [one, other] = await Promise.all(both)
    expect(one?.text).toBe(other?.text)
    await expectWhole(one?.text ?? '')
  })

  usual('rejects another body under the key of a stalled one, and changes nothing', async () => {
    const form = { file: await orders() }
    await outcomeOf(
      inShortSteps(harness, cutOffAfter(harness, 2)).importFulfillmentsCsv({ form, idempotencyKey }),
    )
    const file = fulfillmentCsv([{ sku: 'ETB-1', quantity: 1 }])
    const other = inShortSteps(harness).importFulfillmentsCsv({ form: { file }, idempotencyKey })
    expect(await outcomeOf(other)).toMatchObject({
      status: 400,
      extra: { fields: { 'Idempotency-Key': [expect.any(String)] } },
    })
    await expectWhole((await harness.client.importFulfillmentsCsv({ form, idempotencyKey })).text)
  })

  usual('makes another body under a running key wait, and answers the original', async () => {
    const form = { file: await orders() }
    const file = fulfillmentCsv([{ sku: 'ETB-1', quantity: 1 }])
    const seen = Promise.withResolvers<void>()
    const seeing: Database = {
      ...harness.db,
      write: (fn, how) => harness.db.write(fn, how).finally(seen.resolve),
    }
    let other: ReturnType<typeof outcomeOf> | undefined
    const watched: Database = {
      ...harness.db,
      async write(fn, how) {
        if (other) await seen.promise
        const result = await harness.db.write(fn, how)
        const upload = () =>
          inShortSteps(harness, seeing).importFulfillmentsCsv({ form: { file }, idempotencyKey })
        other ??= outcomeOf(upload())
        return result
      },
    }
    const { text } = await inShortSteps(harness, watched).importFulfillmentsCsv({ form, idempotencyKey })
    expect(await other).toMatchObject({ status: 200, text, headers: { 'idempotency-mismatch': 'true' } })
    await expectWhole(text)
  })

  usual('creates products in steps too, and never conflicts with its own SKUs', async () => {
    await harness.client.createProduct({ body: { ...product, sku: 'P-290' } })
    const rows = Array.from({ length: 300 }, (_, n) => `Box,P-${n},1,2,3,cm,4,g`)
    rows[10] = 'Box,P-299,1,2,3,cm,x,g'
    rows[280] = 'Box,P-0,1,2,3,cm,4,g'
    const columns = 'name,sku,height,length,width,dimension_unit,weight,weight_unit'
    const form = { file: Buffer.from([columns, ...rows].join('\n')) }
    const first = inShortSteps(harness, cutOffAfter(harness, 1)).importProductsCsv({ form, idempotencyKey })
    expect((await outcomeOf(first)).status).toBe(503)
    expect((await harness.client.listProducts({})).data.total).toBeGreaterThan(200)
    const { data } = await inShortSteps(harness).importProductsCsv({ form, idempotencyKey })
    const kept = rows.flatMap((_, n) => ([10, 280, 290].includes(n) ? [] : [`P-${n}`]))
    expect(data.created.map(({ sku }) => sku)).toEqual(kept)
    expect(data.errors.map(({ row, code, fields }) => [row, code, Object.keys(fields)])).toEqual([
      [11, 'validation_error', ['weight']],
      [281, 'state_conflict', ['sku']],
      [291, 'state_conflict', ['sku']],
    ])
    expect(await harness.findings()).toEqual([])
  })
})

const product = box('T-35')
