import { describe, expect, test } from 'vitest'
import { forAllTests, harnessWith } from '../support/each.ts'
import { databases } from '../support/harness.ts'
import { arrive, product, slab, slabLine, stockCatalog, submit } from '../support/manifests.ts'

describe.each(databases)('GET /slabs over $name', (database) => {
  const harness = forAllTests(harnessWith(database))

  const find = async (certs: readonly string[], client = harness.client) => {
    const { items, lines } = (await client.findSlabs({ query: { cert_numbers: JSON.stringify(certs) } })).data
    return [
      items.map(({ grader, cert_number, status }) => `${grader} ${cert_number} ${status}`),
      lines.map(({ grader, cert_number, reference }) => `${grader} ${cert_number} on ${reference}`),
    ]
  }

  test('finds items of any status and grader, and open lines of any manifest, by certificate in any spelling', async () => {
    const { client, stranger } = harness
    await stockCatalog(client, 'BOX')
    const { id } = await submit(client, 'PO-1', [slabLine('10000001'), slabLine('10000002', 'BGS')], {
      expected_arrival_end: '2026-05-20',
    })
    await submit(client, 'PO-2', [slabLine('1000-0002'), slabLine('10000003'), 'Charizard'])
    const closed = await submit(client, 'PO-3', [slabLine('10000004')])
    await client.closeManifest({ params: { manifest_id: closed.id } })
    await arrive(client, [
      slab('10000001'),
      slab('0010000005', { grader: 'BGS' }),
      slab('10000005'),
      product('BOX'),
    ])
    const [gone] = await arrive(client, [slab('10000006')])
    await client.advanceItem({ params: { qid: gone?.qid ?? '' }, body: { to_status: 'delivered' } })
    const all = [
      'psacard.com/cert/10000001',
      '10000002',
      '10000003',
      '10000004',
      '010000005',
      '10000006',
      '7',
      '',
    ]
    expect(await find(all)).toEqual([
      ['PSA 10000001 received', 'PSA 10000005 received', 'BGS 0010000005 received', 'PSA 10000006 delivered'],
      ['BGS 10000002 on PO-1', 'PSA 1000-0002 on PO-2', 'PSA 10000003 on PO-2'],
    ])
    expect(await find(all, stranger)).toEqual([[], []])
    const { data } = await client.findSlabs({ query: { cert_numbers: '["10000002"]' } })
    const { data: manifest } = await client.getManifest({ params: { manifest_id: id } })
    expect(data.lines[0]).toEqual({
      ...manifest.lines[1],
      manifest_id: id,
      reference: 'PO-1',
      expected_arrival_end: '2026-05-20',
    })
    expect(await find(['no such', '--'])).toEqual([[], []])
  })

  test('shows at most 20 items and 20 lines of a certificate, items in custody first', async () => {
    const { client } = harness
    await submit(
      client,
      'PO-4',
      Array.from({ length: 21 }, () => slabLine('20000002')),
    )
    const [first] = await arrive(client, [slab('20000001')])
    for (let at = 0; at < 21; at++) {
      const [left] = await arrive(client, [slab('20000001')])
      await client.advanceItem({ params: { qid: left?.qid ?? '' }, body: { to_status: 'delivered' } })
    }
    const cert_numbers = '["20000001","20000002"]'
    const { items, lines } = (await client.findSlabs({ query: { cert_numbers } })).data
    expect([items.length, items[0]?.qid, lines.length]).toEqual([20, first?.qid, 20])
  })

  test('rejects all but an array of 1 to 500 texts', async () => {
    for (const cert_numbers of ['48201934', '[]', '[1]', JSON.stringify(Array(501).fill('1'))])
      await expect(harness.client.findSlabs({ query: { cert_numbers } })).rejects.toMatchObject({
        status: 400,
        extra: { fields: { cert_numbers: ['must be a JSON array of 1 to 500 strings'] } },
      })
    expect((await harness.client.findSlabs({})).data).toEqual({ items: [], lines: [] })
    expect(await find(Array.from({ length: 500 }, (_, at) => String(30_000_000 + at)))).toEqual([[], []])
  })
})
