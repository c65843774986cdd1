import { answered, entriesOf, faulty, holds, same } from '../check.ts'
import * as make from '../making.ts'
import { shaped, shapes } from '../shapes.ts'

export const fulfillmentFields = entriesOf({
  '2.7-1 a fulfillment has the fields of 2.7, each of its type, and repeats what was sent': async (world) => {
    const slab = await make.availableSlab(world)
    const more = {
      external_ref: world.unique('ORDER'),
      special_instructions: 'Ring twice',
      deliver_by: '2035-12-24',
    }
    const made = await make.order(world, [slab], more)
    shaped(made, shapes.fulfillment, 'the fulfillment')
    same({ ...made, ...more, qids: [slab.qid], type: 'standard' }, made, 'the fulfillment')
  },
  '2.7-2 shipping_address has the fields of 2.7; only street_2 may be null': async (world) => {
    const made = await make.order(world, [await make.availableSlab(world)])
    shaped(made.shipping_address, shapes.shippingAddress, 'shipping_address')
    same(made.shipping_address, make.address, 'shipping_address')
    const { street_2: _, ...short } = make.address
    const other = await make.order(world, [await make.availableSlab(world)], { shipping_address: short })
    same(other.shipping_address, { ...short, street_2: null }, 'shipping_address without street_2')
    const json = { qids: ['Q'], shipping_address: {} }
    const names = Object.keys(short).map((name) => `shipping_address.${name}`)
    faulty(await world.ask('createFulfillment', { json }), ...names)
  },
  '2.7-3 an issue has code, message, and occurred_at': async (world) => {
    const made = await make.order(world, [await make.availableSlab(world)])
    same(made.issue, null, 'without an issue')
    const issue = { code: 'address_undeliverable', message: 'No such street' }
    const held = await make.advanceOrder(world, made, { to_status: 'exception', issue })
    shaped(held.issue, shapes.issue, 'the issue')
    same([held.issue?.code, held.issue?.message], [issue.code, issue.message], 'code and message')
  },
  '2.7-4 carrier, service, and tracking are null until the label exists, and strings from then on': async (
    world,
  ) => {
    const made = await make.order(world, [await make.availableSlab(world)])
    same([made.carrier, made.service, made.tracking_number], [null, null, null], 'when it is new')
    const labeled = await make.advanceOrder(world, made, { to_status: 'processing', to_stage: 'labeled' })
    const { carrier, service, tracking_number } = labeled
    holds(Boolean(carrier && service && tracking_number), 'a label names its carrier', labeled)
  },
  '2.7-5 type is standard or withdrawal': async (world) => {
    const withdrawal = await make.order(world, [await make.availableSlab(world)], { type: 'withdrawal' })
    same(withdrawal.type, 'withdrawal', 'type')
    const json = { qids: ['Q'], shipping_address: make.address, type: 'gift' }
    faulty(await world.ask('createFulfillment', { json }), 'type')
  },
  '2.8-1 a transfer has the fields of 2.8, each of its type; its type is sell_back': async (world) => {
    const { qid } = await make.availableSlab(world)
    const external_ref = world.unique('SALE')
    const seen = await world.ask('requestTransfer', { json: { qids: [qid], external_ref } })
    const transfer = answered(seen, 201).body as object
    shaped(transfer, shapes.transfer, 'the transfer')
    same({ ...transfer, qids: [qid], external_ref, type: 'sell_back' }, transfer, 'the transfer')
    same((await make.sellBack(world, [await make.availableSlab(world)])).external_ref, null, 'external_ref')
  },
})
