import { runtime } from '../../runtime/runtime.ts'
import { answered, each, faulty, holds, present, rejected, same } from '../check.ts'
import { entriesOf, noUuid, type World } from '../world.ts'

export const eventDecisions = entriesOf({
  "D9-1 next_starting_after is the last result's id, or null on an empty page": async (world) => {
    const last = await lastEvent(world)
    const { data } = await world.client.listEvents({ query: { starting_after: last } })
    same(data, { has_more: false, next_starting_after: null, results: [] }, 'the page after the last event')
    await world.arrive()
    const page = (await world.client.listEvents({ query: { starting_after: last } })).data
    same(page.next_starting_after, page.results.at(-1)?.id, 'next_starting_after')
  },
  'D9-2 an unknown cursor is a 400': async (world) => {
    faulty(await world.ask('listEvents', { query: { starting_after: noUuid } }), 'starting_after')
  },
  "D9-3 another partner's event is an unknown cursor, with the same answer": async (world) => {
    const { data } = await world.stranger().listEvents({ query: { page_size: 1 } })
    if (data.results.length === 0)
      await world.stranger().createIntakes({ body: { items: [world.slabArrival()] } })
    const theirs = (await world.stranger().listEvents({ query: { page_size: 1 } })).data.next_starting_after
    const foreign = await world.ask('listEvents', { query: { starting_after: theirs ?? '' } })
    const unknown = await world.ask('listEvents', { query: { starting_after: noUuid } })
    same(faulty(foreign, 'starting_after'), faulty(unknown, 'starting_after'), 'the faults')
  },
  'D9-4 a reader by cursor misses nothing that several writers write at once': async (world) => {
    await world.events.fresh()
    const made = await Promise.all(Array.from({ length: 12 }, () => world.arrive()))
    const qids = each(made.flat(), 'qid')
    const seen = new Set((await world.events.fresh()).map(({ data }) => ('qid' in data ? data.qid : '')))
    const unseen = qids.filter((qid) => !seen.has(qid))
    same(unseen, [], 'arrivals without an event')
  },
  'D9-6 with Prefer: wait=N an empty page waits for an event and has Preference-Applied': async (world) => {
    const starting_after = await lastEvent(world)
    const headers = { prefer: 'wait=10' }
    const waiting = world.client.listEvents({ query: { starting_after }, headers })
    const intake = await world.arriveOne()
    const { data, headers: answer } = await waiting
    const qids = data.results.map((event) => ('qid' in event.data ? event.data.qid : ''))
    holds(qids.includes(intake.qid), 'the event arrived', data)
    same(answer['preference-applied'], 'wait=10', 'Preference-Applied')
  },
  'D9-7 without an event the wait ends with an empty page; without Prefer nothing waits': async (world) => {
    const starting_after = await lastEvent(world)
    const plain = await world.client.listEvents({ query: { starting_after } })
    same(plain.headers['preference-applied'], undefined, 'Preference-Applied without Prefer')
    const started = runtime.uptime()
    const { data, headers } = await world.client.listEvents({
      query: { starting_after },
      headers: { prefer: 'wait=1' },
    })
    same([data.results, headers['preference-applied']], [[], 'wait=1'], 'the page after a second')
    holds(runtime.uptime() - started > 900, 'it waited', `${runtime.uptime() - started} ms`)
  },
  'D9-8 a secret is whsec_ and base64 of 32 bytes, and is shown only once, in the 201': (world) =>
    world.subscribed(async ({ id, secret }) => {
      const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
      same([secret.startsWith('whsec_'), bytes.length], [true, 32], 'the secret')
      const seen = await world.ask('getSubscription', { params: { subscription_id: id } })
      same('secret' in (seen.body as object), false, 'a secret in GET')
      const listed = await world.ask('listSubscriptions')
      holds(!listed.text.includes(secret), 'the secret is not in the list')
    }),
  'D9-14 a webhook URL is https in any case, port 443 or from 1024, without user info; .example and .test are accepted':
    (world) =>
      world.subscribed(async ({ id }) => {
        for (const url of [
          'HTTPS://hooks.partner.example/',
          'https://hooks.test:8443/x',
          'https://hooks.partner.example:443/',
        ])
          answered(await world.patch(id, { url }), 200)
        for (const url of [
          'https://hooks.partner.example:80/',
          'https://hooks.partner.example:1023/',
          'https://a:b@hooks.partner.example/',
        ])
          faulty(await world.patch(id, { url }), 'url')
      }),
  'D10-16 GET and POST /webhook-subscriptions, GET and DELETE /webhook-subscriptions/{id} exist': async (
    world,
  ) => {
    let gone = ''
    await world.subscribed(async ({ secret: _, ...subscription }) => {
      gone = subscription.id
      const { results } = (await world.client.listSubscriptions({})).data
      const found = results.find(({ id }) => id === gone)
      same(found, subscription, 'the subscription in the list')
    })
    const params = { subscription_id: gone }
    rejected(await world.ask('getSubscription', { params }), 404, 'not_found')
    rejected(await world.ask('deleteSubscription', { params }), 404, 'not_found')
  },
  'D10-17 rotate-secret creates a new secret and shows it once': (world) =>
    world.subscribed(async ({ id, secret }) => {
      const request = { params: { subscription_id: id }, body: {} }
      const { data } = await world.client.rotateSubscriptionSecret(request)
      same(data.id, id, 'the subscription')
      holds(data.secret.startsWith('whsec_') && data.secret !== secret, 'the secret is a new one')
    }),
  'D10-18 test queues a signed sample; deliveries list it with attempts, response code, and next attempt': (
    world,
  ) =>
    world.subscribed(async ({ id }) => {
      const params = { subscription_id: id }
      const { data, status } = await world.client.testSubscription({ params })
      same(status, 200, 'status')
      const found = (await world.client.listDeliveries({ params })).data.results
      same(each(found, 'id'), [data.id], 'deliveries')
    }),
  'D10-19 redeliver queues a delivery again; an unknown delivery is a 404': (world) =>
    world.subscribed(async ({ id }) => {
      const params = { subscription_id: id, delivery_id: noUuid }
      rejected(await world.ask('redeliver', { params }), 404, 'not_found')
    }),
  'D10-20 replay queues events again from starting_after or since; exactly one of them is required': (
    world,
  ) =>
    world.subscribed(async ({ id }) => {
      const params = { subscription_id: id }
      const starting_after = await lastEvent(world)
      await world.endTransfer(await world.sellBack([await world.availableSlab()]), 'declined')
      const { data } = await world.client.replaySubscription({ params, body: { starting_after } })
      same(data.queued, 1, 'events queued: the one of the type that is subscribed to')
      const both = { starting_after, since: '2030-01-01T00:00:00Z' }
      for (const json of [{}, both])
        rejected(await world.ask('replaySubscription', { params, json }), 400, 'validation_error')
    }),
})

async function lastEvent(world: World): Promise<string> {
  await world.events.fresh()
  await world.close(await world.newManifest())
  return present((await world.events.fresh()).at(-1), 'the event').id
}
