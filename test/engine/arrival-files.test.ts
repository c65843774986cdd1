import { describe, expect, test } from 'vitest'
import {
  findEarlierArrivals,
  keepArrivals,
  type SentArrivals,
} from '../../src/engine/intake/arrival-files.ts'
import type { WarehouseArrival } from '../../src/engine/intake/arrivals.ts'
import { intakeArrivals } from '../../src/engine/intake/warehouse-intake.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { databases } from '../support/harness.ts'
import { withWork } from '../support/with-work.ts'

const day = 86_400_000
const slabs = ['1', '2'].map(
  (cert_number): WarehouseArrival => ({
    type: 'graded_slab',
    name: 'Unlisted',
    grader: 'PSA',
    grade: '9',
    cert_number,
    condition_flags: [],
  }),
)

describe.each(databases)('files of arrivals over $name (decisions 13)', (database) => {
  const harness = forEachTest(harnessWith(database, { environment: 'production' }))

  const sentAs = (more: Partial<SentArrivals> = {}): SentArrivals => ({
    content: 'hash',
    rows: [],
    delivery: null,
    manifestId: null,
    ...more,
  })
  const receive = (sent: SentArrivals) =>
    withWork(harness, async (work) => {
      const docs = await intakeArrivals(work, slabs, { manifestId: null })
      await keepArrivals(work, sent, docs.length)
      return docs
    })
  const find = (sent: SentArrivals) => withWork(harness, (work) => findEarlierArrivals(work, sent))

  test('are remembered for 7 days by content, whatever their delivery and manifest', async () => {
    const [first] = await receive(sentAs({ delivery: 'D-1', manifestId: 'M' }))
    const earlier = { kind: 'content', first: JSON.parse(first!), count: 2 }
    expect(await find(sentAs())).toEqual(earlier)
    harness.pass(7 * day)
    expect(await find(sentAs())).toEqual(earlier)
    harness.pass(1)
    expect(await find(sentAs())).toBeUndefined()
    expect(await find(sentAs({ content: 'other' }))).toBeUndefined()
  })

  test('are named if a file has their products, row by row, and more', async () => {
    const { client } = harness
    const size = {
      dimensions: { length: 1, width: 1, height: 1, unit: 'in' },
      weight: { value: 1, unit: 'oz' },
    } as const
    for (const sku of ['BOX', 'ETB']) await client.createProduct({ body: { sku, name: sku, ...size } })
    const product = (sku: string): WarehouseArrival => ({ type: 'product', sku, condition_flags: [] })
    const rowsOf = (text: string): SentArrivals['rows'] =>
      text.split(' ').map((row) => {
        const [sku = '', quantity] = row.split(',')
        return { arrival: sku === 'slab' ? {} : product(sku), quantity: Number(quantity) }
      })
    const receiveRows = (rows: string) =>
      withWork(harness, async (work) => {
        const arrivals = rowsOf(rows).flatMap(({ quantity, arrival }) =>
          Array.from({ length: quantity }, () => product(arrival.sku ?? '')),
        )
        const docs = await intakeArrivals(work, arrivals, { manifestId: null })
        await keepArrivals(work, sentAs({ content: rows }), docs.length)
      })
    await receiveRows('BOX,2 ETB,1')
    const found = async (text: string, more = {}) =>
      (await find(sentAs({ content: 'other', rows: rowsOf(text), ...more })))?.kind
    for (const grown of ['BOX,2 BOX,1 ETB,1', 'ETB,1 BOX,1 BOX,1 BOX,4', 'slab,1 BOX,2 ETB,1'])
      expect([grown, await found(grown)]).toEqual([grown, 'rows'])
    for (const other of ['BOX,3 ETB,1', 'BOX,2', 'BOX,2 ETB,1'])
      expect([other, await found(other)]).toEqual([other, undefined])
    expect(await found('BOX,2 ETB,1 BOX,1', { delivery: 'D-1' })).toBeUndefined()
    harness.pass(7 * day + 1)
    expect(await found('BOX,2 ETB,1 BOX,1')).toBeUndefined()
    await receiveRows('BOX,7')
    expect(await found('BOX,7 ETB,1')).toBeUndefined()
  })

  test('the newest represents those of equal content', async () => {
    await receive(sentAs())
    harness.pass(day)
    const [second] = await receive(sentAs())
    expect(await find(sentAs())).toMatchObject({ first: JSON.parse(second!) })
  })

  test("repeat a delivery's first result for good", async () => {
    const docs = await receive(sentAs({ delivery: 'D-1', manifestId: 'M' }))
    await receive(sentAs({ delivery: 'D-2' }))
    harness.pass(400 * day)
    expect(await find(sentAs({ delivery: 'D-1', manifestId: 'M' }))).toEqual({
      kind: 'repeated',
      intakes: docs,
    })
  })

  test('are named if a delivery comes with other content or for another manifest', async () => {
    const [first] = await receive(sentAs({ delivery: 'D-1', manifestId: 'M' }))
    const earlier = { kind: 'delivery', first: JSON.parse(first!), count: 2 }
    expect(await find(sentAs({ delivery: 'D-1', manifestId: 'M', content: 'other' }))).toEqual(earlier)
    expect(await find(sentAs({ delivery: 'D-1' }))).toEqual(earlier)
    expect(await find(sentAs({ delivery: 'D-3' }))).toBeUndefined()
  })

  test.each(['NFC', 'NFD'])(
    'are one delivery in either Unicode form of its name, sent first in %s',
    async (form) => {
      const delivery = 'Café-1'
      const intakes = await receive(sentAs({ delivery: delivery.normalize(form) }))
      for (const other of ['NFC', 'NFD'])
        expect(await find(sentAs({ delivery: delivery.normalize(other) }))).toEqual({
          kind: 'repeated',
          intakes,
        })
    },
  )
})
