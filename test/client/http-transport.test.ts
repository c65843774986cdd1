import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createPlainServer, type Server as PlainServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import { createHttpTransport } from '../../src/client/http-transport.ts'
import { networkErrorOf } from '../../src/client/network-error.ts'
import { retrying } from '../../src/client/retrying.ts'
import { listening } from '../support/free-port.ts'

let server: Server | PlainServer | undefined

afterEach(() => {
  vi.useRealTimers()
  if (server && 'closeAllConnections' in server) server.closeAllConnections()
  server?.close()
})

/** A client of a server with this answer; one attempt, limited to `maxWaitMs` if given. */
async function clientOf(given: Server | PlainServer, maxWaitMs = 0, protocol = 'http'): Promise<Client> {
  server = given
  const port = await listening(given)
  return createClient({
    transport: retrying(createHttpTransport({ apiKey: 'k' }), {
      maxWaitMs,
      now: () => performance.now(),
      clock: Date.now,
      sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }),
      random: Math.random,
    }),
    baseUrl: `${protocol}://127.0.0.1:${port}/v1`,
    newIdempotencyKey: () => 'key',
  })
}

const answering = (listener: RequestListener): Server => createServer(listener)

describe('an attempt is given up in time, whatever the service does', () => {
  test.each<[string, RequestListener]>([
    ['it never answers', () => {}],
    [
      'its body comes byte by byte without end',
      (_, response) => void setInterval(() => response.write(' '), 5).unref(),
    ],
    [
      'its body stops half-way',
      (_, response) => void response.writeHead(200, { 'content-length': 9 }).write('{'),
    ],
  ])('%s', async (_, listener) => {
    const client = await clientOf(answering(listener), 60)
    await expect(client.getItemSummary({})).rejects.toMatchObject({ fault: 'timeout' })
  })

  test('a signal ends an attempt with its reason', async () => {
    const stop = new AbortController()
    const client = await clientOf(answering(() => stop.abort('enough')))
    await expect(client.getItemSummary({ signal: stop.signal })).rejects.toBe('enough')
  })
})

describe('a server that is not custody is named as such', () => {
  const html = { 'content-type': 'text/html; charset=utf-8' }
  test.each<[string, RequestListener, string]>([
    [
      'a page',
      (_, response) => response.writeHead(200, html).end('<html>'),
      'it answers 200 with text/html instead of JSON',
    ],
    [
      'nothing',
      (_, response) => response.writeHead(200).end(),
      'it answers 200 with nothing instead of JSON',
    ],
    [
      'something other than JSON',
      (_, response) => response.end('{not JSON}'),
      'it answers 200 with something that is not JSON',
    ],
    [
      'an unrequested compression',
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}')),
      'it answers 200 with bytes compressed as gzip instead of JSON',
    ],
    [
      'another object',
      (_, response) => response.end('{"ok":true}'),
      'it answers 200 with JSON in which results is missing',
    ],
    [
      'a redirect',
      (_, response) => response.writeHead(302, { location: '/login\x9b?a' }).end(),
      'it answers 302 and points to http://127.0.0.1',
    ],
  ])('%s', async (_, listener, why) => {
    const client = await clientOf(answering(listener))
    const asked = client.listProducts({}).then(({ data }) => data)
    await expect(asked).rejects.toMatchObject({ fault: 'foreign', message: expect.stringContaining(why) })
    await expect(asked).rejects.toThrow(
      /^This is not a custody service: http:\/\/127.0.0.1:\d+\/v1 \([ -~]+\)$/,
    )
  })

  test.each(['http', 'https'])('bytes that are not %s', async (protocol) => {
    const client = await clientOf(
      createPlainServer((socket) => void socket.on('error', () => {}).end('SSH-2.0\r\n')),
      0,
      protocol,
    )
    await expect(client.getItemSummary({})).rejects.toMatchObject({
      fault: 'foreign',
      isInDoubt: false,
      message: expect.stringContaining(`does not speak ${protocol} (`),
    })
  })
})

test.each([
  ['in a length', 'content-length: -5\r\n\r\n'],
  ['in a chunk', 'transfer-encoding: chunked\r\n\r\nzz\r\n'],
  ['by headers without end', `a: ${'b'.repeat(99_999)}\r\n`],
])('an answer that is damaged %s may be that of a write that was carried out', async (_, rest) => {
  const bytes = `HTTP/1.1 200 OK\r\n${rest}`
  const client = await clientOf(
    createPlainServer((socket) => void socket.once('data', () => socket.end(bytes)).on('error', () => {})),
  )
  await expect(client.getItemSummary({})).rejects.toMatchObject({ fault: 'foreign', isInDoubt: true })
})

