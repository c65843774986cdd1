import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { itemStatuses } from '../../src/contract/enums.ts'
import { type FiltersOf, operations, type QueryInput } from '../../src/contract/operations.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { forAllTests, harnessWith } from '../support/each.ts'
import { databases, type Harness } from '../support/harness.ts'
import { type StoredItem, storeItems } from '../support/stored-items.ts'

type Query = NonNullable<QueryInput<'listItems'>>

/** First and last instants of what is counted together, and their neighbours. */
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
const byTimes = ['intake_at', 'updated_at'] as const
const directions = ['desc', 'asc'] as const

const arbitraryItem: fc.Arbitrary<StoredItem> = fc
  .record({
    name: text,
    sku: text,
    category: fc.constantFrom('pokemon', 'sealed', 'sports'),
    status: fc.constantFrom(...itemStatuses),
    grader: fc.option(fc.constantFrom('PSA', 'psa', 'BGS', 'CGC')),
    cert_number: fc.constantFrom('1', '2', '3'),
    manifest_line_id: fc.option(fc.nat({ max: 5 }).map(String)),
    intake_at: time,
    updated_at: time,
  })
  .map((item) => (item.grader === null ? { ...item, cert_number: null } : item) as StoredItem)

type Filters = FiltersOf<'listItems'>
type Name = keyof Filters
const filterNames = Object.keys(operations.listItems.filters) as Name[]

/** Values to request; a filter that is missing here uses the stored values of the field with its name. */
const samples: { [N in Name]?: readonly string[] } = {
  status: itemStatuses,
  sku: ['Pika', 'a_b', 'abc', 'σ'],
  search: ['éclair', '100%', 'ss', 'ix'],
  cert_number: ['1', '2', '4'],
  grader: ['psa', 'Bgs', 'SGC'],
  intake_after: times.map((time, at) => (spellings[at % spellings.length] as (time: string) => string)(time)),
  intake_before: times,
}

/** A hundred pages of one item show no more than ten of some. */
const pagesMost = 10

/** Few filters at once, so that many queries have pages. */
const arbitraryAsk = fc.record({
  names: fc.subarray(filterNames, { maxLength: 3 }),
  pick: fc.nat(),
  sort_by: fc.constantFrom('intake_at' as const, 'updated_at' as const),
  sort_dir: fc.constantFrom('asc' as const, 'desc' as const),
  page_size: fc.integer({ min: 1, max: 20 }),
})

describe.each(databases)('GET /items over $name, against a model (4.3)', (database) => {
  const harness = forAllTests(harnessWith(database))
  let stored: Item[]
  /** Lines by number, two to a manifest, and manifests by number. */
  const lines: string[] = []
  const manifests: string[] = []
  beforeAll(async () => {
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

  test.each(filterNames)(
    'by %s alone lists what a plain filter over all items does, for each value',
    async (name) => {
      for (const [at, value] of valuesOf(name).entries()) {
        const order = { sort_by: byTimes[at % 2], sort_dir: directions[(at >> 1) % 2] }
        await expectPlain({ [name]: value, ...order }, 7)
      }
    },
  )

  const pairs = filterNames.flatMap((one, at) =>
    filterNames.slice(at + 1).map((other) => [one, other] as const),
  )
  test.each(pairs)(
    'by %s and %s together lists what a plain filter does, for each pair of values',
    async (one, other) => {
      for (const [at, first] of valuesOf(one).entries()) {
        for (const second of valuesOf(other).slice(0, 4)) {
          const order = { sort_by: byTimes[at % 2], sort_dir: directions[(at >> 1) % 2] }
          await expectPlain({ [one]: first, [other]: second, ...order }, 7)
        }
      }
    },
  )

  test('lists with up to three filters what a plain filter does, page by page, in both orders', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryAsk, async ({ names, pick, page_size, ...order }) => {
        const values = names.map((name) => [name, valuesOf(name)[pick % valuesOf(name).length]])
        await expectPlain({ ...Object.fromEntries(values), ...order }, page_size)
      }),
      { seed: 11, numRuns: 120 },
    )
  })

  test('every filter matches some items and not others', () => {
    for (const name of filterNames) {
      const met = valuesOf(name).map((value) => expectedQids({ [name]: value }).length)
      expect(Math.max(...met), name).toBeGreaterThan(0)
      expect(Math.min(...met), name).toBeLessThan(stored.length)
    }
  })

  function valuesOf(name: Name): readonly string[] {
    if (name === 'manifest_id') return manifests
    const own = stored.map((item) => item[name as keyof Item]).filter((value) => typeof value === 'string')
    return samples[name] ?? [...new Set(own)]
  }

  async function expectPlain(query: Query, pageSize: number): Promise<void> {
    const expected = expectedQids(query)
    const page_size = Math.max(pageSize, Math.ceil(expected.length / pagesMost))
    expect(await listedQids({ ...query, page_size }, expected.length), JSON.stringify(query)).toEqual(
      expected,
    )
  }

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
    const isHeld = !['delivered', 'released', 'withdrawn'].includes(item.status)
    if (query.status === undefined && !isHeld) return false
    return filterNames.every((name) => {
      const value = query[name]
      const isPlain = plain[name] ?? ((item, value) => item[name as keyof Item] === value)
      return value === undefined || isPlain(item, value)
    })
  }

  /** For these words, upper-casing equals folding, and no word composes differently next to another. */
  const has = (value: string, part: string): boolean => folded(value).includes(folded(part))

  /** The meaning of each filter; by default, that the field of its name has the value. */
  const plain: { [N in Name]?: (item: Item, value: string) => boolean } = {
    sku: (item, part) => has(item.sku, part),
    search: (item, part) => has(item.name, part) || has(item.sku, part),
    grader: (item, name) => item.grader?.toUpperCase() === name.toUpperCase(),
    manifest_id: (item, id) =>
      Math.floor(lines.indexOf(item.manifest_line_id ?? '') / 2) === manifests.indexOf(id),
    intake_after: (item, time) => Date.parse(item.intake_at) >= Date.parse(time),
    intake_before: (item, time) => Date.parse(item.intake_at) < Date.parse(time),
  }
})

function folded(value: string): string {
  return value.normalize('NFKC').toUpperCase()
}
