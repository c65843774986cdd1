import { beforeEach, describe, expect, test } from 'vitest'
import type { Item } from '../../src/contract/resources/item.ts'
import { shelve } from '../support/arrivals.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { fulfillmentCsv } from '../support/fulfillment-csv.ts'
import { startHarness, usualDatabases } from '../support/harness.ts'
import { address } from '../support/orders.ts'

describe.each(usualDatabases)('POST /fulfillments/csv over $name (4.4, decisions 5)', (database) => {
  const harness = forEachTest(harnessWith(database))
  let slabs: Item[]
  beforeEach(async () => {
    slabs = await shelve(harness, [{}, {}])
  })

  const upload = (rows: object[]) =>
    harness.client.importFulfillmentsCsv({ form: { file: fulfillmentCsv(rows) } })

  test('fails unknown, foreign, other-environment, and malformed QIDs identically (part 7, rule 2)', async () => {
    const [foreign] = (await shelve(harness, [{}], harness.strangerScope)) as [Item]
    const production = await startHarness(database, { environment: 'production', seed: 9 })
    const [elsewhere] = (await shelve(production, [{}])) as [Item]
    const qids = ['Q-0000-0000-0000', foreign.qid, elsewhere.qid, 'nonsense']
    const { data } = await upload(qids.map((qid) => ({ qid })))
    expect(data.created).toEqual([])
    expect(data.errors).toEqual(
      qids.map((_, index) => ({
        row: index + 1,
        code: 'not_found',
        fields: { qid: ['is not an item in custody'] },
        message: 'qid is not an item in custody.',
      })),
    )
    expect(await harness.events()).toEqual([])
    await production.close()
  })

  test('fails rows one by one, each with every faulty field, in row order', async () => {
    const [first, second] = slabs as [Item, Item]
    const { data } = await upload([
      { qid: first.qid, country: 'BR' },
      { qid: 'nonsense' },
      { qid: first.qid, state: 'ZZ', zip: '1', deliver_by: '2026-04-30' },
      { qid: first.qid, sku: 'ETB-1' },
      { sku: 'NOPE', quantity: 1 },
      { recipient_name: '' },
      { sku: 'ETB-1', quantity: '0' },
      { qid: second.qid, country: 'us', state: 'tx' },
    ])
    expect(data.errors.map(({ row, code, fields }) => [row, code, Object.keys(fields)])).toEqual([
      [1, 'unsupported_destination', ['country']],
      [2, 'not_found', ['qid']],
      [3, 'validation_error', ['state', 'zip', 'deliver_by']],
      [4, 'validation_error', ['qid', 'sku']],
      [5, 'validation_error', ['sku']],
      [6, 'validation_error', ['qid', 'recipient_name']],
      [7, 'validation_error', ['sku', 'quantity']],
    ])
    expect(data.created.map(({ shipping_address }) => shipping_address)).toEqual([address])
    expect(data.totals).toEqual({ created: 1, failed: 7, submitted: 8 })
  })

  test.each([
    [
      'an unknown column',
      'qid,recipient_name,street,city,state,zip,contry\n',
      /unknown column .*did you mean country/,
    ],
    [
      'a required column missing',
      'qid,recipient_name,street,city,state\nQ,a,b,c,TX\n',
      /lacks the required column zip/,
    ],
    ['a million columns', 'qid,'.repeat(1_000_000), /has more than 1,000 columns/],
    ['an open quote', `${fulfillmentCsv([{ qid: 'x' }])}"open\n`, /quote/],
    ['no data row', 'qid,recipient_name,street,city,state,zip,country\n', /no data row/],
  ])('%s: rejects the whole file with 400 and writes nothing', async (_, text, message) => {
    const form = { file: Buffer.from(text) }
    await expect(harness.client.importFulfillmentsCsv({ form })).rejects.toMatchObject({
      status: 400,
      code: 'validation_error',
      message: expect.stringMatching(message),
      extra: { fields: { file: expect.any(Array) } },
    })
    expect(await harness.events()).toEqual([])
  })

  test('takes back earlier rows if a quote is open at the end', async () => {
    const good = fulfillmentCsv(slabs.map(({ qid }) => ({ qid })))
    const file = Buffer.concat([good, Buffer.from('"open')])
    await expect(harness.client.importFulfillmentsCsv({ form: { file } })).rejects.toMatchObject({
      status: 400,
    })
    expect((await harness.client.listFulfillments({})).data.total).toBe(0)
    expect((await harness.client.getItemSummary({})).data.by_status).toMatchObject({ available: 2 })
  })
})