test('keeps nothing that a server sends between the bytes of an answer', async () => {
  const megabytes = 128
  const chunk = `1;${'x'.repeat(64 * 1024)}\r\n \r\n`
  let kept = 0
  const client = await clientOf(
    answering((_, { socket }) => {
      socket?.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const more = (left: number): unknown => {
        if (left > 0) return socket?.write(chunk, () => more(left - 1))
        setFlagsFromString('--expose-gc')
        runInNewContext('gc')()
        kept = process.memoryUsage().arrayBuffers - before
        return socket?.end('2\r\n{}\r\n0\r\n\r\n')
      }
      more(megabytes * 16)
    }),
  )
  const before = process.memoryUsage().arrayBuffers
  await expect(client.getItemSummary({})).rejects.toMatchObject({ fault: 'foreign' })
  expect(kept / 1024 / 1024).toBeLessThan(megabytes / 2)
})

describe('an answer that ends too early is a broken connection and may be retried', () => {
  test.each([
    ['before its head', ''],
    ['in its head', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['in its body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'],
    ['in its last body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\nconnection: close\r\n\r\n{'],
    ['in JSON of unknown length', 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"results":[\r\n'],
    ['after a value of JSON', 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"results":[{}'],
    ['in a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n5\r\n{'],
  ])('%s', async (_, bytes) => {
    const client = await clientOf(
      createPlainServer((socket) => void socket.once('data', () => socket.end(bytes)).on('error', () => {})),
    )
    await expect(client.getItemSummary({})).rejects.toMatchObject({ fault: 'broken', isInDoubt: true })
  })
})

test("an error of a proxy that begins like JSON is the proxy's answer", async () => {
  const client = await clientOf(answering((_, response) => response.writeHead(403).end('[policy] blocked')))
  await expect(client.getItemSummary({})).rejects.toMatchObject({ status: 403 })
})

test('a lost network is a broken connection; without one, nothing was sent', () => {
  const faults = ['read', 'connect'].map((syscall) => {
    return networkErrorOf(Object.assign(new Error('gone'), { code: 'EHOSTUNREACH', syscall }), 'http://a')
      .fault
  })
  expect(faults).toEqual(['broken', 'unreachable'])
})

test('an upload that makes progress is not given up, however long it takes', async () => {
  // 1.3 s by the clock below; its limit of 0.5 s is 12 MiB, more than the kernel holds.
  const bytes = 32 * 1024 * 1024
  let read = 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  server = answering((request, response) => {
    const readOn = (): void => {
      const piece = (request.read(128 * 1024) ?? request.read()) as Buffer | null
      read += piece?.length ?? 0
      if (piece) vi.advanceTimersByTime(5)
      if (!request.readableEnded) setImmediate(readOn)
    }
    readOn()
    request.on('end', () => response.end('{}'))
  })
  const port = await listening(server)
  const transport = createHttpTransport({ apiKey: 'k', idleMs: 500 })
  const { status } = await transport({
    operation: 'createProduct',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    params: {},
    query: [],
    headers: {},
    body: async () => ({ kind: 'json', text: 'x'.repeat(bytes) }),
  })
  expect([status, read]).toEqual([200, bytes])
})

test('a redirect is not followed, so the key stays where it was sent', async () => {
  const asked: string[] = []
  const client = await clientOf(
    answering((request, response) => {
      asked.push(`${request.headers['x-api-key']} ${request.url}`)
      response.writeHead(307, { location: '/elsewhere' }).end()
    }),
  )
  await expect(client.getItemSummary({})).rejects.toMatchObject({ fault: 'foreign' })
  expect(asked).toEqual(['k /v1/items/summary'])
})

test('one connection serves many calls', async () => {
  const ports = new Set<number | undefined>()
  const client = await clientOf(
    answering((request, response) => {
      ports.add(request.socket.remotePort)
      response.end('{"total":0,"by_status":{}}')
    }),
  )
  for (let n = 0; n < 3; n++) await client.getItemSummary({})
  expect(ports.size).toBe(1)
})
