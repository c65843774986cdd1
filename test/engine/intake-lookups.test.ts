import { beforeEach, describe, expect, test } from 'vitest'
import type { Arrival } from '../../src/contract/resources/sandbox.ts'
import type { ReadContext } from '../../src/engine/context.ts'
import { listIntakes } from '../../src/engine/intake/intakes.ts'
import { intakeArrivals } from '../../src/engine/intake/warehouse-intake.ts'
import { listItems } from '../../src/engine/items/item-list.ts'
import { getItemSummary } from '../../src/engine/items/items.ts'
import { listManifests } from '../../src/engine/manifests/manifests.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { databases } from '../support/harness.ts'
import { Lookups } from '../support/lookups.ts'
import { manifestOf, slabLine, stockCatalog, submit } from '../support/manifests.ts'
import { cutOffAfter, inShortSteps } from '../support/steps.ts'
import { withWork } from '../support/with-work.ts'

const product: Arrival = { type: 'product', sku: 'ETB-1', condition_flags: [] }
const slab: Arrival = {
  type: 'graded_slab',
  name: 'Unlisted',
  grader: 'PSA',
  grade: '9',
  cert_number: '7',
  condition_flags: [],
}
const charizard = { ...slab, name: 'Charizard Base Set' }
/** The first line of each reading. */
const byWords = ['lines by words', 'lines by words']

describe.each(databases)('lookups of intake and lists over $name, with many rows', (database) => {
  const harness = forEachTest(harnessWith(database))
  let lookups: Lookups
  beforeEach(async () => {
    lookups = new Lookups()
    await stockCatalog(harness.client, 'ETB-1')
  })

  const receiveArrivals = (arrivals: readonly Arrival[], manifestId: string | null = null) =>
    withWork(harness, ({ tx, ...work }) =>
      intakeArrivals({ ...work, tx: lookups.within(tx) }, arrivals, { manifestId }),
    )

  test.each<[string, Arrival, readonly string[]]>([
    ['a slab by its certificate', { ...slab, cert_number: '1' }, ['lines by certificate']],
    ['a product by its SKU', product, ['lines by SKU']],
    ['a slab with another certificate by its words', charizard, ['lines by certificate', ...byWords]],
    ['a slab with a meaningless certificate by its words', { ...charizard, cert_number: '- -' }, byWords],
  ])('%s, by nothing else, and search no words if a line matches every key', async (_, arrival, expected) => {
    const lines = [slabLine('1'), { description: 'Box', sku: 'ETB-1' }]
    await submit(harness.client, 'PO-7', [...lines, { description: 'Charizard Base Set', quantity: 2 }])
    const [intake = ''] = await receiveArrivals([arrival])
    expect(intake).not.toContain('"manifest_line_id":null')
    expect(lookups.take()).toEqual(['pending manifests', ...expected, 'a manifest saved'])
  })

  test('read lines of one key as needed, one at first, and each once', async () => {
    const lines = Array.from({ length: 12 }, () => ({ description: 'Box', sku: 'ETB-1' }))
    const { id } = await submit(harness.client, 'PO-7', lines)
    const rowsFor = async (count: number) => {
      await receiveArrivals(Array(count).fill(product))
      return lookups.takeWhole().flatMap(({ name, rows }) => (name === 'lines by SKU' ? [rows] : []))
    }
    expect(await rowsFor(1)).toEqual([1])
    expect(await rowsFor(2)).toEqual([1, 4])
    expect(await rowsFor(13)).toEqual([1, 4, 4])
    expect((await manifestOf(harness.client, id)).lines.every(({ status }) => status === 'matched')).toBe(
      true,
    )
  })

  const rowsOf = (name: string) =>
    lookups.takeWhole().reduce((sum, each) => sum + (each.name === name ? each.rows : 0), 0)

  test('compare one slab with a hundred lines of its certificate under other graders', async () => {
    const lines = Array.from({ length: 300 }, () => slabLine('7', 'BGS'))
    await submit(harness.client, 'PO-7', lines)
    const intakes = await receiveArrivals([slab, { ...slab, grader: 'CGC' }, { ...slab, grader: 'BGS' }])
    const isMatched = intakes.map((intake) => !intake.includes('"manifest_line_id":null'))
    expect(isMatched).toEqual([false, false, true])
    expect(rowsOf('lines by certificate')).toBe(160)
  })

  test('skip an incomplete manifest, however many of its lines have the key', async () => {
    const lines = Array.from({ length: 600 }, () => ({ description: 'Box', sku: 'ETB-1' }))
    const cutOff = inShortSteps(harness, cutOffAfter(harness, 2))
    await expect(submit(cutOff, 'PO-6', lines)).rejects.toMatchObject({ status: 503 })
    const { id } = await submit(harness.client, 'PO-7', lines.slice(0, 3))
    const intakes = await receiveArrivals(Array(4).fill(product))
    const manifests = intakes.map((intake) => JSON.parse(intake).manifest_id)
    expect(manifests).toEqual([id, id, id, null])
    expect(rowsOf('lines by SKU')).toBe(4)
  })

  test('save a manifest at its first arrival and its first unexpected one, and not for the rest', async () => {
    const { id } = await submit(harness.client, 'PO-7', [{ description: 'Box', sku: 'ETB-1', quantity: 9 }])
    const saves = async (arrivals: readonly Arrival[]) => {
      await receiveArrivals(arrivals, id)
      return lookups.take().filter((name) => name === 'a manifest saved').length
    }
    expect([await saves([product, product]), await saves([product]), await saves([slab, product])]).toEqual([
      1, 0, 1,
    ])
  })

  test('count items without reading their graders, however many', async () => {
    const graders = ['PSA', 'BGS', 'CGC', 'SGC']
    await receiveArrivals(graders.map((grader, at) => ({ ...slab, grader, cert_number: `${at}` })))
    lookups.take()
    const rowsFor = (task: (view: ReadContext) => Promise<unknown>) =>
      withWork(harness, async ({ tx, ...view }) => {
        await task({ ...view, tx: lookups.within(tx) })
        return rowsOf('counts')
      })
    expect(await rowsFor(getItemSummary)).toBe(1)
    const query = { grader: 'PSA', page: 1, page_size: 2, sort_by: 'intake_at', sort_dir: 'asc' } as const
    expect(await rowsFor((view) => listItems(view, { query }))).toBe(2)
  })

  test('count lists only if no counter covers them', async () => {
    await receiveArrivals([slab, slab, slab])
    for (const reference of ['PO-1', 'PO-2', 'PO-3']) await submit(harness.client, reference, ['X'])
    lookups.take()
    const list = (lister: typeof listIntakes | typeof listManifests, more: object) =>
      withWork(harness, async ({ tx, ...view }) => {
        const query = { page: 2, page_size: 2, ...more }
        const { docs, total } = await lister({ ...view, tx: lookups.within(tx) }, { query })
        return [docs.length, total, lookups.take().filter((name) => name === 'counted').length]
      })
    expect(await list(listIntakes, {})).toEqual([1, 3, 0])
    expect(await list(listIntakes, { intake_after: '2026-05-01T09:00:00Z' })).toEqual([1, 3, 0])
    expect(await list(listIntakes, { cert_number: '7' })).toEqual([1, 3, 1])
    expect(await list(listManifests, {})).toEqual([1, 3, 0])
    expect(await list(listManifests, { status: 'submitted' })).toEqual([1, 3, 0])
    expect(await list(listManifests, { reference: 'PO-1', page: 1 })).toEqual([1, 1, 1])
  })
})
