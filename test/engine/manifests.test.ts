import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { manifestLinesMax } from '../../src/contract/limits.ts'
import { type Harness, startHarness, usualDatabases } from '../support/harness.ts'
import { arrive, slab, slabLine, stockCatalog, submit } from '../support/manifests.ts'
import { scale } from '../support/soak.ts'

describe.each(usualDatabases)('manifests over $name (2.1 to 2.3, 4.1)', (database) => {
  let harness: Harness
  beforeEach(async () => {
    harness = await startHarness(database)
  })
  afterEach(() => harness.close())

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
