import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { itemStatuses } from '../../src/contract/enums.ts'
import type { QueryInput } from '../../src/contract/operations.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'
import { type StoredItem, storeItems } from '../support/stored-items.ts'

type Query = NonNullable<QueryInput<'listItems'>>

/** First and last instants of what is counted together, and of what lies beside it. */
const times = [
  '2026-04-09T23:59:59.999Z',
  '2026-04-10T00:00:00.000Z',
  '2026-04-14T23:59:59.999Z',
  '2026-04-15T00:00:00.000Z',
  '2026-04-29T23:59:59.999Z',
  '2026-04-30T00:00:00.000Z',
  '2026-05-01T00:00:00.000Z',
  '2026-05-31T12:00:00.000Z',
]
const words = [
  'Pika',
  'chu',
  'Éclair',
  '100%',
  'a_b',
  '稲妻',
  'ß',
  ' ',
  'ab',
  'abc',
  'İx',
  'ΟΔΟΣ',
  'e\u0301',
  'Ⅸ',
]
const text = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(''))
const time = fc.constantFrom(...times)
const spellings: ReadonlyArray<(time: string) => string> = [
  (time) => time,
  (time) => time.replace('.000Z', 'Z'),
  (time) => time.replace('Z', '0000Z'),
  (time) => new Date(Date.parse(time) + 2 * 3_600_000).toISOString().replace('Z', '+02:00'),
]
const bound = fc.tuple(time, fc.constantFrom(...spellings)).map(([time, spelt]) => spelt(time))

const arbitraryItem: fc.Arbitrary<StoredItem> = fc
  .record({
    name: text,
    sku: text,
    status: fc.constantFrom(...itemStatuses),
    grader: fc.option(fc.constantFrom('PSA', 'psa', 'BGS', 'CGC')),
    cert_number: fc.constantFrom('1', '2', '3'),
    manifest_line_id: fc.option(fc.nat({ max: 5 }).map(String)),
    intake_at: time,
    updated_at: time,
  })
  .map((item) => (item.grader === null ? { ...item, cert_number: null } : item) as StoredItem)

const filters = fc.record({
  status: fc.constantFrom(...itemStatuses),
  sku: text,
  search: text,
  cert_number: fc.constantFrom('1', '2', '4'),
  grader: fc.constantFrom('psa', 'Bgs', 'SGC'),
  manifest_id: fc.constantFrom('0', '1', '2'),
  intake_after: bound,
  intake_before: bound,
})
const filterNames = [
  'status',
  'sku',
  'search',
  'cert_number',
  'grader',
  'manifest_id',
  'intake_after',
] as const

/** Of one list: a hundred pages of one item show no more than ten of some. */
const pagesMost = 10

/** Few filters at once, so that many queries have pages. */
const arbitraryQuery = fc
  .tuple(
    filters,
    fc.subarray([...filterNames, 'intake_before' as const], { maxLength: 3 }),
    fc.record({
      sort_by: fc.constantFrom('intake_at' as const, 'updated_at' as const),
      sort_dir: fc.constantFrom('asc' as const, 'desc' as const),
      page_size: fc.integer({ min: 1, max: 20 }),
    }),
  )
  .map(([values, names, order]) => {
    return { ...Object.fromEntries(names.map((name) => [name, values[name]])), ...order } as typeof order &
      Partial<typeof values>
  })

describe.each(databases)('GET /items over $name, against a model (4.3)', (database) => {
  let harness: Harness
  let stored: Item[]
  /** Lines by number, two to a manifest, and manifests by number. */
  const lines: string[] = []
  const manifests: string[] = []

  beforeAll(async () => {
    harness = await startHarness(database)
    for (const reference of ['0', '1', '2']) {
      const body = { reference, lines: [{ description: 'a' }, { description: 'b' }] }
      const { id } = (await harness.client.submitManifest({ body })).data
      manifests.push(id)
      const { data } = await harness.client.getManifest({ params: { manifest_id: id } })
      lines.push(...data.lines.map((line) => line.id))
    }
    const [given = []] = fc.sample(fc.array(arbitraryItem, { minLength: 120, maxLength: 120 }), {
      seed: 7,
      numRuns: 1,
    })
    stored = await storeItems(
      harness,
      given.map((item) => ({
        ...item,
        manifest_line_id: lines[Number(item.manifest_line_id ?? -1)] ?? null,
      })),
    )
  })
  afterAll(() => harness.close())

  test('every combination of filters lists what a plain filter over all items does, page by page, in both orders', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryQuery, async ({ manifest_id, ...query }) => {
        const manifest = manifest_id === undefined ? undefined : manifests[Number(manifest_id)]
        const filtered: Query = { ...query, ...(manifest !== undefined && { manifest_id: manifest }) }
        const expected = expectedQids(filtered)
        const asked = {
          ...filtered,
          page_size: Math.max(query.page_size, Math.ceil(expected.length / pagesMost)),
        }
        expect(await listedQids(asked, expected.length)).toEqual(expected)
      }),
      { seed: 11, numRuns: 400 },
    )
  })

  async function listedQids(query: Query, total: number): Promise<string[]> {
    const qids: string[] = []
    for (let page: number | null = 1; page !== null; ) {
      const { data }: Awaited<ReturnType<Harness['client']['listItems']>> = await harness.client.listItems({
        query: { ...query, page },
      })
      expect([data.total, data.count]).toEqual([total, data.results.length])
      qids.push(...data.results.map((item) => item.qid))
      page = data.next_page_number
    }
    return qids
  }

  function expectedQids(query: Query): string[] {
    const by = query.sort_by ?? 'intake_at'
    const sign = query.sort_dir === 'asc' ? 1 : -1
    const order = (a: Item, b: Item): number =>
      sign * (a[by].localeCompare(b[by]) || stored.indexOf(a) - stored.indexOf(b))
    return stored
      .filter((item) => isMeant(item, query))
      .sort(order)
      .map((item) => item.qid)
  }

  function isMeant(item: Item, query: Query): boolean {
    // Of these words upper case alone is as good as folding; no word is composed otherwise beside another.
    const folded = (value: string): string => value.normalize('NFKC').toUpperCase()
    const has = (value: string, part: string | undefined): boolean =>
      folded(value).includes(folded(part ?? ''))
    const { status, cert_number, grader, manifest_id } = query
    return [
      status === undefined
        ? !['delivered', 'released', 'withdrawn'].includes(item.status)
        : item.status === status,
      has(item.sku, query.sku),
      has(item.name, query.search) || has(item.sku, query.search),
      cert_number === undefined || item.cert_number === cert_number,
      grader === undefined || item.grader?.toUpperCase() === grader.toUpperCase(),
      manifest_id === undefined ||
        Math.floor(lines.indexOf(item.manifest_line_id ?? '') / 2) === manifests.indexOf(manifest_id),
      Date.parse(item.intake_at) >= Date.parse(query.intake_after ?? '2026-01-01T00:00:00Z'),
      Date.parse(item.intake_at) < Date.parse(query.intake_before ?? '2027-01-01T00:00:00Z'),
    ].every(Boolean)
  }
})
