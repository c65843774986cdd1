import { describe, expect, test } from 'vitest'
import { forEachTest, harnessWith } from '../support/each.ts'
import { usualDatabases } from '../support/harness.ts'
import { arrive, manifestOf, named, product, slab, slabLine, submit } from '../support/manifests.ts'
import { inShortSteps } from '../support/steps.ts'

describe.each(usualDatabases)('arrivals over $name (2.5, 2.6, 3.1, 3.2, 4.3)', (database) => {
  const harness = forEachTest(harnessWith(database))

  test('name a nameless slab by its line, or else by its certificate', async () => {
    const { client } = harness
    await submit(client, 'PO-7', [{ description: 'Charizard', grader: 'PSA', cert_number: '1' }])
    const unnamed = (cert: string) => slab(cert, { name: undefined })
    const intakes = await arrive(client, [unnamed('1'), unnamed('2')])
    expect(intakes.map(({ item }) => item.name)).toEqual(['Charizard', 'PSA 9 2'])
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

  test('name a fault beyond the first batch by its overall number, and nothing is received', async () => {
    const items = [...Array.from({ length: 57 }, (_, n) => slab(`${n}`)), product('ETB-9'), slab('57')]
    await expect(arrive(inShortSteps(harness), items)).rejects.toMatchObject({
      status: 400,
      extra: { fields: { 'items[57].sku': ['is not in the catalog'] } },
    })
    expect((await harness.client.listIntakes({})).data.total).toBe(0)
  })

  test("never match another partner's lines, and are not listed for it (part 5)", async () => {
    const { client, stranger } = harness
    const manifest = await submit(stranger, 'PO-1', [slabLine('1'), 'Charizard Base Set'])
    await arrive(client, [slab('1'), named('Charizard Base Set')])
    expect((await manifestOf(stranger, manifest.id)).status).toBe('submitted')
    expect((await stranger.listIntakes({})).data.total).toBe(0)
  })
})
