import { describe, expect, test } from 'vitest'
import type { MatchKey } from '../../src/contract/enums.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { usualDatabases } from '../support/harness.ts'
import {
  arrive,
  manifestOf,
  named,
  product,
  slab,
  slabLine,
  stockCatalog,
  submit,
} from '../support/manifests.ts'

/** What the report adds to a line; the matching keys are certain. */
function received(
  received_quantity: number,
  difference: number,
  condition_flags: string[],
  match_key: MatchKey | null,
) {
  const match_score = match_key === null ? null : 1
  return { received_quantity, difference, condition_flags, match_key, match_score }
}

describe.each(usualDatabases)('reconciliation over $name (3.1, 3.2, part 6, decisions 6)', (database) => {
  const harness = forEachTest(harnessWith(database))

  const report = async (id: string) =>
    (await harness.client.getManifestReport({ params: { manifest_id: id } })).data
  const close = (id: string, idempotencyKey?: string) =>
    harness.client.closeManifest({ params: { manifest_id: id }, idempotencyKey })

  /** Clean, flagged, short, and missing lines, and an unexpected item. Returns the QIDs in the order of arrival. */
  async function receiveWithDifferences(): Promise<{ id: string; qids: string[] }> {
    const { client } = harness
    await stockCatalog(client, 'ETB-1')
    const manifest = await submit(client, 'PO-7', [
      { ...slabLine('1'), external_ref: 'L-1' },
      slabLine('2'),
      { description: 'Elite Trainer Box', sku: 'ETB-1', quantity: 5 },
      slabLine('3'),
    ])
    const intakes = await arrive(
      client,
      [
        slab('1'),
        slab('2', { condition_flags: ['cracked_case'] }),
        product('ETB-1'),
        product('ETB-1', { condition_flags: ['damaged'] }),
        product('ETB-1'),
        named('Unlisted', { condition_flags: ['wrong_item'] }),
      ],
      manifest,
    )
    return { id: manifest.id, qids: intakes.map((intake) => intake.qid) }
  }

  test('reports what came for each line, provisional until the close', async () => {
    const { id, qids } = await receiveWithDifferences()
    const { lines } = await manifestOf(harness.client, id)
    const [first, second, third, fourth] = lines
    const provisional = {
      manifest_id: id,
      reference: 'PO-7',
      status: 'receiving',
      generated_at: null,
      totals: { expected: 8, matched: 3, missing: 3, unexpected: 1, condition_mismatch: 2 },
      lines: [
        { ...first, ...received(1, 0, [], 'cert_number') },
        { ...second, ...received(1, 0, ['cracked_case'], 'cert_number') },
        { ...third, ...received(3, -2, ['damaged'], 'sku') },
        { ...fourth, ...received(0, -1, [], null) },
      ],
      unexpected: [
        {
          qid: qids[5],
          name: 'Unlisted',
          sku: expect.stringMatching(/^GS-PSA-9-/),
          cert_number: expect.stringMatching(/^UNLISTED-/),
          intake_at: '2026-05-01T09:00:00.000Z',
          condition_flags: ['wrong_item'],
        },
      ],
    }
    expect(await report(id)).toEqual(provisional)
    await close(id)
    expect(await report(id)).toEqual({
      ...provisional,
      status: 'reconciled',
      generated_at: '2026-05-01T09:00:00.000Z',
      lines: [...provisional.lines.slice(0, 3), { ...provisional.lines[3], status: 'missing' }],
    })
  })

  test('keeps the final report when an unexpected item leaves and returns', async () => {
    const { client } = harness
    const { id, qids } = await receiveWithDifferences()
    await close(id)
    const { text } = await client.getManifestReport({ params: { manifest_id: id } })
    const params = { qid: qids[5] ?? '' }
    harness.pass(3_600_000)
    await client.advanceItem({ params, body: { to_status: 'delivered' } })
    await client.advanceItem({ params, body: { to_status: 'received' } })
    expect((await client.getManifestReport({ params: { manifest_id: id } })).text).toBe(text)
  })

  test('matches nothing to the lines of a closed manifest', async () => {
    const { client } = harness
    await stockCatalog(client, 'ETB-1')
    const lines = [slabLine('1'), { description: 'x', sku: 'ETB-1' }, 'Charizard Base Set']
    const closed = await submit(client, 'PO-1', lines)
    const open = await submit(client, 'PO-2', lines)
    await close(closed.id)
    const intakes = await arrive(client, [slab('1'), product('ETB-1'), named('Charizard Base Set')])
    expect(intakes.map((intake) => intake.manifest_id)).toEqual([open.id, open.id, open.id])
    expect(await arrive(client, [slab('1')])).toMatchObject([{ manifest_id: null, manifest_line_id: null }])
  })
})
