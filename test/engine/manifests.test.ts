import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { manifestLinesMax } from '../../src/contract/limits.ts'
import { type Harness, startHarness, usualDatabases } from '../support/harness.ts'
import { arrive, manifestOf, slab, slabLine, stockCatalog, submit } from '../support/manifests.ts'
import { scale } from '../support/soak.ts'

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)

describe.each(usualDatabases)('manifests over $name (2.1 to 2.3, 4.1)', (database) => {
  let harness: Harness
  beforeEach(async () => {
    harness = await startHarness(database)
  })
  afterEach(() => harness.close())

  test('are answered 201 as submitted, and GET answers them with their lines in order', async () => {
    const { client } = harness
    await stockCatalog(client, 'ETB-1')
    const { data, status } = await client.submitManifest({
      body: {
        reference: 'PO-7',
        source: 'card_show',
        expected_arrival_start: '2026-05-03',
        expected_arrival_end: '2026-05-10',
        lines: [
          { external_ref: 'L-1', description: 'Charizard #4', grader: 'PSA', cert_number: '0048201934' },
          { description: 'Elite Trainer Box', sku: 'ETB-1', quantity: 12 },
        ],
      },
    })
    expect(status).toBe(201)
    expect(data).toEqual({
      id: uuid,
      reference: 'PO-7',
      source: 'card_show',
      status: 'submitted',
      expected_arrival_start: '2026-05-03',
      expected_arrival_end: '2026-05-10',
      line_count: 2,
      created_at: '2026-05-01T09:00:00.000Z',
    })
    const open = { id: uuid, status: 'expected', matched_qids: [] }
    const none = { external_ref: null, grader: null, cert_number: null, sku: null }
    expect(await manifestOf(client, data.id)).toEqual({
      ...data,
      lines: [
        {
          ...none,
          ...open,
          external_ref: 'L-1',
          description: 'Charizard #4',
          grader: 'PSA',
          cert_number: '0048201934',
          quantity: 1,
        },
        { ...none, ...open, description: 'Elite Trainer Box', sku: 'ETB-1', quantity: 12 },
      ],
    })
    expect(await harness.events()).toEqual([])
  })

  test('are rejected as a whole if lines are faulty, and every line is named', async () => {
    const { client } = harness
    await stockCatalog(client, 'ETB-1')
    const lines = [
      { description: 'Fine', sku: 'ETB-1' },
      { description: 'No such product', sku: 'ETB-9' },
      { description: 'Two of one slab', grader: 'PSA', cert_number: '48201934', quantity: 2 },
      { description: 'Another such', sku: 'etb-1' },
    ]
    const window = { expected_arrival_start: '2026-05-10', expected_arrival_end: '2026-05-03' }
    await expect(
      client.submitManifest({ body: { reference: 'PO-7', lines, ...window } }),
    ).rejects.toMatchObject({
      status: 400,
      code: 'validation_error',
      extra: {
        fields: {
          expected_arrival_end: ['must not be before expected_arrival_start'],
          'lines[1].sku': ['is not in the catalog'],
          'lines[2].quantity': ['must be 1 with a cert_number: one certificate is one item'],
          'lines[3].sku': ['is not in the catalog'],
        },
      },
    })
    expect((await client.listManifests({})).data.total).toBe(0)
  })

  test('are listed newest first, filtered by status and by exact reference', async () => {
    const { client } = harness
    for (const reference of ['PO-1', 'PO-2', 'PO-2', 'po-2']) await submit(client, reference, [slabLine('1')])
    const [receiving] = (await client.listManifests({ query: { reference: 'PO-1' } })).data.results
    await arrive(client, [slab('1')], receiving)
    const list = async (query: { status?: 'submitted' | 'receiving' | 'reconciled'; reference?: string }) => {
      const { data } = await client.listManifests({ query })
      return [data.total, data.results.map((manifest) => `${manifest.reference} ${manifest.status}`)]
    }
    expect(await list({})).toEqual([
      4,
      ['po-2 submitted', 'PO-2 submitted', 'PO-2 submitted', 'PO-1 receiving'],
    ])
    expect(await list({ status: 'submitted' })).toEqual([
      3,
      ['po-2 submitted', 'PO-2 submitted', 'PO-2 submitted'],
    ])
    expect(await list({ status: 'receiving' })).toEqual([1, ['PO-1 receiving']])
    expect(await list({ reference: 'PO-2' })).toEqual([2, ['PO-2 submitted', 'PO-2 submitted']])
    expect(await list({ reference: 'PO-2', status: 'receiving' })).toEqual([0, []])
    expect(await list({ reference: 'PO' })).toEqual([0, []])
  })

  test("do not accept another partner's SKU", async () => {
    await stockCatalog(harness.stranger, 'ETB-1')
    const lines = [{ description: 'Elite Trainer Box', sku: 'ETB-1' }]
    await expect(harness.client.submitManifest({ body: { reference: 'PO-7', lines } })).rejects.toMatchObject(
      {
        extra: { fields: { 'lines[0].sku': ['is not in the catalog'] } },
      },
    )
  })
})

const size = scale(2000, manifestLinesMax)

test(`a manifest of ${size} lines is accepted, matched, and closed`, async () => {
  const harness = await startHarness(usualDatabases[0]!)
  const { client } = harness
  const lines = Array.from({ length: size }, (_, n) =>
    n % 2 === 0 ? slabLine(String(10_000_000 + n)) : { description: `Lot ${n} of assorted commons` },
  )
  const manifest = await submit(client, 'PO-7', lines)
  expect(manifest.line_count).toBe(size)
  await arrive(client, [slab('10000000'), slab(String(10_000_000 + size - 2))])
  const { data } = await client.closeManifest({ params: { manifest_id: manifest.id } })
  const statuses = data.lines.map((line) => line.status)
  expect(statuses.filter((status) => status === 'missing')).toHaveLength(size - 2)
  expect([statuses[0], statuses[size - 2]]).toEqual(['matched', 'matched'])
  await harness.close()
})
