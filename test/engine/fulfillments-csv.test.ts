import { beforeEach, describe, expect, test } from 'vitest'
import type { Item } from '../../src/contract/resources/item.ts'
import { shelve } from '../support/arrivals.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { eventLines } from '../support/event-lines.ts'
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

  test('creates one whole fulfillment for each row, with its events in row order', async () => {
    const [first, second] = slabs as [Item, Item]
    const { data, status } = await upload([
      {
        qid: second.qid,
        external_ref: 'SO-1',
        special_instructions: 'Ring, twice',
        deliver_by: '2026-05-01',
      },
      { qid: first.qid, street_2: '' },
    ])
    expect(status).toBe(200)
    expect(data.errors).toEqual([])
    expect(data.totals).toEqual({ created: 2, failed: 0, submitted: 2 })
    expect(data.created).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        qids: [second.qid],
        status: 'pending',
        processing_stage: null,
        shipping_address: address,
        carrier: null,
        service: null,
        tracking_number: null,
        tracking_url: null,
        issue: null,
        external_ref: 'SO-1',
        created_at: '2026-05-01T09:00:00.000Z',
        updated_at: '2026-05-01T09:00:00.000Z',
        type: 'standard',
        special_instructions: 'Ring, twice',
        deliver_by: '2026-05-01',
        verified_address_id: null,
      },
      expect.objectContaining({
        qids: [first.qid],
        external_ref: null,
        shipping_address: { ...address, street_2: null },
      }),
    ])
    expect(eventLines(await harness.events())).toEqual([
      `fulfillment.status.changed ${data.created[0]?.id} pending`,
      `item.status.changed ${second.qid} in_fulfillment`,
      `fulfillment.status.changed ${data.created[1]?.id} pending`,
      `item.status.changed ${first.qid} in_fulfillment`,
    ])
    const listed = await harness.client.listFulfillments({})
    expect(listed.data.results).toEqual([...data.created].reverse())
    const params = { qid: first.qid }
    expect((await harness.client.getItem({ params })).data.active_fulfillment_id).toBe(data.created[1]?.id)
  })

  test('takes the oldest intake first for a SKU and a quantity, and the rest for a later row', async () => {
    const boxes: Item[] = []
    for (let n = 0; n < 5; n++) {
      boxes.push(...(await shelve(harness, [{ sku: 'ETB-1' }])))
      harness.pass(60_000)
    }
    const qids = boxes.map(({ qid }) => qid)
    const { data } = await upload([
      { sku: 'ETB-1', quantity: 2 },
      { qid: qids[2] },
      { sku: 'ETB-1', quantity: 3 },
      { sku: 'ETB-1', quantity: 1 },
      { qid: qids[3] },
      { sku: 'ETB-1', quantity: 2 },
      { sku: 'ETB-1', quantity: 1 },
    ])
    expect(data.created.map((made) => made.qids)).toEqual([
      [qids[0], qids[1]],
      [qids[2]],
      [qids[3]],
      [qids[4]],
    ])
    expect(data.errors).toEqual([
      {
        row: 3,
        code: 'state_conflict',
        fields: { sku: ['"ETB-1" has too few available items (requested 3, available 2)'] },
        message: 'sku "ETB-1" has too few available items (requested 3, available 2).',
      },
      expect.objectContaining({
        row: 5,
        code: 'state_conflict',
        fields: { qid: [`${qids[3]} is in_fulfillment, not available (requested 1, available 0)`] },
      }),
      expect.objectContaining({ row: 6, message: expect.stringContaining('(requested 2, available 1)') }),
    ])
    expect(data.totals).toEqual({ created: 4, failed: 3, submitted: 7 })
  })

  test('takes nothing for a row that is short, so a later smaller one is filled', async () => {
    await shelve(harness, [{ sku: 'ETB-1' }, { sku: 'ETB-1' }])
    const { data } = await upload([
      { sku: 'ETB-1', quantity: 3 },
      { sku: 'ETB-1', quantity: 2 },
      { sku: 'ETB-1', quantity: 3 },
      { sku: 'ETB-1', quantity: 1 },
    ])
    expect(data.created).toHaveLength(1)
    expect(data.errors.map(({ row, message }) => [row, message])).toEqual([
      [1, 'sku "ETB-1" has too few available items (requested 3, available 2).'],
      [3, 'sku "ETB-1" has too few available items (requested 3, available 0).'],
      [4, 'sku "ETB-1" has too few available items (requested 1, available 0).'],
    ])
  })

  test('fails a later row with state_conflict if an earlier one used its item', async () => {
    const qid = slabs[0]?.qid ?? ''
    const { data } = await upload([{ qid }, { qid: qid.toLowerCase().replaceAll('-', '') }])
    expect(data.created).toHaveLength(1)
    expect(data.errors).toEqual([
      {
        row: 2,
        code: 'state_conflict',
        fields: { qid: [`${qid} is in_fulfillment, not available (requested 1, available 0)`] },
        message: `qid ${qid} is in_fulfillment, not available (requested 1, available 0).`,
      },
    ])
  })

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

  test('imports a file once under one Idempotency-Key and answers the same bytes', async () => {
    const form = { file: fulfillmentCsv([{ qid: slabs[0]?.qid }, { qid: 'nonsense' }]) }
    const first = await harness.client.importFulfillmentsCsv({ form, idempotencyKey: 'f-1' })
    const again = await harness.client.importFulfillmentsCsv({ form, idempotencyKey: 'f-1' })
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect((await harness.client.listFulfillments({})).data.total).toBe(1)
  })
})
