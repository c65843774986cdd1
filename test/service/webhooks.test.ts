import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { webhookEventTypes } from '../../src/contract/enums.ts'
import { emitEvents, type Subscribed } from '../support/deliveries.ts'
import { type Delivering, startDelivering } from '../support/delivering.ts'
import { databases, usualTest } from '../support/harness.ts'
import type { Received } from '../support/webhook-receiver.ts'

describe.each(databases)('webhook delivery over $name (part 6, decisions 9)', (database) => {
  const usual = usualTest(database)
  let delivering: Delivering
  beforeEach(async () => {
    delivering = await startDelivering(database)
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(async () => {
    vi.useRealTimers()
    await delivering.close()
  })

  const verify = (secret: string, { body, headers }: Received): unknown => {
    vi.setSystemTime(delivering.harness.sources.clock())
    return new Webhook(secret).verify(body, headers as Record<string, string>)
  }
  const last = (): Received => delivering.receiver.received.at(-1) as Received

  usual('posts an event as the exact bytes of the log, signed by Standard Webhooks', async () => {
    const { harness, receiver, worker } = delivering
    const of = await delivering.subscribe({ url: receiver.url('', '/hooks/custody?tenant=7') })
    const [event] = await emitEvents(harness)
    await worker.idle()
    const [received] = receiver.received as [Received]
    expect(receiver.received).toHaveLength(1)
    expect(received).toMatchObject({ method: 'POST', path: '/hooks/custody?tenant=7' })
    expect(received.body).toBe(JSON.stringify(event))
    expect((await harness.client.listEvents({})).text).toContain(received.body)
    expect(received.headers).toEqual({
      host: `receiver.test:${receiver.port}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(received.body)),
      'user-agent': 'Custody-Webhooks/1.0',
      connection: 'keep-alive',
      'webhook-id': event?.id,
      'webhook-timestamp': String(Math.floor(harness.sources.clock() / 1000)),
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
    })
    expect(verify(of.secret, received)).toEqual(event)
  })

  usual('records when it was made and what was answered', async () => {
    const { harness, worker } = delivering
    const of = await delivering.subscribe()
    const [event] = await emitEvents(harness)
    await worker.idle()
    expect(await delivering.deliveries(of)).toEqual([
      {
        id: expect.any(String),
        event_id: event?.id,
        event_type: 'transfer.requested',
        status: 'delivered',
        attempts: 1,
        response_code: 204,
        last_error: null,
        last_attempt_at: '2026-05-01T09:00:00.000Z',
        next_attempt_at: null,
        created_at: '2026-05-01T09:00:00.000Z',
      },
    ])
    const { data } = await harness.client.listDeliveries({ params: of.params, query: { status: 'pending' } })
    expect(data.total).toBe(0)
  })

  usual("pushes what the service's operations emit, in the same bytes that are pulled", async () => {
    const { harness, worker } = delivering
    const of = await delivering.subscribe({ types: [...webhookEventTypes] })
    const items = [
      {
        type: 'graded_slab',
        name: 'Charizard \u2728',
        grader: 'PSA',
        grade: '9',
        cert_number: '11112222',
      } as const,
    ]
    await harness.client.createIntakes({ body: { items } })
    await worker.idle()
    const { data, text } = await harness.client.listEvents({})
    expect(data.results.map((event) => event.type)).toEqual(['item.intake.completed'])
    expect(text).toContain(`"results":[${last().body}]`)
    expect(verify(of.secret, last())).toEqual(data.results[0])
  })

  test('brings every event once to every subscription that wants it, with its own secret', async () => {
    const { harness, receiver, worker } = delivering
    const subscribed: Subscribed[] = []
    for (const name of ['a', 'b', 'c'])
      subscribed.push(await delivering.subscribe({ url: receiver.url(name) }))
    const events = await emitEvents(harness, 40)
    await worker.idle()
    expect(receiver.received).toHaveLength(120)
    for (const [i, name] of ['a', 'b', 'c'].entries()) {
      const mine = receiver.received.filter(({ headers }) => headers.host?.startsWith(`${name}.`))
      expect(mine.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
        events.map(({ id }) => id).sort(),
      )
      for (const received of mine) verify(subscribed[i]?.secret ?? '', received)
    }
  })

  usual('signs with a rotated secret too while its grace lasts, and not a moment longer', async () => {
    const { harness, worker, receiver } = delivering
    const of = await delivering.subscribe()
    const { data } = await harness.client.rotateSubscriptionSecret({ ...of, body: { grace_seconds: 60 } })
    await emitEvents(harness)
    await worker.idle()
    verify(of.secret, last())
    verify(data.secret, last())
    expect(last().headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/)
    harness.pass(60_000)
    await emitEvents(harness)
    await worker.idle()
    verify(data.secret, last())
    expect(() => verify(of.secret, last())).toThrow('No matching signature')
    const noGrace = await harness.client.rotateSubscriptionSecret({ ...of, body: { grace_seconds: 0 } })
    await emitEvents(harness)
    await worker.idle()
    verify(noGrace.data.secret, last())
    expect(last().headers['webhook-signature']).toMatch(/^v1,\S{44}$/)
    expect(receiver.received).toHaveLength(3)
  })

  usual.each(webhookEventTypes)(
    'posts a signed sample of %s for a test, which is not in the log',
    async (type) => {
      const { harness, worker } = delivering
      const of = await delivering.subscribe({ types: [type] })
      const { data } = await harness.client.testSubscription(of)
      await worker.idle()
      expect(verify(of.secret, last())).toMatchObject({ id: data.event_id, type, data: expect.anything() })
      expect(last().headers['webhook-id']).toBe(data.event_id)
      expect((await delivering.deliveries(of)).map((one) => one.status)).toEqual(['delivered'])
      expect(await harness.events()).toEqual([])
    },
  )

  test('posts past events again for a replay, byte for byte and under their own ids', async () => {
    const { harness, worker, receiver } = delivering
    const events = await emitEvents(harness, 3)
    const of = await delivering.subscribe()
    await harness.client.replaySubscription({ ...of, body: { starting_after: events[0]?.id } })
    await worker.idle()
    expect(receiver.received.map(({ body }) => body).sort()).toEqual(
      events
        .slice(1)
        .map((event) => JSON.stringify(event))
        .sort(),
    )
    for (const received of receiver.received) verify(of.secret, received)
  })

  usual('can be repeated after a success', async () => {
    const { harness, worker, receiver } = delivering
    const of = await delivering.subscribe()
    await emitEvents(harness)
    await worker.idle()
    const [first] = await delivering.deliveries(of)
    const params = { ...of.params, delivery_id: first?.id ?? '' }
    const { data } = await harness.client.redeliver({ params })
    expect(data).toMatchObject({
      status: 'pending',
      attempts: 1,
      next_attempt_at: '2026-05-01T09:00:00.000Z',
    })
    await worker.idle()
    expect(receiver.received.map(({ body }) => body)).toEqual([last().body, last().body])
    expect(await delivering.deliveries(of)).toMatchObject([
      { id: first?.id, status: 'delivered', attempts: 2 },
    ])
  })

  test('leaves another environment’s deliveries to its own process', async () => {
    const { harness, receiver } = delivering
    await delivering.worker.stop(0)
    const other = delivering.makeWorker({ environment: 'production' })
    other.start()
    const of = await delivering.subscribe()
    await emitEvents(harness)
    await other.idle()
    await other.stop(0)
    expect(receiver.received).toEqual([])
    expect(await delivering.deliveries(of)).toMatchObject([{ status: 'pending', attempts: 0 }])
  })
})
