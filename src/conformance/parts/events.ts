import { pageSizeDefault, pageSizeMax } from '../../contract/limits.ts'
import { answered, each, entriesOf, faulty, holds, present, rejected, same } from '../check.ts'
import * as make from '../making.ts'
import { shaped, shapes } from '../shapes.ts'
import type { World } from '../world.ts'

type EventPage = {
  has_more: boolean
  next_starting_after: string | null
  results: Array<{ id: string; type: string }>
}

export const eventOperations = entriesOf({
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
      const items = Array.from({ length: 27 }, () => make.slabArrival(world))
      const { events } = await world.events.during(
        () => make.arrive(world, items),
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
      make.subscribed(world, async ({ secret: _, ...before }) => {
        const event_types = ['transfer.requested', 'transfer.completed'] as const
        const url = `${make.webhookUrl}/2`
        const patch = (json: object) =>
          world.ask('updateSubscription', { params: { subscription_id: before.id }, json })
        same(answered(await patch({ active: false }), 200).body, { ...before, active: false }, 'active')
        same((await patch({ event_types })).body, { ...before, active: false, event_types }, 'event_types')
        same((await patch({ url, active: true })).body, { ...before, event_types, url }, 'url')
        same((await patch({})).body, { ...before, event_types, url }, 'nothing')
      }),
  '4.7-7 PATCH: event_types has at least one entry, each one of the ten types; the url is https': (world) =>
    make.subscribed(world, async ({ id }) => {
      const patch = (json: object) =>
        world.ask('updateSubscription', { params: { subscription_id: id }, json })
      faulty(await patch({ event_types: [] }), 'event_types')
      faulty(await patch({ event_types: ['item.lost'] }), 'event_types[0]')
      faulty(await patch({ url: 'http://hooks.partner.example/' }), 'url')
      faulty(await patch({ active: 'yes' }), 'active')
    }),
  '4.7-8 PATCH: a url that leads to a loopback, private, link-local, or metadata address is a 400': (world) =>
    make.subscribed(world, async ({ id, url }) => {
      for (const host of rejectedHosts) {
        const json = { url: `https://${host}/hook` }
        faulty(await world.ask('updateSubscription', { params: { subscription_id: id }, json }), 'url')
      }
      const { data } = await world.client.getSubscription({ params: { subscription_id: id } })
      same(data.url, url, 'the url')
    }),
  '4.7-9 PATCH: 404 for an unknown subscription, 400 for an id that is not a UUID': async (world) => {
    const patch = (subscription_id: string) =>
      world.ask('updateSubscription', { params: { subscription_id }, json: { active: true } })
    rejected(await patch(make.noUuid), 404, 'not_found')
    faulty(await patch('42'), 'subscription_id')
  },
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
      const intake = await make.arriveOne(world)
      return make.advance(world, intake, 'available')
    },
    ({ qid }) => [qid],
  )
  same(events.length, 3, 'events of the item')
  return { qid: result.qid, events }
}

async function read(world: World, query: Record<string, string>): Promise<EventPage> {
  return answered(await world.ask('listEvents', { query }), 200).body as EventPage
}
