import { beforeAll, describe, expect, test } from 'vitest'
import type { QueryInput } from '../../src/contract/operations.ts'
import { forAllTests, harnessWith } from '../support/each.ts'
import { databases } from '../support/harness.ts'
import { type StoredItem, storeItems } from '../support/stored-items.ts'

type Query = NonNullable<QueryInput<'listItems'>>

/** By the names that the expectations below use. Times ascend in this order, changes in the opposite order. */
const items: Record<string, StoredItem> = {
  charizard: slab('1999 Pokemon Base Set Charizard Holo #4', 'GS-PSA-9-AAAA1111', 'PSA', '65936798'),
  acuna: slab('2018 Topps Update Ronald Acuña Jr. #US250', 'GS-SGC-9.5-BBBB2222', 'SGC', '0016607517'),
  gone: { ...slab('1999 Pokemon Jungle Snorlax', 'GS-PSA-8-CCCC3333', 'PSA', '111'), status: 'delivered' },
  sold: { ...slab('1999 Pokemon Fossil Gengar', 'GS-BGS-8-DDDD4444', 'BGS', '222'), status: 'released' },
  mine: { ...slab('2003 Topps Chrome LeBron James', 'GS-BGS-9-EEEE5555', 'BGS', '333'), status: 'withdrawn' },
  shipped: { name: 'Booster Box 100% Foil\ufffe', sku: 'BB_36\ufffe', status: 'in_transit' },
  picked: {
    name: 'Booster Box 1000 Foils ΟΔΟΣΑ Straße İstanbul Pınar e\u0301e ﬁrst\uffff',
    sku: 'BBX36 ΟΛΟΣ ﬁ',
    status: 'in_fulfillment',
  },
  umbreon: slab('ブラッキーVMAX Umbreon "SA"', 'GS-CGC-10-FFFF6666', 'Cgc', '6091333546'),
  bolt: slab('Strixhaven 稲妻 Lightning Bolt #105', 'GS-CGC-10-GGGG7777', 'CGC', '65936799'),
  arrived: { name: "Collector's \\ Tin \ufffd", sku: 'TIN\\1\nEX', status: 'received' },
}
const names = Object.keys(items)

