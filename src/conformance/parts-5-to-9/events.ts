import { webhookEventTypes } from '../../contract/enums.ts'
import type { WebhookEvent } from '../../contract/resources/event.ts'
import { each, entriesOf, faulty, holds, present, same } from '../check.ts'
import * as make from '../making.ts'
import { shaped, shapes } from '../shapes.ts'
import type { World } from '../world.ts'

export const eventRules = entriesOf({
  '6-1 every event has id (unique), created_at, type, and data': async (world) => {
    const { events } = await everyEvent(world)
    for (const event of events) shaped(event, shapes.event, event.type)
    same(new Set(each(events, 'id')).size, events.length, 'different ids')
  },
  '6-2 item.intake.completed has an IntakeEvent as data, item.status.changed an Item': async (world) => {
    const { events } = await everyEvent(world)
    for (const { data } of of(events, 'item.intake.completed')) shaped(data, shapes.intakeEvent, 'the intake')
    for (const { data } of of(events, 'item.status.changed')) shaped(data, shapes.slab, 'the item')
  },
  '6-3 fulfillment.status.changed, .issue.raised, and .returned have a Fulfillment as data': async (
    world,
  ) => {
    const { events } = await everyEvent(world)
    const types = ['fulfillment.status.changed', 'fulfillment.issue.raised', 'fulfillment.returned'] as const
    for (const type of types) for (const { data } of of(events, type)) shaped(data, shapes.fulfillment, type)
  },
  '6-4 manifest.reconciliation.completed has manifest_id, generated_at, and totals of five integers': async (
    world,
  ) => {
    const { events } = await everyEvent(world)
    const [event] = of(events, 'manifest.reconciliation.completed')
    shaped(event?.data, shapes.reconciliation, 'the data')
    const { totals } = present(event, 'the event').data as { totals: object }
    const fields = ['expected', 'matched', 'missing', 'unexpected', 'condition_mismatch']
    shaped(totals, Object.fromEntries(fields.map((name) => [name, 'count'])), 'the totals')
  },
  '6-5 transfer.requested, .completed, .declined, and .cancelled have a Transfer as data': async (world) => {
    const { events } = await everyEvent(world)
    const types = [
      'transfer.requested',
      'transfer.completed',
      'transfer.declined',
      'transfer.cancelled',
    ] as const
    for (const type of types) for (const { data } of of(events, type)) shaped(data, shapes.transfer, type)
  },
  '6-6 the types are exactly the ten of part 6, and all of them occur': async (world) => {
    const { events } = await everyEvent(world)
    same([...new Set(each(events, 'type'))].sort(), [...webhookEventTypes].sort(), 'types')
    faulty(await world.ask('listEvents', { query: { type: 'fulfillment.created' } }), 'type')
  },
  '6-7 events are in creation order: neither times nor ids go back': async (world) => {
    const { events } = await everyEvent(world)
    const times = each(events, 'created_at')
    same(times, times.toSorted(), 'times')
    const ids = each(events, 'id')
    same(ids, ids.toSorted(), 'ids, which are UUIDv7')
  },
  "6-8 an event's data is the resource as GET returned it at that moment": async (world) => {
    const slab = await make.availableSlab(world)
    const { events } = await world.events.during(
      () => make.order(world, [slab]),
      (made) => [made.id, slab.qid],
    )
    const [aboutOrder, aboutItem] = events
    const { data } = present(aboutOrder, 'the event of the fulfillment')
    const params = { fulfillment_id: (data as { id: string }).id }
    same(data, (await world.client.getFulfillment({ params })).data, 'the fulfillment')
    same(aboutItem?.data, await make.itemOf(world, slab), 'the item')
  },
  '6-9 the reconciliation event has totals only; the report has the lines': async (world) => {
    const { events } = await everyEvent(world)
    const [event] = of(events, 'manifest.reconciliation.completed')
    holds(!('lines' in (event?.data ?? {})), 'no lines in the event', event?.data)
  },
  '6-10 webhook subscriptions receive the same bytes as readers of the log':
    "test/service/webhooks.test.ts: pushes what the service's operations emit, in the same bytes that are pulled",
})

type Lived = { events: WebhookEvent[] }
const lives = new WeakMap<World, Promise<Lived>>()

/** Causes every event type of part 6, once per run. Returns the events in the order of the log. */
function everyEvent(world: World): Promise<Lived> {
  const lived = lives.get(world) ?? live(world)
  lives.set(world, lived)
  return lived
}

async function live(world: World): Promise<Lived> {
  return world.events.during(
    async () => {
      const manifest = await make.newManifest(world)
      const intake = await make.arriveOne(world, undefined, manifest.id)
      const slab = await make.advance(world, intake, 'available')
      await make.close(world, manifest)
      const held = await make.order(world, [slab])
      const issue = { code: 'damaged_box', message: 'The box is wet' }
      await make.advanceOrder(world, held, { to_status: 'exception', issue })
      await make.advanceOrder(world, held, { to_status: 'delivered' })
      await make.advanceOrder(world, held, { to_status: 'returned' })
      await make.advance(world, slab, 'available')
      const ids = [manifest.id, slab.qid, held.id]
      for (const end of ['declined', 'cancelled', 'completed'] as const) {
        ids.push((await make.endTransfer(world, await make.sellBack(world, [slab]), end)).id)
      }
      return ids
    },
    (ids) => ids,
  )
}

function of(events: readonly WebhookEvent[], type: WebhookEvent['type']): WebhookEvent[] {
  const found = events.filter((event) => event.type === type)
  holds(found.length > 0, `an event ${type} was written`)
  return found
}
