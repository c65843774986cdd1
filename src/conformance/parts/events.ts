import { webhookEventTypes } from '../../contract/enums.ts'
import { pageSizeDefault, pageSizeMax } from '../../contract/limits.ts'
import type { WebhookEvent } from '../../contract/resources/event.ts'
import { answered, each, faulty, holds, present, rejected, same } from '../check.ts'
import { type Shape, shaped, shapes } from '../shapes.ts'
import { entriesOf, noUuid, seenBy, type World, webhookUrl } from '../world.ts'

type EventPage = {
  has_more: boolean
  next_starting_after: string | null
  results: Array<{ id: string; type: string }>
}

export const eventRules = entriesOf({
  '4.7-1 GET /events returns events in creation order after the event starting_after': async (world) => {
    const { events } = await threeEvents(world)
    const [first, second, third] = each(events, 'id')
    const page = await read(world, { starting_after: first ?? '', page_size: '2' })
    same(each(page.results, 'id'), [second, third], 'the two events after the first')
  },
  '4.7-2 a page of events has has_more, next_starting_after, and results, at most page_size of them': async (
    world,
  ) => {
    const { events } = await threeEvents(world)
    const [first, second] = each(events, 'id')
    const page = await read(world, { starting_after: first ?? '', page_size: '1' })
    same(Object.keys(page).sort(), ['has_more', 'next_starting_after', 'results'], 'its fields')
    same([page.has_more, page.next_starting_after, page.results.length], [true, second, 1], 'the page')
    shaped(page.results[0], shapes.event, 'the event')
  },
  [`4.7-3 page_size of events is a whole number from 1 to ${pageSizeMax}, ${pageSizeDefault} by default`]:
    async (world) => {
      for (const page_size of ['0', String(pageSizeMax + 1), 'x'])
        faulty(await world.ask('listEvents', { query: { page_size } }), 'page_size')
      const items = Array.from({ length: 27 }, () => world.slabArrival())
      const { events } = await world.events.during(
        () => world.arrive(items),
        (intakes) => each(intakes, 'qid'),
      )
      const page = await read(world, { starting_after: present(events[0], 'the first event').id })
      same([page.results.length, page.has_more], [25, true], 'the page')
    },
  '4.7-4 GET /events?type= returns only events of this type; an unknown type is a 400': async (world) => {
    const { qid, events } = await threeEvents(world)
    const query = { type: 'item.status.changed', starting_after: events[0]?.id ?? '' }
    const { results } = await read(world, query)
    holds(results.length >= 2 && results.every(({ type }) => type === query.type), `only changes of ${qid}`)
    faulty(await world.ask('listEvents', { query: { type: 'item.lost' } }), 'type')
  },
  '4.7-5 GET /events: 400 for a cursor that is not a UUID': async (world) => {
    faulty(await world.ask('listEvents', { query: { starting_after: '42' } }), 'starting_after')
  },
  '4.7-6 PATCH /webhook-subscriptions/{id}: 200 with the subscription; accepts each of the three fields alone':
    (world) =>
      world.subscribed(async ({ secret: _, ...before }) => {
        const event_types = ['transfer.requested', 'transfer.completed'] as const
        const url = `${webhookUrl}/2`
        const patch = (json: object) => world.patch(before.id, json)
        same(answered(await patch({ active: false }), 200).body, { ...before, active: false }, 'active')
        same((await patch({ event_types })).body, { ...before, active: false, event_types }, 'event_types')
        same((await patch({ url, active: true })).body, { ...before, event_types, url }, 'url')
        same((await patch({})).body, { ...before, event_types, url }, 'nothing')
      }),
  '4.7-7 PATCH: event_types has at least one entry, each one of the ten types; the url is https': (world) =>
    world.subscribed(async ({ id }) => {
      faulty(await world.patch(id, { event_types: [] }), 'event_types')
      faulty(await world.patch(id, { event_types: ['item.lost'] }), 'event_types[0]')
      faulty(await world.patch(id, { url: 'http://hooks.partner.example/' }), 'url')
      faulty(await world.patch(id, { active: 'yes' }), 'active')
    }),
  '4.7-8 PATCH: a url that leads to a loopback, private, link-local, or metadata address is a 400': (world) =>
    world.subscribed(async ({ id, url }) => {
      for (const host of rejectedHosts) faulty(await world.patch(id, { url: `https://${host}/hook` }), 'url')
      const { data } = await world.client.getSubscription({ params: { subscription_id: id } })
      same(data.url, url, 'the url')
    }),
  '4.7-9 PATCH: 404 for an unknown subscription, 400 for an id that is not a UUID': async (world) => {
    rejected(await world.patch(noUuid, { active: true }), 404, 'not_found')
    faulty(await world.patch('42', { active: true }), 'subscription_id')
  },
  '6-1 every event has id (unique), created_at, type, and data': async (world) => {
    const { events } = await everyEvent(world)
    for (const event of events) shaped(event, shapes.event, event.type)
    same(new Set(each(events, 'id')).size, events.length, 'different ids')
  },
  '6-2 item.intake.completed has an IntakeEvent as data, item.status.changed an Item': async (world) => {
    await haveData(world, shapes.intakeEvent, 'item.intake.completed')
    await haveData(world, shapes.slab, 'item.status.changed')
  },
  '6-3 fulfillment.status.changed, .issue.raised, and .returned have a Fulfillment as data': (world) =>
    haveData(world, shapes.fulfillment, ...ofKind('fulfillment')),
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
  '6-5 transfer.requested, .completed, .declined, and .cancelled have a Transfer as data': (world) =>
    haveData(world, shapes.transfer, ...ofKind('transfer')),
  '6-6 the types are exactly the ten of part 6, and all of them occur': async (world) => {
    const { events } = await everyEvent(world)
    same([...new Set(each(events, 'type'))].sort(), [...webhookEventTypes].sort(), 'types')
  },
  '6-7 events are in creation order: neither times nor ids go back': async (world) => {
    const { events } = await everyEvent(world)
    const times = each(events, 'created_at')
    same(times, times.toSorted(), 'times')
    const ids = each(events, 'id')
    same(ids, ids.toSorted(), 'ids, which are UUIDv7')
  },
  "6-8 an event's data is the resource as GET returned it at that moment": async (world) => {
    const slab = await world.availableSlab()
    const { events } = await world.events.during(
      () => world.order([slab]),
      (made) => [made.id, slab.qid],
    )
    const [aboutOrder, aboutItem] = events
    const { data } = present(aboutOrder, 'the event of the fulfillment')
    const params = { fulfillment_id: (data as { id: string }).id }
    same(data, (await world.client.getFulfillment({ params })).data, 'the fulfillment')
    same(aboutItem?.data, await world.itemOf(slab), 'the item')
  },
  '6-9 the reconciliation event has totals only; the report has the lines': seenBy('6-4'),
})

