import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '../../src/contract/call.ts'
import type { KeyLimits, WorkLimiter } from '../../src/service/context.ts'
import { createWorkLimiter, defaultKeyLimits, Overloaded } from '../../src/service/limits/work-limits.ts'
import { withinLimits } from '../../src/service/service.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'
import { type HttpHarness, startHttp } from '../support/http.ts'
import { slab } from '../support/manifests.ts'

const [sqlite] = databases
const limits: KeyLimits = { requests: 1, waits: 1, answerBytes: 300_000, uploadBytes: 1_000_000 }

describe('work in progress for one key', () => {
  let harness: Harness
  let http: HttpHarness
  let work: WorkLimiter
  const sockets: Socket[] = []
  beforeAll(async () => {
    // Each test has its own limits.
    const current: WorkLimiter = {
      take: (...given) => work.take(...given),
      hold: (...given) => work.hold(...given),
      check: (...given) => work.check(...given),
    }
    harness = await startHarness(sqlite!, { service: { work: current } })
    http = await startHttp(harness)
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })
  afterAll(async () => {
    await http.close()
    await harness.close()
  })
  const ask = (path: string, headers: readonly string[] = [], body?: string) =>
    http.send({
      path: `/v1${path}`,
      headers: ['x-api-key', harness.key, ...headers],
      ...(body !== undefined && { body, method: 'POST' }),
    })
  const json = ['content-type', 'application/json', 'idempotency-key']
  /** A request that lacks only the end of its body. */
  const begin = async (bytes: number) => {
    const arrived = once(http.server, 'request')
    const client = connect(http.port, '127.0.0.1')
    sockets.push(client)
    client.write(
      `POST /v1/products HTTP/1.1\r\nHost: a\r\nX-API-Key: ${harness.key}\r\nIdempotency-Key: k${bytes}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n{`,
    )
    const [, response] = await arrived
    // Its key is looked up before any later request.
    await http.send({ path: '/healthz' })
    return { client, response }
  }
  const rejected = (limit: string) => ({ code: 'rate_limited', extra: { limit, retry_after_seconds: 1 } })

  test("is limited in requests: one more is rejected by the limit’s name, another key's is not, and both succeed later", async () => {
    work = createWorkLimiter(limits)
    const { client } = await begin(2)
    const answer = await ask('/items')
    expect(answer.status).toBe(429)
    expect(answer.headers['retry-after']).toBe('1')
    expect(JSON.parse(answer.text)).toMatchObject(rejected('requests_in_progress'))
    await harness.stranger.listItems({ query: {} })
    client.write('}')
    expect(String((await once(client, 'data'))[0])).toMatch(/^HTTP\/1\.1 400 /)
    expect((await ask('/items')).status).toBe(200)
  })

  test('is limited in waiting readers, not in readers that do not wait', async () => {
    work = createWorkLimiter({ ...limits, requests: 9 })
    const arrived = once(http.server, 'request')
    const waiting = ask('/events', ['prefer', 'wait=30'])
    await arrived
    await http.send({ path: '/healthz' })
    const another = await ask('/events', ['prefer', 'wait=30'])
    expect([another.status, JSON.parse(another.text)]).toMatchObject([429, rejected('waiting_readers')])
    expect((await ask('/events')).status).toBe(200)
    await harness.client.createIntakes({ body: { items: [slab('11112222')] } })
    expect((await waiting).status).toBe(200)
  })

  test('is limited in upload bytes: one more is rejected before it is read, and one larger than the limit passes alone', async () => {
    work = createWorkLimiter({ ...limits, requests: 9 })
    const first = await begin(2_000_000)
    const large = `{"name":"${'x'.repeat(300_000)}"}`
    const second = await ask('/products', [...json, 'a'], large)
    expect([second.status, JSON.parse(second.text)]).toMatchObject([429, rejected('upload_bytes')])
    first.client.destroy()
    await once(first.response, 'close')
    expect((await ask('/products', [...json, 'b'], large)).status).toBe(400)
  })

  test('includes a body of unknown length as it arrives', async () => {
    work = createWorkLimiter({ ...limits, requests: 9, uploadBytes: 1000 })
    await begin(900)
    const chunk = 'x'.repeat(200)
    const answer = await http.raw(
      `POST /v1/products HTTP/1.1\r\nHost: a\r\nX-API-Key: ${harness.key}\r\nIdempotency-Key: c\r\n` +
        `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nc8\r\n${chunk}\r\n0\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 429 .*"upload_bytes"/s)
  })

  test('is limited in all by a 503 with Retry-After, whatever a key may do, and /healthz still answers', async () => {
    work = createWorkLimiter(undefined, { ...defaultKeyLimits, requests: 1 })
    await begin(2)
    const answer = await ask('/items')
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1'])
    expect(JSON.parse(answer.text)).toMatchObject({
      code: 'internal_error',
      message: 'The service is overloaded right now. Nothing was changed; try again.',
    })
    expect((await http.send({ path: '/healthz' })).status).toBe(200)
  })
})

test('a place is released once, even if returned twice', () => {
  const work = createWorkLimiter({ ...limits, requests: 2 })
  const end = work.take('key', 'requests')
  work.take('key', 'requests')
  end()
  end()
  work.take('key', 'requests')
  expect(() => work.take('key', 'requests')).toThrow('at most 2 requests in progress')
})

describe('answers in progress', () => {
  const call = { operation: 'listItems', headers: {} } as unknown as Call
  const answer = (length: number) => async () => ({ status: 200, headers: {}, body: 'x'.repeat(length) })

  test('count until they are taken, and then leave room for the next', async () => {
    const work = createWorkLimiter(limits)
    const first = await withinLimits(work, 'key', call, answer(299_999))
    await expect(withinLimits(work, 'key', call, answer(270_000))).rejects.toMatchObject({
      code: 'rate_limited',
      extra: { limit: 'answer_bytes' },
    })
    await withinLimits(work, 'other', call, answer(270_000))
    first.sent?.()
    first.sent?.()
    await withinLimits(work, 'key', call, answer(270_000))
  })

  test('prevent new work when they fill the room, but answers already written are sent', async () => {
    const work = createWorkLimiter(limits)
    const write = { ...call, operation: 'closeManifest' } as Call
    await withinLimits(work, 'key', write, answer(299_000))
    await withinLimits(work, 'key', write, answer(299_000))
    let begun = 0
    const begin = async () => {
      begun += 1
      return { status: 200, headers: {}, body: '' }
    }
    await expect(withinLimits(work, 'key', call, begin)).rejects.toThrow('MiB of answers')
    expect(begun).toBe(0)
  })

  test('get room before they are unpacked, or none, if they are stored and long', async () => {
    const work = createWorkLimiter({ ...limits, requests: 9, answerBytes: 700_000 })
    const harness = await startHarness(sqlite!, { service: { work } })
    const description = 'x'.repeat(400)
    const lines = Array.from({ length: 800 }, () => ({ description }))
    const { id } = (await harness.client.submitManifest({ body: { reference: 'PO-1', lines } })).data
    const close = () =>
      harness.call({
        operation: 'closeManifest',
        params: { manifest_id: id },
        headers: { 'idempotency-key': 'close' },
      })
    const first = await close()
    expect(first.body.length).toBeGreaterThan(350_000)
    first.sent?.()
    const both = await Promise.all([close(), close()])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 429])
    const told = both.find(({ status }) => status === 200)
    expect(told?.body).toBe(first.body)
    expect(JSON.parse(both.find(({ status }) => status === 429)?.body ?? '')).toMatchObject({
      extra: { limit: 'answer_bytes' },
    })
    told?.sent?.()
    expect((await close()).status).toBe(200)
    await harness.close()
  })
})

describe('the overall limit', () => {
  test('rejects those with more than their share, and admits others', () => {
    const work = createWorkLimiter(undefined, { ...defaultKeyLimits, requests: 10 })
    for (let at = 0; at < 10; at++) work.take('busy', 'requests')
    expect(() => work.take('busy', 'requests')).toThrow(Overloaded)
    const end = work.take('other', 'requests')
    expect(() => work.take('busy', 'requests')).toThrow(Overloaded)
    for (let at = 0; at < 4; at++) work.take('other', 'requests')
    expect(() => work.take('other', 'requests')).toThrow(Overloaded)
    end()
    work.take('other', 'requests')
  })
})
