import { expect, test } from 'vitest'
import type { Item } from '../../src/contract/resources/item.ts'
import { startHarness, usualDatabases } from '../support/harness.ts'
import { arrive, slab } from '../support/manifests.ts'

test.each(usualDatabases)(
  'over $name a returned slab repeats intake as the same item with its QID, manifest line, and imagery (3.3, decisions 11)',
  async (database) => {
    const harness = await startHarness(database)
    const { client } = harness
    const line = { description: 'Charizard', grader: 'PSA', cert_number: '48201934', external_ref: 'LOT-1' }
    const manifest = (await client.submitManifest({ body: { reference: 'PO-7', lines: [line] } })).data
    const params = { manifest_id: manifest.id }
    const { intakes } = (await client.receiveManifest({ params, body: { outcome: 'complete' } })).data
    const first = intakes[0]?.item as Item
    harness.pass(3_600_000)
    const qid = { qid: first.qid }
    const sent = (await client.advanceItem({ params: qid, body: { to_status: 'delivered' } })).data
    harness.pass(3_600_000)
    const back = (await client.advanceItem({ params: qid, body: { to_status: 'received' } })).data
    expect(back).toEqual({
      ...first,
      image_assets: sent.image_assets,
      intake_at: '2026-05-01T11:00:00.000Z',
      updated_at: '2026-05-01T11:00:00.000Z',
    })
    expect(first).toMatchObject({ external_ref: 'LOT-1', manifest_line_id: expect.any(String) })
    expect(sent.image_assets).toHaveLength(3)
    const { data } = await client.listIntakes({ query: { manifest_id: manifest.id } })
    expect(data.results.map(({ intake_at, item }) => [intake_at, item])).toEqual([
      [back.intake_at, back],
      [first.intake_at, first],
    ])
    const event = (await harness.events()).at(-1)
    expect([event?.type, event?.data]).toEqual(['item.intake.completed', data.results[0]])
    const lines = (await client.getManifest({ params })).data.lines
    expect(lines).toEqual([expect.objectContaining({ status: 'matched', matched_qids: [first.qid] })])
    await harness.close()
  },
)

test.each(usualDatabases)(
  'the flags of one intake do not pass to the next, over $name (2.6)',
  async (database) => {
    const harness = await startHarness(database)
    const { client } = harness
    const [damaged] = await arrive(client, [slab('1', { condition_flags: ['cracked_case'] })])
    const params = { qid: damaged?.qid ?? '' }
    for (const to_status of ['delivered', 'received'] as const)
      await client.advanceItem({ params, body: { to_status } })
    const { data } = await client.listIntakes({})
    expect(data.results.map((intake) => intake.condition_flags)).toEqual([[], ['cracked_case']])
    await harness.close()
  },
)
