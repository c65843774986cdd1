import { describe, expect, test } from 'vitest'
import { itemStatuses } from '../../src/contract/enums.ts'
import type { IntakeEvent } from '../../src/contract/resources/item.ts'
import { isHeld } from '../../src/domain/items/item-states.ts'
import type { UnitOfWork } from '../../src/engine/context.ts'
import type { WarehouseArrival } from '../../src/engine/intake/arrivals.ts'
import { heldSlabs } from '../../src/engine/intake/held-slabs.ts'
import { intakeArrivals } from '../../src/engine/intake/warehouse-intake.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { usualDatabases } from '../support/harness.ts'
import { manifestOf, slabLine, stockCatalog, submit } from '../support/manifests.ts'
import { storeItems } from '../support/stored-items.ts'
import { withWork } from '../support/with-work.ts'

function slab(cert_number: string, name = 'Unlisted'): WarehouseArrival {
  return { type: 'graded_slab', name, grader: 'PSA', grade: '9', cert_number, condition_flags: [] }
}

describe.each(usualDatabases)(
  'the warehouse receives arrivals, over $name, in production (3.1, 3.2)',
  (database) => {
    const harness = forEachTest(harnessWith(database, { environment: 'production' }))

    const receiveArrivals = (arrivals: WarehouseArrival[], manifestId: string | null = null) =>
      withWork(harness, async (work): Promise<IntakeEvent[]> => {
        const intakes = await intakeArrivals(work, arrivals, { manifestId })
        return intakes.map((intake) => JSON.parse(intake))
      })

    test('an item is matched and listed, with item.intake.completed as its only event', async () => {
      const manifest = await submit(harness.client, 'PO-7', [slabLine('1')])
      const [intake] = await receiveArrivals([slab('1')])
      expect(intake).toMatchObject({ manifest_id: manifest.id, manifest_line_id: expect.any(String) })
      expect((await harness.events()).map(({ type, data }) => [type, data])).toEqual([
        ['item.intake.completed', intake],
      ])
      expect((await harness.client.listItems({})).data.results).toEqual([intake?.item])
    })

    test('arrivals for a closed manifest are not attributed, and fill no other (decisions 11)', async () => {
      const { client } = harness
      const closed = await submit(client, 'PO-1', [slabLine('1')])
      const open = await submit(client, 'PO-2', [slabLine('1')])
      await client.closeManifest({ params: { manifest_id: closed.id } })
      const [line] = (await manifestOf(client, closed.id)).lines
      const scanned = { ...slab('1'), line_id: line?.id }
      const unmatched = { manifest_id: null, manifest_line_id: null }
      expect(await receiveArrivals([slab('1'), scanned], closed.id)).toMatchObject([unmatched, unmatched])
      expect((await manifestOf(client, open.id)).status).toBe('submitted')
      const report = (await client.getManifestReport({ params: { manifest_id: closed.id } })).data
      expect([report.totals.unexpected, report.unexpected]).toEqual([0, []])
    })

    test('a slab is held by its grader and certificate in canonical form until it leaves', async () => {
      const here = itemStatuses.map((status, at) => ({ status, grader: 'PSA', cert_number: `1-${at}` }))
      const stored = await storeItems(harness, here)
      const asked = [...here.keys()].map((at) => ({ grader: ' psa', cert_number: `1 ${at}` }))
      const others = [
        { sku: 'ETB-1' },
        { grader: 'CGC', cert_number: '10' },
        { grader: 'cgc', cert_number: '1-0' },
        { cert_number: '1-0' },
      ]
      expect(await withWork(harness, (work) => heldSlabs(work, [...asked, ...others]))).toEqual([
        ...stored.flatMap((item, at) => (isHeld(item.status) ? { at, item } : [])),
        { at: asked.length + 2, before: asked.length + 1 },
      ])
    })

    test('a slab counts as one in any spelling, and is stored as sent', async () => {
      const sent = [
        { grader: 'P.S.A.', cert_number: '048201934' },
        { grader: 'PSA 10', cert_number: '4820-1934' },
        { grader: 'psa', cert_number: 'HTTPS://WWW.PSACARD.COM/CERT/48201934/PSA' },
      ]
      const [item] = await storeItems(harness, sent.slice(0, 1))
      expect(item).toMatchObject(sent[0]!)
      expect(await withWork(harness, (work) => heldSlabs(work, sent))).toEqual(
        sent.map((_, at) => ({ at, item })),
      )
    })

    test('an unknown manifest and an unknown SKU are rejected without receiving anything', async () => {
      await expect(
        receiveArrivals([slab('1')], '01990000-0000-7000-8000-000000000000'),
      ).rejects.toMatchObject({
        code: 'not_found',
      })
      await expect(
        receiveArrivals([slab('1'), { type: 'product', sku: 'ETB-9', condition_flags: [] }]),
      ).rejects.toMatchObject({
        code: 'validation_error',
        extra: { fields: { 'items[1].sku': ['is not in the catalog'] } },
      })
      expect((await harness.client.listIntakes({})).data.total).toBe(0)
    })

    test('a scan counts only for a line with room of the given manifest', async () => {
      const { client } = harness
      const lines = ['Charizard Base Set', 'Charizard Base Set', slabLine('1')]
      const here = await submit(client, 'PO-1', lines)
      const there = await submit(client, 'PO-2', lines)
      const [first, second, third] = (await manifestOf(client, here.id)).lines
      const [other] = (await manifestOf(client, there.id)).lines
      const scan = (line_id: string | undefined) => ({ ...slab('7', 'Charizard Base Set'), line_id })
      const absent = '01990000-0000-7000-8000-000000000000'
      const scans = [second?.id, second?.id, other?.id, absent, third?.id].map(scan)
      expect((await receiveArrivals(scans, here.id)).map((intake) => intake.manifest_line_id)).toEqual([
        second?.id,
        first?.id,
        null,
        null,
        null,
      ])
    })

    test('a QID that is taken is drawn again', async () => {
      const first = new Uint8Array(11).fill(7)
      const draws = [first, first, first, new Uint8Array(11).fill(8)]
      const qids = await withWork(harness, async (work) => {
        const random = (bytes: number) => draws.shift() ?? work.random(bytes)
        const rigged: UnitOfWork = { ...work, sources: { ...work.sources, random } }
        const intakes = await intakeArrivals(rigged, [slab('1'), slab('2')], { manifestId: null })
        return intakes.map((intake) => (JSON.parse(intake) as IntakeEvent).qid)
      })
      expect(draws).toEqual([])
      expect(new Set(qids).size).toBe(2)
    })

    test('the words of hundreds of lines that one batch fills are deleted', async () => {
      const names = Array.from({ length: 250 }, (_, n) => `Lot ${n} of commons`)
      await submit(harness.client, 'PO-7', [...names, 'Lot 250 of commons'])
      const intakes = await receiveArrivals(names.map((name, n) => slab(`${9_000 + n}`, name)))
      expect(intakes.filter((intake) => intake.manifest_line_id === null)).toEqual([])
      expect(await harness.findings()).toEqual([])
    })

    test('a batch of thousands fills hundreds of lines in order, each saved as a whole', async () => {
      const { client } = harness
      await stockCatalog(client, 'ETB-1')
      const lines = Array.from({ length: 300 }, (_, n) => ({
        description: `Lot ${n}`,
        sku: 'ETB-1',
        quantity: 5,
      }))
      const { id } = await submit(client, 'PO-7', lines)
      const product: WarehouseArrival = { type: 'product', sku: 'ETB-1', condition_flags: [] }
      const intakes = await receiveArrivals(Array(1700).fill(product), id)
      const filled = (await manifestOf(client, id)).lines
      expect(filled.every((line) => line.status === 'matched')).toBe(true)
      expect(filled.flatMap((line) => line.matched_qids)).toEqual(
        intakes.slice(0, 1500).map((intake) => intake.qid),
      )
      const { data } = await client.getManifestReport({ params: { manifest_id: id } })
      expect(data.totals).toEqual({
        expected: 1500,
        matched: 1500,
        missing: 0,
        unexpected: 200,
        condition_mismatch: 0,
      })
      expect(data.unexpected.map((item) => item.qid)).toEqual(intakes.slice(1500).map((intake) => intake.qid))
      expect((await client.listIntakes({ query: { page: 1700, page_size: 1 } })).data).toMatchObject({
        total: 1700,
        results: [{ qid: intakes[0]?.qid }],
      })
      expect((await harness.events()).map((event) => event.data)).toEqual(intakes)
    })
  },
)
