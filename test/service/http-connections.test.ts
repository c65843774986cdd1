import { on, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Call, Reply } from '../../src/contract/call.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'
import { type HttpHarness, startHttp } from '../support/http.ts'

const [database] = databases
const get = 'GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'

describe('long-lived connections', () => {
  let harness: Harness
  const sockets: Socket[] = []
  beforeAll(async () => {
    harness = await startHarness(database!)
  })
  afterAll(() => harness.close())

  /** Connects, sends, and never reads; returns the service's end of the connection. */
  const sendTo = async (http: HttpHarness, bytes: string): Promise<Socket> => {
    const served = once(http.server, 'connection')
    const socket = connect(http.port, '127.0.0.1').pause()
    socket.on('error', () => {})
    sockets.push(socket)
    await new Promise((resolve) => socket.write(bytes || '', resolve))
    return (await served)[0]
  }
  const hangUp = (): void => {
    for (const socket of sockets.splice(0)) socket.destroy()
  }
  /** A service that answers when a test says so. */
  const held = () => {
    const waiting: Array<(reply: Reply) => void> = []
    const handle = vi.fn((_: Call) => new Promise<Reply>((resolve) => waiting.push(resolve)))
    const answer = (body = '{}', sent = (): void => {}): void => {
      for (const resolve of waiting.splice(0)) resolve({ status: 200, headers: {}, body, sent })
    }
    return { service: { ...harness.service, handle }, handle, answer }
  }

  test('are cut if they take nothing of their answers', async () => {
    const http = await startHttp(harness, { stallMs: 200 })
    const served = await sendTo(http, get.repeat(100))
    await once(served, 'close')
    expect(served.bytesRead).toBeGreaterThan(0)
    hangUp()
    await http.close()
  })

  test('get all answers in turn if the next request comes before a long answer ends', async () => {
    const { service, answer, handle } = held()
    const http = await startHttp({ ...harness, service })
    const socket = connect(http.port, '127.0.0.1')
    socket.write(get.repeat(3))
    await vi.waitUntil(() => handle.mock.calls.length === 3, { timeout: 20_000 })
    answer('x'.repeat(1_000_000))
    let taken = 0
    for await (const [chunk] of on(socket, 'data')) {
      taken += (chunk as Buffer).length
      if (taken > 3_000_000) break
    }
    socket.destroy()
    await http.close()
  })

  test("get the document once for many requests, with everybody's shared bytes", async () => {
    const replies: Reply[] = []
    const handle = async (call: Call): Promise<Reply> => {
      const reply = await harness.service.handle(call)
      replies.push(reply)
      return reply
    }
    const http = await startHttp({ ...harness, service: { ...harness.service, handle } })
    const text = await http.raw(get.repeat(3))
    expect([text.split('HTTP/1.1 200 ').length, text.trimEnd().endsWith('}')]).toEqual([2, true])
    await http.raw(get)
    const [one, ...others] = new Set(replies.map(({ encoded }) => encoded?.bytes))
    expect([one?.length, others]).toEqual([Buffer.byteLength(replies[0]?.body ?? ''), []])
    await http.close()
  })

  test('are cut after a while if they take an answer byte by byte, and no more of it is kept', async () => {
    const { service, answer } = held()
    const http = await startHttp({ ...harness, service }, { pace: { freeMs: 200, bytesPerS: 1e9 } })
    const arrived = once(http.server, 'request')
    const served = await sendTo(http, get)
    await arrived
    answer('x'.repeat(20_000_000))
    const [client] = sockets
    let taken = 0
    for (let turn = client; turn && !served.destroyed; await setImmediate())
      taken += turn.read(1)?.length ?? 0
    expect(taken).toBeGreaterThan(0)
    hangUp()
    await http.close()
  })

  test('hold little beyond the text of a long answer that nobody takes, and learn when it ends', async () => {
    const { service, answer } = held()
    const http = await startHttp({ ...harness, service })
    const arrived = once(http.server, 'request')
    const served = await sendTo(http, get)
    const [, response] = await arrived
    const over = new Promise<void>((resolve) => answer('x'.repeat(20_000_000), resolve))
    await vi.waitFor(() => expect(response.writableNeedDrain).toBe(true), { interval: 1, timeout: 20_000 })
    expect(served.writableLength).toBeLessThan(1_000_000)
    hangUp()
    await over
    await http.close()
  })

  test('make room for new ones near the maximum: the oldest silent one closes', async () => {
    const { service, answer } = held()
    const http = await startHttp({ ...harness, service }, { maxConnections: 10 })
    const arrived = once(http.server, 'request')
    const working = http.send({ path: '/v1/items' })
    await arrived
    const silent = [await sendTo(http, ''), await sendTo(http, 'GET /v1/')]
    const ends: number[] = []
    for (const [at, socket] of silent.entries()) socket.once('close', () => ends.push(at))
    for (let more = 0; more < 20; more++) await sendTo(http, '')
    expect((await http.send({ path: '/healthz' })).status).toBe(200)
    expect(ends).toEqual([0, 1])
    answer()
    expect((await working).status).toBe(200)
    hangUp()
    await http.close()
  })

  test('are cut if a body trickles in', async () => {
    const http = await startHttp(harness, { arrivalPace: { freeMs: 20, bytesPerS: 1e9 } })
    const served = await sendTo(
      http,
      `POST /v1/products HTTP/1.1\r\nHost: a\r\nX-API-Key: ${harness.key}\r\nIdempotency-Key: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    )
    await once(served, 'close')
    hangUp()
    await http.close()
  })

  test('end with the answer to HTTP/1.0 with chunks (RFC 9112, 6.1)', async () => {
    const http = await startHttp(harness)
    const head = 'Host: a\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
    const text = await http.raw(`GET /v1/openapi.json HTTP/1.0\r\n${head}`)
    expect(text).toMatch(/^HTTP\/1\.1 200 .*connection: close/is)
    await http.close()
  })

  test('stay if they take their answer at a fair pace', async () => {
    const { service, answer } = held()
    const http = await startHttp({ ...harness, service }, { pace: { freeMs: 0, bytesPerS: 4096 } })
    const arrived = once(http.server, 'request')
    const whole = http.send({ path: '/v1/items' })
    await arrived
    answer(`"${'x'.repeat(20_000_000)}"`)
    expect((await whole).text).toHaveLength(20_000_002)
    await http.close()
  })

  test('stay and get their answer if it takes long', async () => {
    const { service, answer } = held()
    const http = await startHttp({ ...harness, service }, { stallMs: 300 })
    http.server.once('timeout', () => answer())
    expect((await http.send({ path: '/v1/items' })).status).toBe(200)
    await http.close()
  })

  test('end at a stop without a whole request; others are answered', async () => {
    const { service, answer } = held()
    const http = await startHttp({ ...harness, service }, { arrivalMs: 20 })
    const post = 'POST /v1/products HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{'
    const unfinished = [await sendTo(http, ''), await sendTo(http, 'GET /v1/')]
    const arrived = on(http.server, 'request')
    unfinished.push(await sendTo(http, post))
    await arrived.next()
    const running = http.send({ path: '/v1/items', headers: ['connection', 'keep-alive'] })
    await arrived.next()
    const cut = Promise.all(unfinished.map((socket) => once(socket, 'close')))
    const closed = http.close()
    await cut
    answer()
    expect(await running).toMatchObject({ status: 200, headers: { connection: 'close' } })
    await closed
    hangUp()
  })

  test('end at a stop once their client has taken the answer', async () => {
    const { service, answer } = held()
    const http = await startHttp({ ...harness, service })
    const arrived = once(http.server, 'request')
    const served = await sendTo(http, 'GET /v1/items HTTP/1.1\r\nHost: a\r\n\r\n')
    const [, response] = await arrived
    const begun = vi.spyOn(response, 'writeHead')
    answer('x'.repeat(20_000_000))
    await vi.waitFor(() => expect(begun).toHaveBeenCalled(), { interval: 1, timeout: 20_000 })
    const closed = http.close()
    const ended = once(served, 'close')
    sockets[0]?.resume()
    await Promise.all([ended, closed])
    hangUp()
  })

  test('may finish sending at a stop', async () => {
    const http = await startHttp(harness, { arrivalMs: 5_000 })
    const socket = connect(http.port, '127.0.0.1')
    const [served] = await once(http.server, 'connection')
    socket.write('GET /v1/openapi.json HTTP/1.1\r\nHo')
    await once(served, 'data')
    const closed = http.close()
    socket.write('st: a\r\n\r\n')
    let text = ''
    socket.on('data', (chunk) => (text += chunk))
    await once(socket, 'close')
    expect(text).toMatch(/^HTTP\/1\.1 200 .*connection: close/is)
    await closed
  })
})

describe('simultaneous connections', () => {
  test('are all accepted, 600 while the process is busy, and then served', async () => {
    const harness = await startHarness(database!)
    const http = await startHttp(harness)
    const open = new Int32Array(new SharedArrayBuffer(4))
    const count = 600
    const code = `
      const { workerData: { port, count, open } } = require('node:worker_threads')
      let connected = 0
      const come = () => void (++connected === count && (Atomics.store(open, 0, connected), Atomics.notify(open, 0)))
      for (let at = 0; at < count; at++) require('node:net').connect(port, '127.0.0.1', come).on('error', () => {})`
    const crowd = new Worker(code, { eval: true, execArgv: [], workerData: { port: http.port, count, open } })
    // Nothing is accepted meanwhile: connections wait in the system's queue, up to its limit.
    Atomics.wait(open, 0, 0, 20_000)
    expect(open[0]).toBe(count)
    expect((await http.send({ path: '/healthz' })).status).toBe(200)
    await crowd.terminate()
    await http.close()
    await harness.close()
  })
})
