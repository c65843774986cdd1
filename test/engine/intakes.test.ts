import { describe, expect, test } from 'vitest'
import type { QueryInput } from '../../src/contract/operations.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { baseUrl, databases } from '../support/harness.ts'
import { arrive, slab, slabLine, submit } from '../support/manifests.ts'

describe.each(databases)('GET /intakes over $name (4.3)', (database) => {
  const harness = forEachTest(harnessWith(database))

  /** The listed certificates and the total. */
  async function list(query: QueryInput<'listIntakes'>): Promise<[number, Array<string | null>]> {
    const { data } = await harness.client.listIntakes({ query })
    return [data.total, data.results.map(({ item }) => item.cert_number)]
  }

  /** Two arrivals a minute from 09:00 on: 1 and 2, then 3 and 4, then 5 and 6. */
  async function arriveByMinutes(): Promise<void> {
    for (const pair of [
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ]) {
      await arrive(
        harness.client,
        pair.map((cert) => slab(cert)),
      )
      harness.pass(60_000)
    }
  }

  test('filters by manifest and by certificate, alone and with everything else', async () => {
    const { client } = harness
    const manifest = await submit(client, 'PO-7', [slabLine('1'), slabLine('3')])
    await arriveByMinutes()
    await arrive(client, [slab('1')])
    expect(await list({ manifest_id: manifest.id })).toEqual([2, ['3', '1']])
    expect(await list({ manifest_id: manifest.id.toUpperCase() })).toEqual([2, ['3', '1']])
    expect(await list({ cert_number: '1' })).toEqual([2, ['1', '1']])
    expect(await list({ cert_number: '1', manifest_id: manifest.id })).toEqual([1, ['1']])
    const late = { intake_after: '2026-05-01T09:01:00Z' }
    expect(await list({ ...late, manifest_id: manifest.id })).toEqual([1, ['3']])
    expect(await list({ ...late, cert_number: '1' })).toEqual([1, ['1']])
    expect(await list({ cert_number: '0 1' })).toEqual([2, ['1', '1']])
    expect(await list({ cert_number: '1x' })).toEqual([0, []])
    expect(await list({ cert_number: 'https://www.psacard.com/cert/1/psa' })).toEqual([2, ['1', '1']])
    expect(await list({ cert_number: 'https://www.cgccards.com/certlookup/1/' })).toEqual([0, []])
    expect(await list({ manifest_id: '01990000-0000-7000-8000-000000000000' })).toEqual([0, []])
  })

  test('pages a time range back from its newest, in the envelope of 2.13', async () => {
    await arriveByMinutes()
    const query = { intake_before: '2026-05-01T09:02:00Z', page: 2, page_size: 3 }
    const { data } = await harness.client.listIntakes({ query })
    expect(data.results.map(({ item }) => item.cert_number)).toEqual(['1'])
    expect({ ...data, results: [] }).toEqual({
      page_size: 3,
      count: 1,
      total: 4,
      current_page_number: 2,
      next_page_number: null,
      next: null,
      previous: `${baseUrl}/intakes?intake_before=2026-05-01T09%3A02%3A00Z&page_size=3&page=1`,
      previous_page_number: 1,
      results: [],
    })
    expect(await list({ page: 9 })).toEqual([6, []])
  })

  test("continues a manifest's pages where the previous one ended", async () => {
    const lines = ['1', '2', '3', '4', '5'].map((cert) => slabLine(cert))
    const { id } = await submit(harness.client, 'PO-7', lines)
    await arriveByMinutes()
    const query = { manifest_id: id, page_size: 2 }
    expect(await list({ ...query, page: 1 })).toEqual([5, ['5', '4']])
    expect(await list({ ...query, page: 3 })).toEqual([5, ['1']])
  })
})