describe.each(databases)('GET /items over $name (4.3)', (database) => {
  const harness = forAllTests(harnessWith(database))
  let nameOf: Map<string, string>
  const manifests: Record<string, string> = {}
  beforeAll(async () => {
    await storeItems(harness, [{ name: 'Charizard of another partner' }], harness.strangerScope)
    const { client } = harness
    for (const [reference, lines] of [
      ['PO-1', ['charizard', 'gone', 'bolt']],
      ['PO-2', ['acuna']],
    ] as const) {
      const body = { reference, lines: lines.map((description) => ({ description })) }
      const { id } = (await client.submitManifest({ body })).data
      manifests[reference] = id
      const { data } = await client.getManifest({ params: { manifest_id: id } })
      for (const line of data.lines)
        Object.assign(items[line.description] ?? {}, { manifest_line_id: line.id })
    }
    const stored = await storeItems(harness, names.map(timed))
    nameOf = new Map(stored.map((item, at) => [item.qid, names[at] ?? '']))
  })

  const found = async (query: Query): Promise<string[]> => {
    const { data } = await harness.client.listItems({ query })
    expect(data.total).toBe(data.results.length)
    return data.results.map((item) => nameOf.get(item.qid) ?? 'a stranger')
  }

  test.each<[Query, string[]]>([
    [{ status: 'available' }, ['bolt', 'umbreon', 'acuna', 'charizard']],
    [{ status: 'delivered' }, ['gone']],
    [{ status: 'digitized' }, []],
    [{ sort_dir: 'asc', status: 'available' }, ['charizard', 'acuna', 'umbreon', 'bolt']],
    [{ sort_by: 'updated_at', status: 'available' }, ['charizard', 'acuna', 'umbreon', 'bolt']],
    [
      { sort_by: 'updated_at', sort_dir: 'asc', status: 'available' },
      ['bolt', 'umbreon', 'acuna', 'charizard'],
    ],
  ])('filters and orders by status: %j', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  test.each<[Query, string[]]>([
    [{ sku: 'gs-cgc' }, ['bolt', 'umbreon']],
    [{ sku: 'PSA-9' }, ['charizard']],
    [{ sku: 'psa', status: 'delivered' }, ['gone']],
    [{ sku: 'b_3' }, ['shipped']],
    [{ sku: 'b_' }, ['shipped']],
    [{ sku: '36' }, ['picked', 'shipped']],
    [{ sku: 'n\\1' }, ['arrived']],
    [{ sku: '1\nex' }, ['arrived']],
    [{ sku: '1 ex' }, []],
    [{ sku: 'ολοσ' }, ['picked']],
    [{ sku: 'ﬁ' }, ['picked']],
    [{ sku: 'fi' }, ['picked']],
    [{ sku: '\ufffe' }, ['shipped']],
    [{ sku: '\uffff' }, []],
    [{ sku: 'charizard' }, []],
    [{ sku: 'x'.repeat(5000) }, []],
  ])('matches any part of the SKU, in any case: %j', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  test.each<[Query, string[]]>([
    [{ search: 'CHARIZARD' }, ['charizard']],
    [{ search: 'acuÑa jr.' }, ['acuna']],
    [{ search: 'acun\u0303a' }, ['acuna']],
    [{ search: 'aaaa1111' }, ['charizard']],
    [{ search: 'topps' }, ['acuna']],
    [{ search: '100%' }, ['shipped']],
    [{ search: '0% foil' }, ['shipped']],
    [{ search: '%' }, ['shipped']],
    [{ search: 'box 1' }, ['picked', 'shipped']],
    [{ search: '稲妻' }, ['bolt']],
    [{ search: 'ブラッキー' }, ['umbreon']],
    [{ search: '"sa"' }, ['umbreon']],
    [{ search: '" or "' }, []],
    [{ search: "collector's \\ t" }, ['arrived']],
    [{ search: '#4' }, ['charizard']],
    [{ search: '#4\nGS' }, []],
    [{ search: 'pokemon', status: 'released' }, ['sold']],
    [{ search: 'no such card' }, []],
    [{ search: 'ΟΔΟΣ' }, ['picked']],
    [{ search: 'οδος' }, ['picked']],
    [{ search: 'strasse' }, ['picked']],
    [{ search: 'STRAẞE' }, ['picked']],
    [{ search: 'İstan' }, ['picked']],
    [{ search: 'pınar' }, ['picked']],
    [{ search: 'pinar' }, []],
    [{ search: 'e' + '\u0301' }, ['picked']],
    [{ search: 'first' }, ['picked']],
    [{ search: '\ufffd' }, ['arrived']],
    [{ search: '\ufffe' }, ['shipped']],
    [{ search: '\uffff' }, ['picked']],
    [{ search: 'n \ufffd' }, ['arrived']],
    [{ search: 'x'.repeat(60_000) }, []],
  ])('searches any part of name or SKU, in any case: %j', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  test.each<[Query, string[]]>([
    [{ cert_number: '65936798' }, ['charizard']],
    [{ cert_number: '6593679' }, []],
    [{ cert_number: '16607517' }, ['acuna']],
    [{ cert_number: '6593-6798' }, ['charizard']],
    [{ cert_number: 'https://www.psacard.com/cert/65936798/psa' }, ['charizard']],
    [{ cert_number: 'https://www.cgccards.com/certlookup/65936798/' }, []],
    [{ cert_number: '0016607517' }, ['acuna']],
    [{ cert_number: '111' }, []],
    [{ cert_number: '111', status: 'delivered' }, ['gone']],
    [{ grader: 'cgc' }, ['bolt', 'umbreon']],
    [{ grader: ' PSA ' }, ['charizard']],
    [{ grader: 'P.S.A.' }, ['charizard']],
    [{ grader: 'Beckett', status: 'released' }, ['sold']],
    [{ grader: 'cgc', sort_by: 'updated_at' }, ['umbreon', 'bolt']],
    [{ grader: 'BGS', status: 'released' }, ['sold']],
    [{ grader: ' ' }, []],
    [{ grader: 'HGA' }, []],
  ])('compares cert_number and grader by canonical form: %j', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  test.each<[Query, string[]]>([
    [{ intake_after: '2026-04-08T00:00:00.000Z' }, ['arrived', 'bolt', 'umbreon']],
    [{ intake_after: '2026-04-08T00:00:00.0001Z' }, ['arrived', 'bolt']],
    [{ intake_after: '2026-04-08T02:00:00+02:00' }, ['arrived', 'bolt', 'umbreon']],
    [{ intake_before: '2026-04-02T00:00:00Z' }, ['charizard']],
    [{ intake_before: '2026-04-01T20:00:00.001-04:00' }, ['acuna', 'charizard']],
    [{ intake_after: '2026-04-02T00:00:00Z', intake_before: '2026-04-06T00:00:00Z' }, ['acuna']],
    [{ intake_after: '2026-04-02T00:00:00Z', sort_by: 'updated_at', sku: 'cgc' }, ['umbreon', 'bolt']],
    [{ intake_after: '9999-12-31T23:59:59-12:00' }, []],
    [{ intake_before: '0000-01-01T00:00:00+12:00' }, []],
  ])(
    'includes intake_after and excludes intake_before, in any zone: %j (decisions 11)',
    async (query, expected) => {
      expect(await found(query)).toEqual(expected)
    },
  )

  test("lists the items matched to a manifest's lines, and none for an unknown or foreign one", async () => {
    expect(await found({ manifest_id: manifests['PO-1'] })).toEqual(['bolt', 'charizard'])
    expect(await found({ manifest_id: manifests['PO-1']?.toUpperCase(), status: 'delivered' })).toEqual([
      'gone',
    ])
    expect(await found({ manifest_id: manifests['PO-2'], grader: 'sgc', search: 'topps' })).toEqual(['acuna'])
    for (const unknown of ['01990000-0000-7000-8000-000000000000', '11111111-1111-1111-1111-111111111111'])
      expect(await found({ manifest_id: unknown })).toEqual([])
    const { data } = await harness.stranger.listItems({ query: { manifest_id: manifests['PO-1'] } })
    expect(data.results).toEqual([])
  })

  test('shows another partner only its own items, also by search', async () => {
    const { data } = await harness.stranger.listItems({ query: { search: 'charizard' } })
    expect(data.results.map((item) => item.name)).toEqual(['Charizard of another partner'])
    expect((await harness.stranger.listItems({})).data.total).toBe(1)
  })
})

function slab(name: string, sku: string, grader: string, cert_number: string): StoredItem {
  return { name, sku, grader, grade: '9', cert_number }
}

function timed(name: string, at: number): StoredItem {
  const intake_at = `2026-04-${String(at + 1).padStart(2, '0')}T00:00:00.000Z`
  const updated_at = `2026-05-${String(30 - at).padStart(2, '0')}T00:00:00.000Z`
  return { ...items[name], intake_at, updated_at }
}
