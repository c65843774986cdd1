import type { Fulfillment } from '../../contract/resources/fulfillment.ts'
import { answered, each, faulty, present, rejected, same } from '../check.ts'
import { shaped, shapes } from '../shapes.ts'
import { address, entriesOf, noQid, noUuid, rowCodes, rowFields, seenBy, type World } from '../world.ts'

export const fulfillmentRules = entriesOf({
  '2.7-1 a fulfillment has the fields of 2.7, each of its type, and repeats what was sent': async (world) => {
    const slab = await world.availableSlab()
    const more = optionalFields(world)
    const made = await world.order([slab], more)
    shaped(made, shapes.fulfillment, 'the fulfillment')
    same({ ...made, ...more, qids: [slab.qid], type: 'standard' }, made, 'the fulfillment')
  },
  '2.7-2 shipping_address has the fields of 2.7; only street_2 may be null': async (world) => {
    const made = await world.order([await world.availableSlab()])
    shaped(made.shipping_address, shapes.shippingAddress, 'shipping_address')
    same(made.shipping_address, address, 'shipping_address')
    const { street_2: _, ...short } = address
    const other = await world.order([await world.availableSlab()], { shipping_address: short })
    same(other.shipping_address, { ...short, street_2: null }, 'shipping_address without street_2')
    const json = { qids: ['Q'], shipping_address: {} }
    const names = Object.keys(short).map((name) => `shipping_address.${name}`)
    faulty(await world.ask('createFulfillment', { json }), ...names)
  },
  '2.7-3 an issue has code, message, and occurred_at': async (world) => {
    const made = await world.order([await world.availableSlab()])
    same(made.issue, null, 'without an issue')
    const issue = { code: 'address_undeliverable', message: 'No such street' }
    const held = await world.advanceOrder(made, { to_status: 'exception', issue })
    shaped(held.issue, shapes.issue, 'the issue')
    same([held.issue?.code, held.issue?.message], [issue.code, issue.message], 'code and message')
  },
  '2.7-4 carrier, service, and tracking are null until the label exists, and strings from then on':
    seenBy('D7-17'),
  '2.7-5 type is standard or withdrawal': async (world) => {
    const withdrawal = await world.order([await world.availableSlab()], { type: 'withdrawal' })
    same(withdrawal.type, 'withdrawal', 'type')
    const json = { qids: ['Q'], shipping_address: address, type: 'gift' }
    faulty(await world.ask('createFulfillment', { json }), 'type')
  },
  '2.8-1 a transfer has the fields of 2.8, each of its type; its type is sell_back': async (world) => {
    const { qid } = await world.availableSlab()
    const external_ref = world.unique('SALE')
    const seen = await world.ask('requestTransfer', { json: { qids: [qid], external_ref } })
    const transfer = answered(seen, 201).body as object
    shaped(transfer, shapes.transfer, 'the transfer')
    const sent = { qids: [qid], external_ref, type: 'sell_back', status: 'requested' }
    same({ ...transfer, ...sent }, transfer, 'the transfer')
    same((await world.sellBack([await world.availableSlab()])).external_ref, null, 'external_ref')
  },
  '3.3-1 the sandbox moves an item through intake, available, fulfillment, and delivered': seenBy('D8-1'),
  '3.3-2 the sandbox emits the same events as production on the way': seenBy('D8-1'),
  '3.3-3 cancelling a fulfillment before it is picked makes its items available again': async (world) => {
    const slabs = await world.twoSlabs()
    const made = await world.order(slabs)
    const cancelled = answered(await world.cancel(made), 200).body as Fulfillment
    const { updated_at } = cancelled
    same(cancelled, { ...made, status: 'cancelled', updated_at }, 'the answer')
    for (const slab of slabs) same((await world.itemOf(slab)).status, 'available', 'an item')
  },
  '3.3-4 after a return, custody resumes and the item repeats intake': seenBy('D7-21'),
  '3.4-1 cancel is possible while pending, and while processing before pick': async (world) => {
    for (const to_status of [undefined, 'processing'] as const) {
      const made = await world.order([await world.availableSlab()])
      if (to_status) await world.advanceOrder(made, { to_status })
      const seen = await world.cancel(made)
      same([seen.status, (seen.body as Fulfillment).status], [200, 'cancelled'], to_status ?? 'pending')
    }
  },
  '3.4-2 cancel after pick is a 409 that leaves the fulfillment and its items unchanged': async (world) => {
    for (const to_stage of ['picked', 'packed', 'verified', 'labeled', 'queued_for_carrier'] as const) {
      const slab = await world.availableSlab()
      const made = await world.order([slab])
      const picked = await world.advanceOrder(made, { to_status: 'processing', to_stage })
      same(picked.processing_stage, to_stage, 'processing_stage')
      await rejectsCancel(world, picked)
      same((await world.itemOf(slab)).status, 'in_fulfillment', 'the item')
    }
  },
  '3.4-3 cancel of a shipped, delivered, returned, or cancelled fulfillment is a 409': async (world) => {
    const made = await world.order([await world.availableSlab()])
    for (const to_status of ['shipped', 'delivered', 'returned'] as const)
      await rejectsCancel(world, await world.advanceOrder(made, { to_status }))
    const other = await world.order([await world.availableSlab()])
    await world.cancel(other)
    await rejectsCancel(world, await fulfillmentOf(world, other))
    rejected(await world.cancel({ id: noUuid }), 404, 'not_found')
  },
  '3.4-4 the states are pending, processing, shipped, delivered, cancelled, exception, returned': async (
    world,
  ) => {
    const made = await world.order([await world.availableSlab()])
    same([made.status, made.processing_stage], ['pending', null], 'of a new one')
    const issue = { code: 'lost_label', message: 'The label came off' }
    for (const step of [
      { to_status: 'processing' },
      { to_status: 'exception', issue },
      { to_status: 'processing' },
      { to_status: 'shipped' },
      { to_status: 'delivered' },
      { to_status: 'returned' },
    ] as const)
      same((await world.advanceOrder(made, step)).status, step.to_status, 'status')
  },
  '3.5-1 a transfer is requested, then completed, declined, or cancelled; each state has its event': async (
    world,
  ) => {
    for (const end of ['completed', 'declined', 'cancelled'] as const) {
      const { qid } = await world.availableSlab()
      const { result, lines } = await world.events.during(
        async () => world.endTransfer(await world.sellBack([{ qid }]), end),
        ({ id }) => [id, qid],
      )
      const { id, status } = result
      same(status, end, 'status')
      const requested = [`transfer.requested ${id} requested`, `item.status.changed ${qid} pending_transfer`]
      const ended = [`transfer.${end} ${id} ${end}`, `item.status.changed ${qid} ${left[end]}`]
      same(lines, [...requested, ...ended], 'events')
    }
  },
  '3.5-2 completed, declined, and cancelled are final: resolving or cancelling again is a 409': async (
    world,
  ) => {
    for (const end of ['completed', 'declined', 'cancelled'] as const) {
      const { id } = await world.endTransfer(await world.sellBack([await world.availableSlab()]), end)
      const params = { transfer_id: id }
      rejected(await world.ask('cancelTransfer', { params }), 409, 'state_conflict')
      const json = { to_status: 'completed' }
      rejected(await world.ask('resolveTransfer', { params, json }), 409, 'state_conflict')
    }
  },
  '4.4-1 GET /fulfillments/{id}: 200 with the fulfillment; 404 if unknown': async (world) => {
    const made = await world.order([await world.availableSlab()])
    const ask = (fulfillment_id: string) => world.ask('getFulfillment', { params: { fulfillment_id } })
    same(answered(await ask(made.id), 200).body, made, 'the fulfillment')
    rejected(await ask(noUuid), 404, 'not_found')
  },
  '4.4-2 POST /fulfillments/{id}/cancel: 200 with the fulfillment; 404 if unknown; 409 after pick': seenBy(
    '3.3-3',
    '3.4-2',
    '3.4-3',
  ),
  '4.4-3 POST /fulfillments/csv: 200 with created, errors, and totals; rows are processed one by one': async (
    world,
  ) => {
    const [one, two] = await world.twoSlabs()
    const { created, errors, totals } = await world.importOrders([
      { qid: one.qid },
      { qid: one.qid, city: '' },
      { qid: two.qid },
    ])
    same(totals, { created: 2, failed: 1, submitted: 3 }, 'totals')
    same(each(created, 'qids'), [[one.qid], [two.qid]], 'created')
    same(rowFields(errors), ['2 city'], 'the error')
  },
  '4.4-4 its columns are qid, sku, quantity, the address, external_ref, special_instructions, deliver_by':
    async (world) => {
      const slab = await world.availableSlab()
      const more = optionalFields(world)
      const { created } = await world.importOrders([{ qid: slab.qid, ...more }])
      const made = present(created[0], 'the fulfillment')
      const expected = {
        ...more,
        qids: [slab.qid],
        shipping_address: address,
        status: 'pending',
        type: 'standard',
      }
      same({ ...made, ...expected }, made, 'the fulfillment')
    },
  '4.4-5 a row has qid, or sku and quantity, never both forms': async (world) => {
    const product = await world.newProduct()
    const units = await world.availableUnits(product, 3)
    const { created, errors } = await world.importOrders([
      { sku: product.sku, quantity: '2' },
      { qid: units[2]?.qid, sku: product.sku, quantity: '1' },
      {},
      { sku: product.sku },
    ])
    const qids = each(units.slice(0, 2), 'qid')
    same(created[0]?.qids, qids, 'the items of the row with sku and quantity')
    same(
      rowCodes(errors),
      [2, 3, 4].map((row) => `${row} validation_error`),
      'errors',
    )
  },
  "4.4-6 an unknown QID and another partner's fail with the same not_found": async (world) => {
    const theirs = (await world.stranger().createIntakes({ body: { items: [world.slabArrival()] } })).data
      .intakes
    const { errors } = await world.importOrders([{ qid: noQid }, { qid: theirs[0]?.qid }])
    const [missing, foreign] = errors
    same(missing?.code, 'not_found', 'the code')
    same({ ...foreign, row: 1 }, missing, "the error of another partner's QID")
  },
  '4.4-7 an unsupported destination fails its row with unsupported_destination': seenBy('7-6'),
  '4.5-1 GET /transfers is filtered by status': async (world) => {
    const made = await world.sellBack([await world.availableSlab()])
    const newest = async (query: Record<string, string>) => {
      const seen = answered(await world.ask('listTransfers', { query }), 200)
      return (seen.body as { results: unknown[] }).results[0]
    }
    same(await newest({ status: 'requested' }), made, 'the newest that is requested')
    await world.advance({ qid: made.qids[0] ?? '' }, 'released')
    const seen = (await newest({ status: 'completed' })) as { id: string; status: string }
    same([seen.id, seen.status], [made.id, 'completed'], 'the newest that is completed')
    faulty(await world.ask('listTransfers', { query: { status: 'sold' } }), 'status')
  },
  '4.5-2 GET /transfers/{id}: 200 with the transfer; 404 if unknown, 400 if not a UUID': async (world) => {
    const made = await world.sellBack([await world.availableSlab()])
    const ask = (transfer_id: string) => world.ask('getTransfer', { params: { transfer_id } })
    same(answered(await ask(made.id), 200).body, made, 'the transfer')
    rejected(await ask(noUuid), 404, 'not_found')
    faulty(await ask('42'), 'transfer_id')
  },
})

/** The status of an item after its transfer. */
const left = { completed: 'released', declined: 'available', cancelled: 'available' }

async function rejectsCancel(world: World, fulfillment: Fulfillment): Promise<void> {
  rejected(await world.cancel(fulfillment), 409, 'state_conflict')
  same(await fulfillmentOf(world, fulfillment), fulfillment, 'the fulfillment')
}

async function fulfillmentOf(world: World, { id }: { id: string }): Promise<Fulfillment> {
  return (await world.client.getFulfillment({ params: { fulfillment_id: id } })).data
}

function optionalFields(world: World) {
  return { external_ref: world.unique('ORDER'), special_instructions: 'Ring twice', deliver_by: '9999-12-31' }
}
