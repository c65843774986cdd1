import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import type { Call, Reply } from '../../src/contract/call.ts'
import { forAllTests, harnessWith } from '../support/each.ts'
import { databases } from '../support/harness.ts'
import { startHttp } from '../support/http.ts'
import { product } from '../support/http-bodies.ts'

const [database] = databases
const get = 'GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'

describe('pipelined requests on one connection', () => {
  const harness = forAllTests(harnessWith(database!))

  /** A service that answers when a test says so. */
  const held = () => {
    const waiting: Array<(reply: Reply) => void> = []
    const handle = vi.fn((_: Call) => new Promise<Reply>((resolve) => waiting.push(resolve)))
    const answer = (encoded?: Reply['encoded']): void => {
      for (const resolve of waiting.splice(0))
        resolve({ status: 200, headers: {}, body: '{}', ...(encoded && { encoded }) })
    }
    return { service: { ...harness.service, handle }, handle, answer }
  }

  test('are at most 8 in progress, and the next is parsed once one is answered', async () => {
    const { service, handle, answer } = held()
    const http = await startHttp({ ...harness, service })
    const parsed = vi.fn()
    http.server.on('request', parsed)
    const socket = connect(http.port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => (text += chunk))
    socket.write(get.repeat(150))
    await vi.waitUntil(() => handle.mock.calls.length === 8, { timeout: 20_000 })
    await http.send({ path: '/healthz' })
    expect([handle.mock.calls.length, parsed.mock.calls.length]).toEqual([8, 9])
    while (text.split('HTTP/1.1 200').length <= 150) {
      expect(handle.mock.calls.length).toBeLessThanOrEqual(text.split('HTTP/1.1 200').length - 1 + 16)
      answer()
      await setImmediate()
    }
    expect(handle).toHaveBeenCalledTimes(150)
    socket.destroy()
    await http.close()
  })

  test('a new connection does not wait for those of another address', async () => {
    const http = await startHttp(harness)
    const seen: Array<string | undefined> = []
    let accepted = 0
    http.server.on('connection', () => (accepted += 1))
    http.server.prependListener('request', ({ socket }) => seen.push(socket.remoteAddress))
    const opened = (localAddress: string) => connect({ port: http.port, host: '127.0.0.1', localAddress })
    const strangers = Array.from({ length: 400 }, () => opened('127.0.0.1'))
    const sockets = [...strangers, opened('127.0.0.2')]
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    // A connection that is not accepted yet cannot take its turn.
    await vi.waitUntil(() => accepted === sockets.length, { timeout: 20_000 })
    for (const socket of sockets) socket.resume().write(get)
    await vi.waitUntil(() => seen.length === sockets.length, { timeout: 20_000 })
    expect(seen.indexOf('127.0.0.2')).toBeLessThan(50)
    for (const socket of sockets) socket.destroy()
    await http.close()
  })

  test('wait for a write before them, and a write waits for those before it', async () => {
    const { service, handle, answer } = held()
    const http = await startHttp({ ...harness, service })
    const post = 'POST /v1/products HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}'
    const socket = connect(http.port, '127.0.0.1').resume()
    socket.write(`${get}${get}${post}${get}${get}`)
    const seen: number[] = []
    for (const count of [2, 3, 5]) {
      await vi.waitUntil(() => handle.mock.calls.length >= count, { timeout: 20_000 })
      await http.send({ path: '/healthz' })
      seen.push(handle.mock.calls.length)
      answer()
    }
    expect(seen).toEqual([2, 3, 5])
    socket.destroy()
    await http.close()
  })

  test.each<[string, string, Reply['encoded']]>([
    ['a long one', get, { bytes: Buffer.alloc(300_000) }],
    ['one without 100 Continue', get.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'), undefined],
  ])('parsed before an answer that ends the connection do not begin: %s', async (_, ask, encoded) => {
    const { service, handle, answer } = held()
    const http = await startHttp({ ...harness, service })
    const parsed = vi.fn()
    http.server.on('request', parsed)
    const post = 'POST /v1/products HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}'
    const socket = connect({ port: http.port, host: '127.0.0.1', allowHalfOpen: true }).resume()
    socket.write(`${ask}${post}${post}`)
    await vi.waitUntil(() => parsed.mock.calls.length === 2, { timeout: 20_000 })
    const [, first] = parsed.mock.calls[0] as [unknown, ServerResponse]
    const closed = once(first, 'close')
    answer(encoded)
    await closed
    await http.send({ path: '/healthz' })
    expect(handle).toHaveBeenCalledTimes(1)
    socket.destroy()
    await http.close()
  })

  const created = (sku: string): string => {
    const body = product(sku)
    return `POST /v1/products HTTP/1.1\r\nHost: a\r\nX-API-Key: ${harness.key}\r\nIdempotency-Key: ${sku}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
  const chunked = 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'

  test.each<[string, string]>([
    ['the document', get],
    ['a request with Connection: close', 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    [
      'HTTP/1.0, chunked and kept alive',
      `GET /healthz HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n${chunked}`,
    ],
  ])('are not processed after an answer that ends the connection: after %s', async (name, first) => {
    const http = await startHttp(harness)
    const sku = `NOT-${name.length}`
    const text = await http.raw(first + created(sku) + created(`${sku}-2`))
    expect(text.match(/HTTP\/1\.1 \d+|connection: close/gi)).toHaveLength(2)
    expect((await harness.client.listProducts({ query: { sku } })).data.results).toEqual([])
    await http.close()
  })

  test('are not processed after a 401 that came before the end of a chunked body', async () => {
    const http = await startHttp(harness)
    const socket = connect(http.port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => (text += chunk))
    socket.write('POST /v1/products HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n')
    socket.once('data', () => socket.write(`hello\r\n0\r\n\r\n${created('NOT-401')}`))
    await once(socket, 'close')
    expect(text.match(/HTTP\/1\.1 \d+|connection: close/gi)).toEqual(['HTTP/1.1 401', 'Connection: close'])
    expect((await harness.client.listProducts({ query: { sku: 'NOT-401' } })).data.results).toEqual([])
    await http.close()
  })
})