const rejectedHosts = [
  'localhost',
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.1.1',
  '169.254.169.254',
  '0x7f000001',
  '2130706433',
  '[::1]',
  '[fe80::1]',
  '[fd00::1]',
  '[::ffff:10.0.0.1]',
  'metadata.google.internal',
]

async function threeEvents(world: World) {
  const { result, events } = await world.events.during(
    async () => {
      const intake = await world.arriveOne()
      return world.advance(intake, 'available')
    },
    ({ qid }) => [qid],
  )
  same(events.length, 3, 'events of the item')
  return { qid: result.qid, events }
}

async function read(world: World, query: Record<string, string>): Promise<EventPage> {
  return answered(await world.ask('listEvents', { query }), 200).body as EventPage
}

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
      const manifest = await world.newManifest()
      const intake = await world.arriveOne(undefined, manifest.id)
      const slab = await world.advance(intake, 'available')
      await world.close(manifest)
      const held = await world.order([slab])
      const issue = { code: 'damaged_box', message: 'The box is wet' }
      await world.advanceOrder(held, { to_status: 'exception', issue })
      await world.advanceOrder(held, { to_status: 'delivered' })
      await world.advanceOrder(held, { to_status: 'returned' })
      await world.advance(slab, 'available')
      const ids = [manifest.id, slab.qid, held.id]
      for (const end of ['declined', 'cancelled', 'completed'] as const) {
        ids.push((await world.endTransfer(await world.sellBack([slab]), end)).id)
      }
      return ids
    },
    (ids) => ids,
  )
}

function ofKind(kind: string): Array<WebhookEvent['type']> {
  return webhookEventTypes.filter((type) => type.startsWith(`${kind}.`))
}

async function haveData(world: World, shape: Shape, ...types: Array<WebhookEvent['type']>): Promise<void> {
  const { events } = await everyEvent(world)
  for (const type of types) for (const { data } of of(events, type)) shaped(data, shape, type)
}

function of(events: readonly WebhookEvent[], type: WebhookEvent['type']): WebhookEvent[] {
  const found = events.filter((event) => event.type === type)
  holds(found.length > 0, `an event ${type} was written`)
  return found
}
