import { describe, expect, test } from 'vitest'
import { getWholeManifest, getWholeReport } from '../../src/client/whole-manifest.ts'
import { loadLines } from '../../src/engine/manifests/manifest-content.ts'
import { inScope } from '../../src/store/database.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { usualDatabases } from '../support/harness.ts'

describe.each(usualDatabases)('the lines of a manifest in pages, over $name (decisions 12)', (database) => {
  const harness = forEachTest(harnessWith(database))

  const submit = async (count: number): Promise<string> => {
    const lines = Array.from({ length: count }, (_, at) => ({
      description: `slab number ${at}`,
      cert_number: `${10_000_000 + at}`,
      quantity: 1,
    }))
    const { data } = await harness.client.submitManifest({ body: { reference: 'PO-1', lines } as never })
    return data.id
  }
  const arrive = (manifest_id: string, numbers: readonly number[]) =>
    harness.client.createIntakes({
      body: {
        manifest_id,
        items: numbers.map((at) => ({
          type: 'graded_slab' as const,
          name: `slab number ${at}`,
          grader: 'PSA',
          grade: '9',
          cert_number: `${10_000_000 + at}`,
        })),
      } as never,
    })

  test('come in order, read a thousand at a time, if requested whole', async () => {
    const { db, scope } = harness
    const id = await submit(1001)
    const all = await db.read((tx) => loadLines(inScope(tx, scope.id), id))
    expect(all.map(({ line }) => line.description)).toEqual(
      Array.from({ length: 1001 }, (_, at) => `slab number ${at}`),
    )
  })

  test('come in pages of the requested size, linked by Link, in order', async () => {
    const manifest_id = await submit(5)
    const whole = await harness.client.getManifest({ params: { manifest_id } })
    expect(whole.headers.link).toBeUndefined()
    expect(whole.data.lines.map((line) => line.description)).toEqual(
      [0, 1, 2, 3, 4].map((at) => `slab number ${at}`),
    )
    const lines: unknown[] = []
    for (const [page, count] of [2, 2, 1, 0].entries()) {
      const query = { page: page + 1, page_size: 2 }
      const { data, headers } = await harness.client.getManifest({ params: { manifest_id }, query })
      expect(data.lines).toHaveLength(count)
      expect(headers.link).toBe(
        page < 2
          ? `<https://custody.test/v1/manifests/${manifest_id}?page_size=2&page=${page + 2}>; rel="next"`
          : undefined,
      )
      expect({ ...data, lines: [] }).toEqual({ ...whole.data, lines: [] })
      lines.push(...data.lines)
    }
    expect(lines).toEqual(whole.data.lines)
    const full = await harness.client.getManifest({ params: { manifest_id }, query: { page_size: 5 } })
    expect([full.data.lines.length, full.headers.link]).toEqual([5, undefined])
  })

  test('include on every page of the report the totals of all lines, and pages of unexpected items', async () => {
    const manifest_id = await submit(3)
    await arrive(manifest_id, [0, 7, 8, 9])
    const { data: whole } = await harness.client.getManifestReport({ params: { manifest_id } })
    expect(whole.totals).toMatchObject({ expected: 3, matched: 1, missing: 2, unexpected: 3 })
    expect(whole.unexpected.map((item) => item.cert_number)).toEqual(['10000007', '10000008', '10000009'])
    const full = await harness.client.getManifestReport({ params: { manifest_id }, query: { page_size: 3 } })
    expect([full.data, full.headers.link]).toEqual([whole, undefined])
    const pages = [1, 2].map(async (page) => {
      const query = { page, page_size: 2 }
      const { data, headers } = await harness.client.getManifestReport({ params: { manifest_id }, query })
      expect(data.totals).toEqual(whole.totals)
      expect(headers.link === undefined).toBe(page === 2)
      return data
    })
    const [first, second] = await Promise.all(pages)
    expect([...first!.lines, ...second!.lines]).toEqual(whole.lines)
    expect([...first!.unexpected, ...second!.unexpected]).toEqual(whole.unexpected)
  })

  test('come in pages of a thousand by default and 5,000 at most; a full read walks the pages', async () => {
    const manifest_id = await submit(1001)
    const { data } = await harness.client.getManifest({ params: { manifest_id } })
    expect(data.lines).toHaveLength(1000)
    expect((await getWholeManifest(harness.client, manifest_id)).lines).toHaveLength(1001)
    expect((await getWholeReport(harness.client, manifest_id)).lines).toHaveLength(1001)
    const query = { page_size: 5001 }
    await expect(harness.client.getManifest({ params: { manifest_id }, query })).rejects.toMatchObject({
      status: 400,
      extra: { fields: { page_size: ['must be at most 5000'] } },
    })
  })
})
