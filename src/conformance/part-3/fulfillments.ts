import type { Fulfillment } from '../../contract/resources/fulfillment.ts'
import { entriesOf, rejected, same } from '../check.ts'
import * as make from '../making.ts'
import type { World } from '../world.ts'

/** 3.3 Item status, 3.4 Fulfillment status, 3.5 Transfer status. */
export const fulfillmentStates = entriesOf({
  '3.3-1 the sandbox moves an item through intake, available, fulfillment, and delivered': async (world) => {
    const intake = await make.arriveOne(world)
    const qid = intake.qid
    same(intake.item.status, 'received', 'after intake')
    for (const status of ['available', 'in_fulfillment', 'delivered'] as const)
      same((await make.advance(world, { qid }, status)).status, status, 'after advance')
  },
  '3.3-2 the sandbox emits the same events as production on the way': async (world) => {
    const { qid } = await make.arriveOne(world)
    const { lines } = await world.events.during(() => make.advance(world, { qid }, 'available'), [qid])
    const changed = `item.status.changed ${qid}`
    same(lines, [`${changed} digitized`, `${changed} available`], 'events')
  },
  '3.3-3 cancelling a fulfillment before it is picked makes its items available again': async (world) => {
    const slabs = await make.twoSlabs(world)
    const made = await make.order(world, slabs)
    const cancelled = (await make.cancel(world, made)).body as Fulfillment
    const { updated_at } = cancelled
    same(cancelled, { ...made, status: 'cancelled', updated_at }, 'the answer')
    for (const slab of slabs) same((await make.itemOf(world, slab)).status, 'available', 'an item')
  },
  '3.3-4 after a return, custody resumes and the item repeats intake': async (world) => {
    const slab = await make.availableSlab(world)
    const made = await make.order(world, [slab])
    await make.advanceOrder(world, made, { to_status: 'delivered' })
    const { lines } = await world.events.during(
      () => make.advanceOrder(world, made, { to_status: 'returned' }),
      [slab.qid],
    )
    const expected = [
      `item.status.changed ${slab.qid} received`,
      `item.intake.completed ${slab.qid} received`,
    ]
    same(lines, expected, "the item's events")
    same((await make.itemOf(world, slab)).status, 'received', 'the item')
  },
  '3.4-1 cancel is possible while pending, and while processing before pick': async (world) => {
    for (const to_status of [undefined, 'processing'] as const) {
      const made = await make.order(world, [await make.availableSlab(world)])
      if (to_status) await make.advanceOrder(world, made, { to_status })
      const seen = await make.cancel(world, made)
      same([seen.status, (seen.body as Fulfillment).status], [200, 'cancelled'], to_status ?? 'pending')
    }
  },
  '3.4-2 cancel after pick is a 409 that leaves the fulfillment and its items unchanged': async (world) => {
    for (const to_stage of ['picked', 'packed', 'verified', 'labeled', 'queued_for_carrier'] as const) {
      const slab = await make.availableSlab(world)
      const made = await make.order(world, [slab])
      const picked = await make.advanceOrder(world, made, { to_status: 'processing', to_stage })
      same(picked.processing_stage, to_stage, 'processing_stage')
      await rejectsCancel(world, picked)
      same((await make.itemOf(world, slab)).status, 'in_fulfillment', 'the item')
    }
  },
  '3.4-3 cancel of a shipped, delivered, returned, or cancelled fulfillment is a 409': async (world) => {
    const made = await make.order(world, [await make.availableSlab(world)])
    for (const to_status of ['shipped', 'delivered', 'returned'] as const)
      await rejectsCancel(world, await make.advanceOrder(world, made, { to_status }))
    const other = await make.order(world, [await make.availableSlab(world)])
    await make.cancel(world, other)
    await rejectsCancel(world, await fulfillmentOf(world, other))
  },
  '3.4-4 the states are pending, processing, shipped, delivered, cancelled, exception, returned': async (
    world,
  ) => {
    const made = await make.order(world, [await make.availableSlab(world)])
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
      same((await make.advanceOrder(world, made, step)).status, step.to_status, 'status')
  },
  '3.5-1 a transfer is requested, then completed, declined, or cancelled; each state has its event': async (
    world,
  ) => {
    for (const end of ['completed', 'declined', 'cancelled'] as const) {
      const slab = await make.availableSlab(world)
      const { result, lines } = await world.events.during(
        async () => make.endTransfer(world, await make.sellBack(world, [slab]), end),
        ({ id }) => [id],
      )
      same(result.status, end, 'status')
      const { id } = result
      same(lines, [`transfer.requested ${id} requested`, `transfer.${end} ${id} ${end}`], 'events')
    }
  },
  '3.5-2 completed, declined, and cancelled are final: resolving or cancelling again is a 409': async (
    world,
  ) => {
    for (const end of ['completed', 'declined', 'cancelled'] as const) {
      const { id } = await make.endTransfer(
        world,
        await make.sellBack(world, [await make.availableSlab(world)]),
        end,
      )
      const params = { transfer_id: id }
      rejected(await world.ask('cancelTransfer', { params }), 409, 'state_conflict')
      const json = { to_status: 'completed' }
      rejected(await world.ask('resolveTransfer', { params, json }), 409, 'state_conflict')
    }
  },
})

async function rejectsCancel(world: World, fulfillment: Fulfillment): Promise<void> {
  rejected(await make.cancel(world, fulfillment), 409, 'state_conflict')
  same(await fulfillmentOf(world, fulfillment), fulfillment, 'the fulfillment')
}

async function fulfillmentOf(world: World, { id }: { id: string }): Promise<Fulfillment> {
  return (await world.client.getFulfillment({ params: { fulfillment_id: id } })).data
}
