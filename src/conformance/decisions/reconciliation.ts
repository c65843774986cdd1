import { each, holds, rejected, same } from '../check.ts'
import { shaped, shapes } from '../shapes.ts'
import { entriesOf, seenBy, unitOf } from '../world.ts'

/** Decisions 6: line statuses, totals, closing; decisions 10: the report. */
export const reconciliationDecisions = entriesOf({
  'D6-11 an open line is condition_mismatch once a unit was flagged, else matched once its quantity is filled':
    async (world) => {
      const { sku } = await world.newProduct()
      const { id } = await world.newManifest([{ description: 'Box', sku, quantity: 3 }])
      const status = async () => (await world.manifestWithLines(id)).lines[0]?.status
      const unit = unitOf({ sku })
      await world.arrive([unit, unit])
      same(await status(), 'expected', 'with two of three')
      await world.arriveOne(unit)
      same(await status(), 'matched', 'with all three')
      const other = await world.newManifest([{ description: 'Box', sku, quantity: 2 }])
      await world.arriveOne({ ...unit, condition_flags: ['damaged'] })
      const [line] = (await world.manifestWithLines(other.id)).lines
      same([line?.status, line?.matched_qids.length], ['condition_mismatch', 1], 'with one flagged of two')
    },
  'D6-12 close turns only expected lines into missing, also partly filled ones; matched_qids keeps all':
    async (world) => {
      const { sku } = await world.newProduct()
      const [clean, flagged] = [world.slabLine(), world.slabLine()]
      const lines = [clean, flagged, world.slabLine(), { description: 'Box', sku, quantity: 2 }]
      const manifest = await world.newManifest(lines)
      await world.arrive([world.slabOf(clean), world.slabOf(flagged, ['damaged']), unitOf({ sku })])
      const closed = await world.close(manifest)
      const seen = closed.lines.map(({ status, matched_qids }) => `${status} ${matched_qids.length}`)
      same(seen, ['matched 1', 'condition_mismatch 1', 'missing 0', 'missing 1'], 'statuses and items')
      same(closed.status, 'reconciled', 'the manifest that was receiving')
    },
  'D6-13 totals count units: expected, matched, condition_mismatch, missing, and unexpected items': async (
    world,
  ) => {
    const { sku } = await world.newProduct()
    const manifest = await world.newManifest([{ description: 'Box', sku, quantity: 5 }, world.slabLine()])
    const unit = unitOf({ sku })
    const damaged = { ...unit, condition_flags: ['damaged'] }
    await world.arrive([unit, unit, damaged, world.slabArrival()], manifest.id)
    const { events } = await world.events.during(() => world.close(manifest), [manifest.id])
    const totals = { expected: 6, matched: 2, missing: 3, unexpected: 1, condition_mismatch: 1 }
    const data = events[0]?.data as { totals: object } | undefined
    same(data?.totals, totals, 'totals of the event')
    same((await world.reportOf(manifest.id)).totals, totals, 'totals of the report')
  },
  'D6-14 close is synchronous: the answer is reconciled, and the event is already in the log':
    seenBy('3.1-3'),
  'D6-16 an arrival attributed to a closed manifest is a 409, and nothing is received (decisions 11)': async (
    world,
  ) => {
    const manifest = await world.newManifest()
    await world.close(manifest)
    const slab = world.slabArrival()
    const json = { manifest_id: manifest.id, items: [slab] }
    rejected(await world.ask('createIntakes', { json }), 409, 'state_conflict')
    const query = { cert_number: slab.cert_number }
    same((await world.client.listIntakes({ query })).data.total, 0, 'intakes')
  },
  'D10-2 GET /manifests/{id} returns the manifest and its lines': async (world) => {
    const manifest = await world.newManifest([world.slabLine(), world.slabLine()])
    const { lines, ...rest } = await world.manifestWithLines(manifest.id)
    same(rest, manifest, 'the manifest')
    for (const line of lines) shaped(line, shapes.manifestLine, 'the line')
  },
  'D10-3 GET /manifests/{id}/report returns lines with counts, difference, and match, and unexpected items':
    async (world) => {
      const [here, gone] = [world.slabLine(), world.slabLine()]
      const manifest = await world.newManifest([here, gone])
      const extra = world.slabArrival({ condition_flags: ['damaged'] })
      const intakes = await world.arrive([world.slabOf(here), extra], manifest.id)
      const before = await world.reportOf(manifest.id)
      const head = { manifest_id: manifest.id, reference: manifest.reference, status: 'receiving' }
      same({ ...before, ...head, generated_at: null }, before, 'while it is provisional')
      const report = { received_quantity: 'integer', difference: 'integer', condition_flags: 'string[]' }
      const match = { match_key: 'cert_number sku description|null', match_score: 'number|null' }
      for (const line of before.lines)
        shaped(line, { ...shapes.manifestLine, ...report, ...match }, 'the line')
      same(each(before.lines, 'received_quantity'), [1, 0], 'received')
      same(each(before.lines, 'difference'), [0, -1], 'difference, which is received - expected')
      const { qid, item, intake_at, condition_flags } = intakes[1] ?? intakes[0]!
      const { name, sku, cert_number } = item
      same(before.unexpected, [{ qid, name, sku, cert_number, intake_at, condition_flags }], 'unexpected')
      await world.close(manifest)
      const after = await world.reportOf(manifest.id)
      holds(typeof after.generated_at === 'string', 'generated_at once it is closed', after)
      same(each(after.lines, 'status'), ['matched', 'missing'], 'statuses once it is closed')
    },
})
