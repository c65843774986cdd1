import { operation as operationOf } from '../../contract/operations.ts'
import type { ErrorBody } from '../../contract/resources/error.ts'
import { answered, faulty, holds, present, rejected, same } from '../check.ts'
import { offered } from '../parts/every-operation.ts'
import { documentedOperation } from '../response-rule.ts'
import { entriesOf, noUuid, seenBy } from '../world.ts'

/** Decisions 8: advance; decisions 10 and 11: the other sandbox operations. */
export const sandboxDecisions = entriesOf({
  'D8-1 advance takes the shortest legal path and emits every event on the way': async (world) => {
    const { qid, item } = await world.arriveOne()
    same(item.status, 'received', 'after intake')
    const { result, lines } = await world.events.during(() => world.advance({ qid }, 'delivered'), [qid])
    same(result.status, 'delivered', 'after advance')
    const path = ['digitized', 'available', 'in_fulfillment', 'in_transit', 'delivered']
    const expected = path.map((status) => `item.status.changed ${qid} ${status}`)
    same(lines, expected, 'events')
  },
  'D8-2 advance creates the fulfillment or transfer that a step needs': async (world) => {
    const slab = await world.availableSlab()
    const held = await world.advance(slab, 'in_fulfillment')
    const params = { fulfillment_id: present(held.active_fulfillment_id, 'active_fulfillment_id') }
    const { data } = await world.client.getFulfillment({ params })
    same([data.qids, data.status, data.type], [[slab.qid], 'pending', 'standard'], 'the fulfillment')
    await world.advance(slab, 'available')
    const { events } = await world.events.during(() => world.advance(slab, 'withdrawn'), [slab.qid])
    same(events.length, 3, 'changes on the way to withdrawn')
  },
  'D8-3 items that share a fulfillment or a transfer advance together': async (world) => {
    const [one, two] = await world.twoSlabs()
    await world.order([one, two])
    await world.advance(one, 'in_transit')
    same((await world.itemOf(two)).status, 'in_transit', 'the companion in the fulfillment')
    const [three, four] = await world.twoSlabs()
    await world.sellBack([three, four])
    await world.advance(three, 'released')
    same((await world.itemOf(four)).status, 'released', 'the companion in the transfer')
  },
  'D8-4 the current or an unreachable status is a 400 with extra.from, extra.to, and extra.reachable': async (
    world,
  ) => {
    const slab = await world.availableSlab()
    const ask = async (to_status: string) => {
      const seen = await world.ask('advanceItem', { params: { qid: slab.qid }, json: { to_status } })
      return rejected(seen, 400, 'validation_error').extra
    }
    const { from, to, reachable } = await ask('available')
    same([from, to], ['available', 'available'], 'from and to')
    holds((reachable as string[]).includes('delivered'), 'reachable names what can be reached', reachable)
    await world.advance(slab, 'released')
    same((await ask('available')).reachable, [], 'reachable from released')
  },
  'D8-5 withdrawn is not reachable while a standard fulfillment holds the item (decisions 11)': async (
    world,
  ) => {
    const slab = await world.availableSlab()
    await world.order([slab])
    const json = { to_status: 'withdrawn' }
    faulty(await world.ask('advanceItem', { params: { qid: slab.qid }, json }), 'to_status')
    same((await world.itemOf(slab)).status, 'in_fulfillment', 'the item')
  },
  'D10-9 POST /sandbox/intakes: 201 { intakes: IntakeEvent[] }; a slab by its grading, a product by its SKU':
    async (world) => {
      const json = { items: [world.slabArrival()] }
      const seen = answered(await world.ask('createIntakes', { json }), 201)
      same(Object.keys(seen.body as object), ['intakes'], 'the fields of the answer')
      const items = [{ type: 'product' }, { type: 'graded_slab', name: 'X' }]
      const paths = ['items[0].sku', 'items[1].grader', 'items[1].grade', 'items[1].cert_number']
      faulty(await world.ask('createIntakes', { json: { items } }), ...paths)
      const unknown = { items: [{ type: 'product', sku: world.unique('NOSKU') }] }
      rejected(await world.ask('createIntakes', { json: unknown }), 400, 'validation_error')
      const absent = { manifest_id: noUuid, items: [world.slabArrival()] }
      rejected(await world.ask('createIntakes', { json: absent }), 404, 'not_found')
    },
  'D10-10 POST /sandbox/manifests/{id}/receive accepts the outcomes complete, short, excess, and damaged':
    async (world) => {
      const totals = { expected: 3, matched: 3, missing: 0, unexpected: 0, condition_mismatch: 0 }
      for (const [outcome, expected] of [
        ['complete', totals],
        ['short', { ...totals, matched: 2, missing: 1 }],
        ['excess', { ...totals, unexpected: 1 }],
        ['damaged', { ...totals, matched: 2, condition_mismatch: 1 }],
      ] as const) {
        const { sku } = await world.newProduct()
        const { id } = await world.newManifest([world.slabLine(), { description: 'Box', sku, quantity: 2 }])
        const params = { manifest_id: id }
        const { data, status } = await world.client.receiveManifest({ params, body: { outcome } })
        const { matched, unexpected, condition_mismatch } = expected
        same([status, data.intakes.length], [201, matched + unexpected + condition_mismatch], outcome)
        same((await world.reportOf(id)).totals, expected, `totals of ${outcome}`)
      }
    },
  'D10-11 receive accepts lines with line_id, quantity, and condition_flags': async (world) => {
    const { sku } = await world.newProduct()
    const { id } = await world.newManifest([world.slabLine(), { description: 'Box', sku, quantity: 4 }])
    const [, line] = (await world.manifestWithLines(id)).lines
    const lines = [{ line_id: line?.id ?? '', quantity: 3, condition_flags: ['damaged'] }]
    await world.client.receiveManifest({ params: { manifest_id: id }, body: { lines } })
    const [first, second] = (await world.reportOf(id)).lines
    same([first?.received_quantity, second?.received_quantity], [0, 3], 'received quantities')
    same(second?.condition_flags, ['damaged'], 'flags')
    const json = { lines: [{ line_id: noUuid }] }
    const seen = await world.ask('receiveManifest', { params: { manifest_id: id }, json })
    rejected(seen, 400, 'validation_error')
  },
  'D10-12 POST /sandbox/fulfillments/{id}/advance takes the shortest legal path; to_stage alone is allowed':
    async (world) => {
      const made = await world.order([await world.availableSlab()])
      const packed = await world.advanceOrder(made, { to_status: 'processing', to_stage: 'packed' })
      same([packed.status, packed.processing_stage], ['processing', 'packed'], 'with both')
      const labeled = await world.advanceOrder(made, { to_stage: 'labeled' })
      same([labeled.status, labeled.processing_stage], ['processing', 'labeled'], 'with a stage alone')
      same((await world.advanceOrder(made, { to_status: 'returned' })).status, 'returned', 'to returned')
      const params = { fulfillment_id: made.id }
      const seen = await world.ask('advanceFulfillment', { params, json: { to_status: 'pending' } })
      const { extra } = rejected(seen, 400, 'validation_error')
      same([extra.from, extra.to, extra.reachable], ['returned', 'pending', []], 'extra')
    },
  'D10-13 POST /sandbox/transfers/{id}/resolve accepts to_status completed or declined': async (world) => {
    const [one, two] = await world.twoSlabs()
    for (const [slab, to_status, status] of [
      [one, 'completed', 'released'],
      [two, 'declined', 'available'],
    ] as const) {
      const params = { transfer_id: (await world.sellBack([slab])).id }
      const { data } = await world.client.resolveTransfer({ params, body: { to_status } })
      same([data.status, (await world.itemOf(slab)).status], [to_status, status], to_status)
      faulty(await world.ask('resolveTransfer', { params, json: { to_status: 'cancelled' } }), 'to_status')
    }
  },
  'D10-14 the clock has now and offset_seconds, moves forward only, and sets the time of what is created':
    async (world) => {
      const before = (await world.client.getClock({})).data
      const after = (await world.client.advanceClock({ body: { seconds: 60 } })).data
      same(after.offset_seconds - before.offset_seconds, 60, 'the seconds that the clock moved')
      holds(
        (await world.newProduct()).created_at >= after.now,
        'created_at of a product is the time of the clock',
      )
      const to = new Date(Date.parse(after.now) + 120_000).toISOString()
      const there = (await world.client.advanceClock({ body: { to } })).data
      holds(there.now >= to, 'it is at the time or later', there)
      const past = { to: before.now }
      for (const json of [past, {}, { seconds: 0 }, { seconds: 400_000_000 }, { seconds: 1, to }])
        rejected(await world.ask('advanceClock', { json }), 400, 'validation_error')
    },
  'D10-15 GET /openapi.json returns the OpenAPI 3.1 document without a key; extensions have x-extension':
    async (world) => {
      const seen = answered(await world.ask('getOpenApi', { headers: { 'x-api-key': undefined } }), 200)
      const document = seen.body as typeof world.document
      holds(document.openapi.startsWith('3.1'), 'it is OpenAPI 3.1', document.openapi)
      for (const id of offered(world, () => true)) {
        const isMarked = documentedOperation(document, id)?.['x-extension'] ?? false
        same(isMarked, operationOf(id).extension ?? false, `x-extension of ${id}`)
      }
    },
  'D11-3 /intakes shows the item as it was at that intake': seenBy('2.6-3'),
  'D11-4 sku on /products is an exact match': async (world) => {
    const { sku } = await world.newProduct()
    const total = async (text: string) =>
      (await world.client.listProducts({ query: { sku: text } })).data.total
    same([await total(sku), await total(sku.slice(0, -1)), await total(`${sku}1`)], [1, 0, 0], 'totals')
  },
  'D11-5 an operation without a body accepts none or {}; anything else is a 400': async (world) => {
    const params = { manifest_id: (await world.newManifest()).id }
    rejected(await world.ask('closeManifest', { params, json: { force: true } }), 400, 'validation_error')
    answered(await world.ask('closeManifest', { params, json: {} }), 200)
  },
  'D11-2 a repeated or empty query parameter is a 400': async (world) => {
    const twice = [
      ['sku', 'A'],
      ['sku', 'B'],
    ] as const
    faulty(await world.ask('listProducts', { query: twice }), 'sku')
    const seen = await world.ask('listItems', { query: { search: '' } })
    holds((seen.body as ErrorBody).code === 'validation_error', 'an empty search is rejected', seen.text)
    faulty(seen, 'search')
  },
})
