import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { LogEntry } from '../../src/service/context.ts'
import { forAllTests, harnessWith, httpOf } from '../support/each.ts'
import { databases } from '../support/harness.ts'

const [database] = databases
const get = 'GET /v1/items HTTP/1.1\r\n'
const post = 'POST /v1/products HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'

describe('bytes that are not HTTP', () => {
  const harness = forAllTests(harnessWith(database!))
  const noted: LogEntry[] = []
  const http = forAllTests(
    httpOf(harness, {
      headersTimeoutMs: 200,
      requestTimeoutMs: 400,
      note: (entry) => noted.push(entry),
    }),
  )

  test.each<[string, string, number]>([
    ['something other than HTTP', 'hello\r\n\r\n', 400],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['an unknown method', 'STEAL /v1/items HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a method in lower case', 'get /v1/items HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['an unknown version', 'GET /v1/items HTTP/9.9\r\nHost: a\r\n\r\n', 400],
    ['no version', 'GET /v1/items\r\nHost: a\r\n\r\n', 400],
    ['a space in the path', 'GET /v1/items and more HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['no Host', `${get}\r\n`, 400],
    ['two Hosts', `${get}Host: a\r\nHost: b\r\n\r\n`, 400],
    ['an invalid Host', `${get}Host: a/b?c\r\n\r\n`, 400],
    ['an invalid Host for /healthz', 'GET /healthz HTTP/1.1\r\nHost: a/b?c\r\n\r\n', 400],
    ['a bare LF after the request line', 'GET /v1/items HTTP/1.1\nHost: a\r\n\r\n', 400],
    ['a bare LF after a header', `${get}Host: a\nX: b\r\n\r\n`, 400],
    ['a bare CR in a header', `${get}Host: a\rX: b\r\n\r\n`, 400],
    ['U+0000 in a header', `${get}Host: a\r\nX: \0\r\n\r\n`, 400],
    ['a space before the colon', `${get}Host: a\r\nX-API-Key : b\r\n\r\n`, 400],
    ['a header without a colon', `${get}Host: a\r\nnonsense\r\n\r\n`, 400],
    ['a folded header', `${get}Host: a\r\nX: a\r\n b\r\n\r\n`, 400],
    ['a name with a bracket', `${get}Host: a\r\nX[1]: a\r\n\r\n`, 400],
    [
      'Content-Length and Transfer-Encoding',
      `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['two Content-Lengths', `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
    ['a negative length', `${post}Content-Length: -1\r\n\r\n`, 400],
    ['a length that is not a number', `${post}Content-Length: two\r\n\r\n{}`, 400],
    ['a length beyond any number', `${post}Content-Length: 99999999999999999999\r\n\r\n{}`, 400],
    ['chunked twice', `${post}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`, 400],
    ['a header of 20 KB', `${get}Host: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['2,000 headers', `${get}Host: a\r\n${'X: aaaaaaaaaa\r\n'.repeat(2000)}\r\n`, 431],
    ['a path of 20 KB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    ['headers that never end', `${get}Host: a\r\n`, 408],
    ['a request line that never ends', 'GET /v1/', 408],
  ])('get an Error body and the end of the connection: %s', async (_, bytes, status) => {
    expectError(await http.raw(Buffer.from(bytes, 'latin1')), status)
  })

  test.each<[string, string]>([
    ['a chunk size that is not a number', 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a chunk longer than its size', '1\r\n{}\r\n0\r\n\r\n'],
    ['a chunk size beyond any number', 'ffffffffffffffffff\r\n{}\r\n'],
    ['a bare LF between chunks', '2\n{}\n0\n\n'],
  ])('get the same in a body: %s', async (_, chunks) => {
    const head = `${post}X-API-Key: ${harness.key}\r\nIdempotency-Key: k\r\nTransfer-Encoding: chunked\r\n\r\n`
    expectError(await http.raw(head + chunks), 400)
  })

  test('get the same if a body stops halfway, after the time for requests', async () => {
    const head = `${post}X-API-Key: ${harness.key}\r\nIdempotency-Key: k\r\nContent-Length: 100\r\n\r\n{"name"`
    expectError(await http.raw(head), 408)
  })

  test('get the same if a header comes byte by byte, after the time for headers', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(http.port, '127.0.0.1')
      const drip = setInterval(() => socket.writable && socket.write('a'), 20)
      let text = ''
      socket.on('data', (chunk) => (text += chunk))
      socket.on('error', reject)
      socket.on('close', () => {
        clearInterval(drip)
        resolve(text)
      })
      socket.write(`${get}Host: a\r\nX: `)
    })
    expectError(answer, 408)
  })

  test('include CONNECT and an upgrade to another protocol, which are not followed', async () => {
    const answer = await http.raw('CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n')
    expectError(answer, 400)
    expect(answer).toContain('must not be CONNECT: this service is not a proxy')
    const upgrade = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n'
    expect(await http.raw(`${get}Host: a\r\n${upgrade}\r\n`)).toMatch(/^HTTP\/1\.1 401 /)
  })

  test('are each logged as an unknown operation under the id of the answer', async () => {
    noted.length = 0
    const answers = [await http.raw('hello\r\n\r\n'), await http.raw(`${get}Connection: close\r\n\r\n`)]
    const ids = answers.map((answer) => /x-request-id: (\w+)/i.exec(answer)?.[1])
    expect(noted).toMatchObject([
      { request_id: ids[0], operation: 'unknown', status: 400 },
      { request_id: ids[1], operation: 'listItems', status: 400 },
    ])
  })

  test.each([
    ['a body of two lengths', `${post}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['an invalid Host', `${get}Host: a/b?c\r\n\r\n`],
  ])('never carry out a second request hidden behind one that was rejected for %s', async (_, rejected) => {
    const hidden = `POST /v1/products HTTP/1.1\r\nHost: a\r\nX-API-Key: ${harness.key}\r\nIdempotency-Key: h\r\nContent-Length: 2\r\n\r\n{}`
    const answers = await http.raw(rejected + hidden)
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
  })
})

function expectError(answer: string, status: number): void {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head.split(' ')[1]).toBe(String(status))
  expect(head.toLowerCase()).toContain('content-type: application/json')
  expect(head.toLowerCase()).toContain('x-content-type-options: nosniff')
  expect(head).toMatch(/x-request-id: [0-9a-f]{32}/i)
  expect(JSON.parse(body)).toMatchObject({ code: 'validation_error', message: expect.any(String) })
}
