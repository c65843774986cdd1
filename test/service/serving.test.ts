import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defaultSettings } from '../../src/engine/context.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../src/service/http/server.ts'
import { createLog } from '../../src/service/observe/log.ts'
import { type Harness, startHarness, usualDatabases } from '../support/harness.ts'
import { type HttpHarness, startHttp } from '../support/http.ts'
import { slab } from '../support/manifests.ts'
import { type ManualTimers, manualTimers } from '../support/manual-timers.ts'

const day = 86_400_000

describe.each(usualDatabases)('a running server over $name', (database) => {
  let harness: Harness
  let timers: ManualTimers
  let server: RunningServer
  let log: string[]
  const start = async (more: Partial<ServerOptions> = {}) => {
    log = []
    timers = manualTimers()
    server = await startServer({
      db: harness.db,
      environment: 'sandbox',
      sources: harness.sources,
      settings: defaultSettings,
      log: createLog({ write: (line) => log.push(line) }),
      host: '127.0.0.1',
      port: 0,
      idempotencyMs: day,
      timers,
      ...more,
    })
  }
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.address}${path}`, { headers: { 'x-api-key': harness.key, ...headers } })

  beforeEach(async () => {
    harness = await startHarness(database)
  })
  afterEach(async () => {
    await server.stop()
    await harness.close()
  })

  test('closes overdue manifests at each look, and wakes waiting readers', async () => {
    const lines = [{ description: 'Charizard', quantity: 1 }]
    const arrival = { expected_arrival_end: '2026-05-02', lines }
    const { data } = await harness.client.submitManifest({ body: { reference: 'PO-1', ...arrival } })
    await start()
    await ringWhenSet(timers, 5000)
    const open = await harness.client.getManifest({ params: { manifest_id: data.id } })
    expect(open.data.status).toBe('submitted')
    const waiting = get(`/v1/events?starting_after=${await lastEvent()}`, { prefer: 'wait=30' })
    harness.pass(9 * day)
    await ringWhenSet(timers, 5000)
    const { results } = (await (await waiting).json()) as { results: Array<{ type: string }> }
    expect(results.map(({ type }) => type)).toEqual(['manifest.reconciliation.completed'])
  })

  /** An event before anything is due, for a cursor. */
  const lastEvent = async (): Promise<string | undefined> => {
    await harness.client.createIntakes({ body: { items: [slab('10000001')] } })
    return (await harness.events()).at(-1)?.id
  }

  test('has every metric, counting the traffic', async () => {
    const event_types = ['item.intake.completed' as const]
    const hook = { url: 'https://hooks.example/in', event_types }
    const { id } = (await harness.client.createSubscription({ body: hook })).data
    await harness.client.createIntakes({ body: { items: [slab('10000001')] } })
    // Its deliveries wait, and nobody sends them.
    await harness.client.updateSubscription({ params: { subscription_id: id }, body: { active: false } })
    await start({ metricsPort: 0, rate: { rate_per_s: 0.001, burst: 2 } })
    for (const path of ['/v1/items', '/v1/none', '/v1/items', '/healthz']) await get(path)
    const metrics = await readMetrics(server.metricsAddress ?? '')
    expect(metrics).toMatchObject({
      'custody_requests_total{operation="listItems",status="200"}': 1,
      'custody_requests_total{operation="listItems",status="429"}': 1,
      'custody_requests_total{operation="unknown",status="404"}': 1,
      'custody_request_duration_seconds_count{operation="listItems"}': 2,
      'custody_request_duration_seconds_bucket{le="+Inf",operation="listItems"}': 2,
      custody_rate_limited_total: 1,
      custody_webhook_queue_depth: 1,
      custody_event_lag_seconds: 0,
      custody_memory_bytes: expect.any(Number),
      custody_event_loop_stall_seconds: expect.any(Number),
    })
    const elsewhere = await fetch((server.metricsAddress ?? '').replace('/metrics', '/v1/items'))
    expect(elsewhere.status).toBe(404)
  })

  test('logs no key, secret, or address, wherever a client puts them', async () => {
    await start()
    const { key } = harness
    const { secret } = (
      await harness.client.createSubscription({
        body: { url: 'https://hooks.example/in', event_types: ['item.intake.completed'] },
      })
    ).data as { secret: string }
    const street = '2217 SE Alder Street'
    const address = { street, recipient_name: 'Grace Okafor', city: 'Portland' }
    const sent: Array<[string, RequestInit]> = [
      [`/v1/${key}`, {}],
      [`/v1/items/${key}?search=${secret}&key=${key}`, { headers: { 'x-request-id': key } }],
      ['/v1/items', { headers: { 'x-request-id': secret, 'idempotency-key': key, 'user-agent': street } }],
      [
        '/v1/fulfillments',
        { method: 'POST', body: JSON.stringify({ qids: [secret], shipping_address: address }) },
      ],
      ['/v1/fulfillments', { method: 'POST', body: street }],
    ]
    for (const [path, { headers, ...rest }] of sent) {
      const given = {
        'x-api-key': key,
        'idempotency-key': 'k',
        'content-type': 'application/json',
        ...headers,
      }
      await fetch(`${server.address}${path}`, { ...rest, headers: given })
    }
    await server.stop()
    const text = log.join('')
    expect(log.length).toBeGreaterThanOrEqual(sent.length)
    for (const hidden of [key, secret, street, 'Grace Okafor', 'Portland']) expect(text).not.toContain(hidden)
  })
})

describe('connections of a server', () => {
  const [database] = usualDatabases
  let harness: Harness
  let http: HttpHarness
  beforeEach(async () => {
    harness = await startHarness(database!)
  })
  afterEach(async () => {
    await http.close()
    await harness.close()
  })

  test('beyond the maximum are closed at once, and the next is served when one ends', async () => {
    http = await startHttp(harness, { maxConnections: 2 })
    const open = () => connect(http.port, '127.0.0.1')
    const [first, second] = [open(), open()]
    await Promise.all([once(first, 'connect'), once(second, 'connect')])
    const third = open().resume()
    third.on('error', () => {})
    await once(third, 'close')
    const gone = once(first, 'close')
    first.destroy()
    await gone
    await serverHas(http, 1)
    expect((await http.send({ path: '/healthz' })).status).toBe(200)
    second.destroy()
  })

  test('are limited to a thousand by default', async () => {
    http = await startHttp(harness)
    expect(http.server.maxConnections).toBe(1000)
  })

  test('have a time limit for headers, however long a body may take', async () => {
    http = await startHttp(harness, { headersTimeoutMs: 50, requestTimeoutMs: 60_000 })
    expect(await http.raw('GET /v1/items HTTP/1.1\r\nHost: a\r\n')).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('waiting for events end with an empty page when the server stops', async () => {
    let wake = (): void => {}
    const isWaiting = new Promise<void>((resolve) => {
      wake = resolve
    })
    const { service } = harness
    const handle: typeof service.handle = (call) => {
      const answer = service.handle(call)
      // By then the reader has found nothing and is listening.
      void service.handle({ ...call, headers: { 'x-api-key': harness.key } }).then(wake)
      return answer
    }
    http = await startHttp(harness, { service: { ...service, handle } })
    const headers = ['X-API-Key', harness.key, 'Prefer', 'wait=30']
    const waiting = http.send({ path: '/v1/events', headers })
    await isWaiting
    await http.close()
    const { status, text } = await waiting
    expect([status, JSON.parse(text).results]).toEqual([200, []])
  })
})

/** Rings once the previous job has ended. */
async function ringWhenSet(timers: ManualTimers, ms: number): Promise<void> {
  while (!timers.set().includes(ms)) await new Promise((resolve) => setImmediate(resolve))
  timers.ring(ms)
}

async function serverHas({ server }: HttpHarness, count: number): Promise<void> {
  const open = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, n) => (error ? reject(error) : resolve(n))),
    )
  while ((await open()) > count) await new Promise((resolve) => setImmediate(resolve))
}

/** Each line of the text format: name with labels, and number. */
async function readMetrics(address: string): Promise<Record<string, number>> {
  const text = await (await fetch(address)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  )
}
