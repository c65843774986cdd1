import { beforeEach, describe, expect, test } from 'vitest'
import type { BodyInput } from '../../src/contract/operations.ts'
import type { Database } from '../../src/store/database.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { databases, usualTest } from '../support/harness.ts'
import { Lookups } from '../support/lookups.ts'
import { slabLine, stockCatalog, submit } from '../support/manifests.ts'
import { outcomeOf } from '../support/outcome.ts'
import { cutOffAfter, inShortSteps } from '../support/steps.ts'

type Receive = BodyInput<'receiveManifest'>
const idempotencyKey = 'one-receipt'

describe.each(databases)('arrivals that take several steps, over $name', (database) => {
  const usual = usualTest(database)
  const harness = forEachTest(harnessWith(database))
  beforeEach(async () => {
    await stockCatalog(harness.client, 'ETB-1')
  })

  const clientOver = (writes = Number.POSITIVE_INFINITY) =>
    inShortSteps(harness, cutOffAfter(harness, writes))
  const manifest = async (reference: string) => {
    const lines = [
      slabLine(reference),
      { description: 'Box', sku: 'ETB-1', quantity: 70 },
      { description: 'Charizard', quantity: 60 },
    ]
    return submit(harness.client, reference, lines)
  }
  const totalsOf = async (id: string) =>
    (await harness.client.getManifestReport({ params: { manifest_id: id } })).data.totals
  const flagsOf = (intakes: ReadonlyArray<{ condition_flags: readonly string[] }>) =>
    intakes.map(({ condition_flags }) => condition_flags.join())

  usual.each<[string, (lines: readonly string[]) => Receive, number]>([
    ['complete', () => ({ outcome: 'complete' }), 131],
    ['short', () => ({ outcome: 'short' }), 130],
    ['excess', () => ({ outcome: 'excess' }), 132],
    ['damaged', () => ({ outcome: 'damaged' }), 131],
    [
      'line by line',
      ([slab = '', box = '', card = '']) => ({
        lines: [
          { line_id: card, quantity: 55, condition_flags: ['bent'] },
          { line_id: slab, quantity: 1 },
          { line_id: box, quantity: 60 },
        ],
      }),
      116,
    ],
  ])(
    '%s, cut off between any two, get the rest from a retry, as if nothing had happened',
    async (_, bodyFor, units) => {
      const [whole, cut] = [await manifest('WHOLE'), await manifest('CUT')]
      const idsOf = async (id: string) =>
        (await harness.client.getManifest({ params: { manifest_id: id } })).data
      const bodyOf = async (id: string) => bodyFor((await idsOf(id)).lines.map((line) => line.id))
      const body = await bodyOf(whole.id)
      const undisturbed = await harness.client.receiveManifest({ params: { manifest_id: whole.id }, body })

      const sent = { params: { manifest_id: cut.id }, body: await bodyOf(cut.id), idempotencyKey }
      const before = (await harness.events()).length
      for (const writes of [1, 1, 1])
        expect((await outcomeOf(clientOver(writes).receiveManifest(sent))).status).toBe(503)
      const { data, text } = await clientOver().receiveManifest(sent)
      expect(data.intakes).toHaveLength(units)
      expect(flagsOf(data.intakes)).toEqual(flagsOf(undisturbed.data.intakes))
      expect(await totalsOf(cut.id)).toEqual(await totalsOf(whole.id))
      const events = (await harness.events()).slice(before)
      expect(events.map((event) => event.data)).toEqual(data.intakes)
      expect((await harness.client.receiveManifest(sent)).text).toBe(text)
      expect(await harness.findings()).toEqual([])
    },
  )

  usual('stop at a manifest closed meanwhile, and answer what arrived (POST /sandbox/intakes)', async () => {
    const { id } = await manifest('CLOSED')
    const items = Array.from({ length: 120 }, () => ({ type: 'product' as const, sku: 'ETB-1' }))
    const first = clientOver(2).createIntakes({ body: { items }, idempotencyKey })
    expect((await outcomeOf(first)).status).toBe(503)
    expect((await harness.client.listIntakes({})).data.total).toBe(100)
    const { data } = await clientOver().createIntakes({ body: { items }, idempotencyKey })
    expect(data.intakes).toHaveLength(120)
    expect((await harness.client.listIntakes({})).data.total).toBe(120)

    const forManifest = { body: { manifest_id: id, items }, idempotencyKey: 'closed' }
    await outcomeOf(clientOver(1).createIntakes(forManifest))
    await harness.client.closeManifest({ params: { manifest_id: id } })
    const { data: came, text } = await clientOver().createIntakes(forManifest)
    expect(came.intakes).toHaveLength(50)
    expect((await harness.client.createIntakes(forManifest)).text).toBe(text)
    const late = await outcomeOf(harness.client.createIntakes({ ...forManifest, idempotencyKey: 'late' }))
    expect(late).toMatchObject({ status: 409 })
    expect((await harness.client.listIntakes({})).data.total).toBe(170)
    expect(await harness.findings()).toEqual([])
  })

  usual("read a manifest's lines once for all steps, and again only after another's write", async () => {
    const { id } = await manifest('WHOLE')
    const lookups = new Lookups()
    const { data } = await inShortSteps(harness, lookups.over(harness.db)).receiveManifest({
      params: { manifest_id: id },
      body: { outcome: 'complete' },
    })
    expect(data.intakes).toHaveLength(131)
    const counts = Map.groupBy(lookups.take(), (name) => name)
    expect([counts.get('lines in order')?.length, counts.get('lines by their ids')?.length]).toEqual([1, 3])
  })

  usual('read only the named lines of a receipt, however many the manifest has', async () => {
    const { id } = await manifest('WHOLE')
    const [line] = (await harness.client.getManifest({ params: { manifest_id: id } })).data.lines
    const lookups = new Lookups()
    const { data } = await inShortSteps(harness, lookups.over(harness.db)).receiveManifest({
      params: { manifest_id: id },
      body: { lines: [{ line_id: line?.id ?? '' }] },
    })
    expect(data.intakes).toHaveLength(1)
    expect(lookups.take()).not.toContain('lines in order')
  })

  /** A process that runs a task of another one before its second write. */
  const interruptedBy = (task: () => Promise<unknown>) => {
    let writes = 0
    const db: Database = {
      ...harness.db,
      async write(fn, how) {
        writes += 1
        if (writes === 2) await task()
        return harness.db.write(fn, how)
      },
    }
    return inShortSteps(harness, db)
  }

  test.each<[string, Receive['outcome'], Receive, number[], object]>([
    ['all of it', 'complete', { outcome: 'complete' }, [50, 81], { matched: 131, unexpected: 0 }],
    ['some of it', 'complete', { lines: [] }, [121, 10], { matched: 131, unexpected: 0 }],
    ['all of it and one more', 'excess', { outcome: 'complete' }, [51, 81], { matched: 131, unexpected: 1 }],
  ])(
    'do not repeat what another receipt brought between two steps: %s',
    async (_, outcome, other, counts, totals) => {
      const { id } = await manifest('WHOLE')
      const params = { manifest_id: id }
      const [, , card] = (await harness.client.getManifest({ params })).data.lines
      const lines = [{ line_id: card?.id ?? '', quantity: 10 }]
      const body = other.outcome ? other : { lines }
      let between = 0
      const client = interruptedBy(async () => {
        between = (await harness.client.receiveManifest({ params, body })).data.intakes.length
      })
      const { data } = await client.receiveManifest({ params, body: { outcome } })
      expect([data.intakes.length, between]).toEqual(counts)
      expect(await totalsOf(id)).toMatchObject(totals)
      expect(await harness.findings()).toEqual([])
    },
  )

  usual('stop at a manifest closed meanwhile, and answer what arrived (a receipt)', async () => {
    const { id } = await manifest('CLOSED')
    const sent = { params: { manifest_id: id }, body: { outcome: 'complete' as const }, idempotencyKey }
    expect((await outcomeOf(clientOver(1).receiveManifest(sent))).status).toBe(503)
    await harness.client.closeManifest({ params: { manifest_id: id } })
    const { data } = await clientOver().receiveManifest(sent)
    expect(data.intakes).toHaveLength(50)
    expect(await totalsOf(id)).toMatchObject({ expected: 131, matched: 50, missing: 81 })
    expect(await harness.findings()).toEqual([])
  })
})
