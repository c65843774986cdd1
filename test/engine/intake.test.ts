import { describe, expect, test } from 'vitest'
import type { BodyInput } from '../../src/contract/operations.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { usualDatabases } from '../support/harness.ts'
import { arrive, manifestOf, named, product, slab, slabLine, submit } from '../support/manifests.ts'
import { inShortSteps } from '../support/steps.ts'

const uuid = expect.stringMatching(/^[0-9a-f]{8}-/)
const qid = expect.stringMatching(/^Q-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/)

describe.each(usualDatabases)('arrivals over $name (2.5, 2.6, 3.1, 3.2, 4.3)', (database) => {
  const harness = forEachTest(harnessWith(database))

  test('match a slab to a line: its item, intake, and event exist, and the manifest is receiving', async () => {
    const { client } = harness
    const line = { external_ref: 'L-1', description: 'Charizard', grader: 'PSA', cert_number: '48201934' }
    const manifest = await submit(client, 'PO-7', [line, 'Blastoise'])
    harness.pass(60_000)
    const card = { set: 'Base Set', card_number: '4', category: 'pokemon' }
    const { data, status } = await client.createIntakes({
      body: { items: [slab('4820-1934', { ...card, name: '1999 Charizard', grader: 'psa' })] },
    })
    expect(status).toBe(201)
    const [matched] = (await manifestOf(client, manifest.id)).lines
    const item = {
      qid,
      type: 'graded_slab',
      name: '1999 Charizard',
      sku: expect.stringMatching(/^GS-PSA-9-[0-9A-Z]{8}$/),
      status: 'received',
      ...card,
      external_ref: 'L-1',
      manifest_line_id: matched?.id,
      active_fulfillment_id: null,
      image_assets: [],
      intake_at: '2026-05-01T09:01:00.000Z',
      updated_at: '2026-05-01T09:01:00.000Z',
      model_3d: null,
      cert_number: '4820-1934',
      grade: '9',
      grader: 'psa',
    }
    expect(data).toEqual({
      intakes: [
        {
          qid,
          intake_at: '2026-05-01T09:01:00.000Z',
          manifest_id: manifest.id,
          manifest_line_id: matched?.id,
          condition_flags: [],
          item,
        },
      ],
    })
    const [intake] = data.intakes
    expect(intake?.item.qid).toBe(intake?.qid)
    expect(matched).toMatchObject({ status: 'matched', matched_qids: [intake?.qid] })
    expect(await harness.events()).toEqual([
      { id: uuid, created_at: '2026-05-01T09:01:00.000Z', type: 'item.intake.completed', data: intake },
    ])
    expect((await client.getItem({ params: { qid: intake?.qid ?? '' } })).data).toEqual(intake?.item)
    expect((await client.listIntakes({})).data.results).toEqual(data.intakes)
    expect(await client.listManifests({ query: { status: 'receiving' } })).toMatchObject({
      data: { total: 1, results: [{ ...manifest, status: 'receiving' }] },
    })
  })

  test("give a product the catalog's name and picture, and null certificate fields", async () => {
    const { client } = harness
    const body = { name: 'Elite Trainer Box', sku: 'ETB-1', image_url: 'https://cdn.example/etb.PNG?v=2' }
    const dimensions = { height: 1, length: 1, width: 1, unit: 'in' as const }
    await client.createProduct({ body: { ...body, dimensions, weight: { value: 1, unit: 'oz' } } })
    const [intake] = await arrive(client, [product('ETB-1', { name: 'Something else' })])
    expect(intake).toEqual({
      qid,
      intake_at: '2026-05-01T09:00:00.000Z',
      manifest_id: null,
      manifest_line_id: null,
      condition_flags: [],
      item: {
        qid,
        type: 'product',
        name: 'Elite Trainer Box',
        sku: 'ETB-1',
        status: 'received',
        set: null,
        card_number: null,
        external_ref: null,
        manifest_line_id: null,
        active_fulfillment_id: null,
        image_assets: [{ variant: 'front', url: body.image_url, width: 1000, height: 1000, format: 'png' }],
        intake_at: '2026-05-01T09:00:00.000Z',
        updated_at: '2026-05-01T09:00:00.000Z',
        model_3d: null,
        cert_number: null,
        grade: null,
        grader: null,
      },
    })
  })

  test('give equal slabs one graded-item SKU, and each its own QID', async () => {
    const intakes = await arrive(harness.client, [
      named('Charizard #4', { set: 'Base Set' }),
      named('CHARIZARD  #4', { set: 'base set' }),
      named('Charizard #4', { set: 'Base Set', grade: '10' }),
    ])
    const [first, second, better] = intakes.map(({ item }) => item.sku)
    expect(second).toBe(first)
    expect(better).not.toBe(first)
    expect(new Set(intakes.map((intake) => intake.qid)).size).toBe(3)
  })

  test('name a nameless slab by its line, or else by its certificate', async () => {
    const { client } = harness
    await submit(client, 'PO-7', [{ description: 'Charizard', grader: 'PSA', cert_number: '1' }])
    const unnamed = (cert: string) => slab(cert, { name: undefined })
    const intakes = await arrive(client, [unnamed('1'), unnamed('2')])
    expect(intakes.map(({ item }) => item.name)).toEqual(['Charizard', 'PSA 9 2'])
  })

  test('make the line a condition mismatch if flagged, and list each flag once', async () => {
    const { client } = harness
    const manifest = await submit(client, 'PO-7', [slabLine('1')])
    const condition_flags = ['cracked_case', 'label_mismatch', 'cracked_case']
    const [intake] = await arrive(client, [slab('1', { condition_flags })])
    expect(intake?.condition_flags).toEqual(['cracked_case', 'label_mismatch'])
    expect((await manifestOf(client, manifest.id)).lines).toEqual([
      expect.objectContaining({ status: 'condition_mismatch', matched_qids: [intake?.qid] }),
    ])
  })

  test('attributed to a manifest make it receiving even if no line matches', async () => {
    const { client } = harness
    const manifest = await submit(client, 'PO-7', [slabLine('1')])
    const [intake] = await arrive(client, [slab('2')], manifest)
    expect(intake).toMatchObject({ manifest_id: manifest.id, manifest_line_id: null })
    expect(await manifestOf(client, manifest.id)).toMatchObject({
      status: 'receiving',
      lines: [{ status: 'expected', matched_qids: [] }],
    })
  })

  test('are rejected with every fault of every item, and nothing is received', async () => {
    const items = [
      { type: 'product' },
      { type: 'product', sku: 'ETB-9', grade: '9' },
      { type: 'graded_slab', name: 'X', sku: 'ETB-1', grader: 'PSA' },
      slab('1'),
    ]
    await expect(
      harness.client.createIntakes({ body: { items } as BodyInput<'createIntakes'> }),
    ).rejects.toMatchObject({
      status: 400,
      code: 'validation_error',
      extra: {
        fields: {
          'items[0].sku': ['is required for a product'],
          'items[1].sku': ['is not in the catalog'],
          'items[1].grade': ['is only for a slab; leave it out'],
          'items[2].sku': ['is only for a product: a slab is given its graded-item SKU'],
          'items[2].grade': ['is required for a slab'],
          'items[2].cert_number': ['is required for a slab'],
        },
      },
    })
    expect((await harness.client.listIntakes({})).data.total).toBe(0)
    expect(await harness.events()).toEqual([])
  })

  test('name a fault beyond the first batch by its overall number, and nothing is received', async () => {
    const items = [...Array.from({ length: 57 }, (_, n) => slab(`${n}`)), product('ETB-9'), slab('57')]
    await expect(arrive(inShortSteps(harness), items)).rejects.toMatchObject({
      status: 400,
      extra: { fields: { 'items[57].sku': ['is not in the catalog'] } },
    })
    expect((await harness.client.listIntakes({})).data.total).toBe(0)
  })

  test('are not found for an unknown or foreign manifest, and conflict with a closed one (decisions 11)', async () => {
    const { client, stranger } = harness
    const foreign = await submit(stranger, 'PO-1', ['X'])
    await expect(arrive(client, [slab('1')], foreign)).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
    })
    const manifest = await submit(client, 'PO-7', ['X'])
    await client.closeManifest({ params: { manifest_id: manifest.id } })
    await expect(arrive(client, [slab('1')], manifest)).rejects.toMatchObject({
      status: 409,
      code: 'state_conflict',
      message: 'This manifest is closed: nothing can be received for it.',
      extra: { status: 'reconciled' },
    })
    expect((await client.listIntakes({})).data.total).toBe(0)
  })

  test("never match another partner's lines, and are not listed for it (part 5)", async () => {
    const { client, stranger } = harness
    const manifest = await submit(stranger, 'PO-1', [slabLine('1'), 'Charizard Base Set'])
    await arrive(client, [slab('1'), named('Charizard Base Set')])
    expect((await manifestOf(stranger, manifest.id)).status).toBe('submitted')
    expect((await stranger.listIntakes({})).data.total).toBe(0)
  })
})
