import type { BodyInput } from '../../contract/operations.ts'
import { each, faulty, holds, rejected, same } from '../check.ts'
import { address, entriesOf, seenBy } from '../world.ts'

export const fulfillmentDecisions = entriesOf({
  'D7-14 pending, processing, and shipped lead to exception with an issue; exception to processing or shipped':
    async (world) => {
      const issue = { code: 'held_at_customs', message: 'Papers are missing' }
      for (const before of ['pending', 'processing', 'shipped'] as const) {
        const made = await world.order([await world.availableSlab()])
        if (before !== 'pending') await world.advanceOrder(made, { to_status: before })
        const held = await world.advanceOrder(made, { to_status: 'exception', issue })
        same([held.status, held.issue?.code], ['exception', issue.code], `from ${before}`)
        const on = await world.advanceOrder(made, { to_status: 'shipped' })
        same([on.status, on.issue], ['shipped', null], 'and on')
      }
      const made = await world.order([await world.availableSlab()])
      const params = { fulfillment_id: made.id }
      faulty(await world.ask('advanceFulfillment', { params, json: { to_status: 'exception' } }), 'issue')
    },
  'D7-15 cancel in exception is a 409, picked or not (decisions 11)': async (world) => {
    const made = await world.order([await world.availableSlab()])
    const issue = { code: 'x', message: 'y' }
    await world.advanceOrder(made, { to_status: 'exception', issue })
    rejected(await world.cancel(made), 409, 'state_conflict')
  },
  'D7-16 stages run in the order of the enum and never go back': async (world) => {
    const made = await world.order([await world.availableSlab()])
    await world.advanceOrder(made, { to_status: 'processing' })
    for (const to_stage of ['picked', 'packed', 'verified', 'labeled', 'queued_for_carrier'] as const)
      same((await world.advanceOrder(made, { to_stage })).processing_stage, to_stage, 'processing_stage')
    const request = { params: { fulfillment_id: made.id }, json: { to_stage: 'packed' } }
    faulty(await world.ask('advanceFulfillment', request), 'to_stage')
  },
  'D7-17 carrier, service, and tracking exist from labeled on, and not before': async (world) => {
    const made = await world.order([await world.availableSlab()])
    const early = await world.advanceOrder(made, { to_status: 'processing', to_stage: 'verified' })
    const none = [early.carrier, early.service, early.tracking_number, early.tracking_url]
    same(none, [null, null, null, null], 'when verified')
    const labeled = await world.advanceOrder(made, { to_stage: 'labeled' })
    const label = [labeled.carrier, labeled.service, labeled.tracking_number]
    holds(
      label.every((part) => typeof part === 'string'),
      'carrier, service, and number exist',
      label,
    )
    const shipped = await world.advanceOrder(made, { to_status: 'shipped' })
    same([shipped.carrier, shipped.service, shipped.tracking_number], label, 'when shipped')
  },
  'D7-18 creating a fulfillment emits fulfillment.status.changed (pending), then item.status.changed for each item':
    async (world) => {
      const slabs = await world.twoSlabs()
      const qids = each(slabs, 'qid')
      const { result, lines } = await world.events.during(
        () => world.order(slabs),
        ({ id }) => [id, ...qids],
      )
      const changed = qids.map((qid) => `item.status.changed ${qid} in_fulfillment`)
      same(lines, [`fulfillment.status.changed ${result.id} pending`, ...changed], 'events')
    },
  'D7-19 each change of status emits one fulfillment.status.changed; a stage emits nothing': async (
    world,
  ) => {
    const made = await world.order([await world.availableSlab()])
    const lines = async (body: BodyInput<'advanceFulfillment'>) =>
      (await world.events.during(() => world.advanceOrder(made, body), [made.id])).lines
    const changed = `fulfillment.status.changed ${made.id}`
    same(await lines({ to_status: 'processing' }), [`${changed} processing`], 'of processing')
    same(await lines({ to_stage: 'picked' }), [], 'of a stage')
    const delivered = await lines({ to_status: 'delivered' })
    same(delivered, [`${changed} shipped`, `${changed} delivered`], 'of delivered')
  },
  'D7-20 an issue emits fulfillment.issue.raised with the change of status': async (world) => {
    const made = await world.order([await world.availableSlab()])
    const issue = { code: 'x', message: 'y' }
    const { lines } = await world.events.during(
      () => world.advanceOrder(made, { to_status: 'exception', issue }),
      [made.id],
    )
    const types = ['fulfillment.status.changed', 'fulfillment.issue.raised']
    const expected = types.map((type) => `${type} ${made.id} exception`)
    same(lines, expected, 'events')
  },
  'D7-21 a return emits the change, fulfillment.returned, and per item item.status.changed and item.intake.completed':
    async (world) => {
      const slabs = await world.twoSlabs()
      const made = await world.order(slabs)
      await world.advanceOrder(made, { to_status: 'delivered' })
      const subjects = [made.id, ...each(slabs, 'qid')]
      const { lines } = await world.events.during(
        () => world.advanceOrder(made, { to_status: 'returned' }),
        subjects,
      )
      const perItem = slabs.flatMap(({ qid }) => [
        `item.status.changed ${qid} received`,
        `item.intake.completed ${qid} received`,
      ])
      const ofOrder = ['fulfillment.status.changed', 'fulfillment.returned'].map(
        (type) => `${type} ${made.id} returned`,
      )
      same(lines, [...ofOrder, ...perItem], 'events')
    },
  'D7-22 after a return intake_at is that of the new intake, and the manifest line stays (decisions 11)':
    async (world) => {
      const slab = await world.availableSlab()
      await world.client.advanceClock({ body: { seconds: 1 } })
      const made = await world.order([slab])
      await world.advanceOrder(made, { to_status: 'delivered' })
      await world.advanceOrder(made, { to_status: 'returned' })
      const back = await world.itemOf(slab)
      holds(back.intake_at > slab.intake_at, 'intake_at is later', [slab.intake_at, back.intake_at])
      same(back.manifest_line_id, slab.manifest_line_id, 'manifest_line_id')
      const query = { cert_number: slab.cert_number ?? '' }
      same((await world.client.listIntakes({ query })).data.total, 2, 'intakes of the item')
    },
  'D7-23 a first arrival emits only item.intake.completed (decisions 11)': async (world) => {
    const { result, lines } = await world.events.during(
      () => world.arriveOne(),
      ({ qid }) => [qid],
    )
    same(lines, [`item.intake.completed ${result.qid} received`], 'events')
  },
  "D7-24 each state of a transfer has its event, before its items' item.status.changed": seenBy('3.5-1'),
  'D10-4 GET /fulfillments returns a page by status, external_ref, and qid, newest first': async (world) => {
    const external_ref = world.unique('ORDER')
    const [one, two] = await world.twoSlabs()
    const first = await world.order([one], { external_ref })
    const second = await world.order([two], { external_ref })
    await world.cancel(first)
    const list = async (query: object) =>
      each((await world.client.listFulfillments({ query: { external_ref, ...query } })).data.results, 'id')
    same(await list({}), [second.id, first.id], 'by external_ref')
    same(await list({ status: 'cancelled' }), [first.id], 'by status')
    same(await list({ qid: two.qid.toLowerCase() }), [second.id], 'by QID')
  },
  'D10-5 POST /fulfillments: 201 from qids, or from sku and quantity; both or neither are a 400': async (
    world,
  ) => {
    const product = await world.newProduct()
    const units = await world.availableUnits(product, 3)
    const shipping_address = address
    const bySku = { sku: product.sku, quantity: 2, shipping_address }
    const { data, status } = await world.client.createFulfillment({ body: bySku })
    same([status, data.qids], [201, each(units.slice(0, 2), 'qid')], 'by SKU')
    const both = { ...bySku, qids: [units[2]?.qid] }
    for (const json of [both, { shipping_address }, { shipping_address, sku: product.sku }])
      rejected(await world.ask('createFulfillment', { json }), 400, 'validation_error')
  },
  'D10-6 POST /fulfillments for more than is available: 409 with extra.availability': async (world) => {
    const product = await world.newProduct()
    await world.availableUnits(product, 1)
    const json = { sku: product.sku, quantity: 2, shipping_address: address }
    const { extra } = rejected(await world.ask('createFulfillment', { json }), 409, 'state_conflict')
    holds(extra.availability !== undefined, 'extra.availability is there', extra)
  },
  'D10-7 POST /fulfillments to an unserved country: 400 unsupported_destination': async (world) => {
    const { qid } = await world.availableSlab()
    const json = { qids: [qid], shipping_address: { ...address, country: 'AQ', state: 'X' } }
    rejected(await world.ask('createFulfillment', { json }), 400, 'unsupported_destination')
  },
  'D10-8 POST /transfers: 201 from qids; POST /transfers/{id}/cancel: 200, and its items are available again':
    seenBy('2.8-1', '3.5-1'),
})
