import { describe, expect, test, vi } from 'vitest'
import { type OperationId, operation, operations, pathOf } from '../../src/contract/operations.ts'
import type { LogEntry } from '../../src/service/context.ts'
import { box } from '../support/box.ts'
import { forEachTest, harnessWith, httpOf } from '../support/each.ts'
import { databases } from '../support/harness.ts'
import { startHttp } from '../support/http.ts'

const [database] = databases

describe('requests over HTTP (parts 4, 5 and 7, decisions 3)', () => {
  const harness = forEachTest(harnessWith(database!))
  const http = forEachTest(httpOf(harness))

  const keyed = (...more: string[]) => ['X-API-Key', harness.key, ...more]
  const posted = (...more: string[]) => keyed('Idempotency-Key', 'k', ...more)
  const expectUnknown = async (path: string) => {
    expect((await http.send({ path })).status).toBe(401)
    const { status, text } = await http.send({ path, headers: keyed() })
    expect(status).toBe(404)
    expect(JSON.parse(text)).toEqual({ code: 'not_found', message: 'No such resource.', extra: {} })
  }
  const fieldsOf = (text: string) => JSON.parse(text).extra.fields

  test('name an unknown path if an identifier is empty: a slash at the end, or two in a row (decisions 12)', async () => {
    for (const id of (Object.keys(operations) as OperationId[]).filter((each) => operation(each).params)) {
      const path = `/v1${pathOf(id, {})}`
      const { status, text } = await http.send({ method: operation(id).method, path, headers: keyed() })
      expect([path, status, JSON.parse(text).code]).toEqual([path, 404, 'not_found'])
    }
    await expectUnknown('/v1/items/')
    await expectUnknown('/v1/products/?page=1')
    await expectUnknown('/v1/manifests/%00/')
  })

  test('always get the security headers and no banner', async () => {
    for (const path of ['/v1/products', '/v1/nothing', '/healthz', '/v1/openapi.json']) {
      const { headers } = await http.send({ path, headers: keyed() })
      expect(headers).toMatchObject({
        'cache-control': headers.etag === undefined ? 'no-store' : 'private, no-cache',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      })
      expect(headers).not.toHaveProperty('server')
      expect(headers).not.toHaveProperty('x-powered-by')
    }
  })

  test('get a minimal 304, because their client has the rest', async () => {
    const { headers } = await http.send({ path: '/v1/products', headers: keyed() })
    const condition = ['If-None-Match', String(headers.etag)]
    const same = await http.send({ path: '/v1/products', headers: keyed(...condition) })
    const its = 'cache-control connection date etag vary x-request-id'
    expect([same.status, Object.keys(same.headers).sort()]).toEqual([304, its.split(' ')])
    expect(same.headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'Accept-Encoding' })
  })

  test('get ok from /healthz without a key, HEAD too', async () => {
    const { status, text, headers } = await http.send({ path: '/healthz' })
    expect({ status, text, type: headers['content-type'] }).toEqual({
      status: 200,
      text: 'ok',
      type: 'text/plain; charset=utf-8',
    })
    expect((await http.send({ method: 'HEAD', path: '/healthz' })).status).toBe(200)
  })

  test.each<[string, () => Promise<never>]>([
    ['is gone', () => Promise.reject(new Error('gone'))],
    ['does not answer', () => new Promise(() => {})],
  ])('get a 503 from /healthz while the database %s', async (_, read) => {
    const noted: LogEntry[] = []
    const options = { healthMs: 20, note: (entry: LogEntry) => noted.push(entry) }
    const sick = await startHttp({ ...harness, db: { ...harness.db, read } }, options)
    const { status, text, headers } = await sick.send({ path: '/healthz' })
    expect(status).toBe(503)
    expect(JSON.parse(text)).toMatchObject({
      code: 'internal_error',
      extra: { request_id: headers['x-request-id'] },
    })
    const request_id = headers['x-request-id']
    expect(noted).toMatchObject([{ request_id, operation: 'healthz', status: 503 }])
    expect(noted[0]?.duration_ms).toBeGreaterThan(0)
    await sick.close()
  })

  test('share one query if they ask /healthz at once', async () => {
    let allHaveAsked = (): void => {}
    const asked = vi.fn(async () => {
      await new Promise<void>((resolve) => (allHaveAsked = resolve))
      return { version: 1 } as never
    })
    const slow = await startHttp({ ...harness, db: { ...harness.db, read: asked } })
    let requests = 0
    slow.server.on('request', () => {
      requests += 1
      if (requests === 3) allHaveAsked()
    })
    const answers = await Promise.all([1, 2, 3].map(() => slow.send({ path: '/healthz' })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(asked).toHaveBeenCalledTimes(1)
    await slow.close()
  })

  test('need one Host for /healthz too', async () => {
    const twoHosts = await http.send({ path: '/healthz', headers: ['Host', 'elsewhere.example'] })
    expect(fieldsOf(twoHosts.text)).toEqual({ Host: ['was sent twice; send it once'] })
    expect(await http.raw('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await http.raw('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('keep their own id if it is valid, and never a key', async () => {
    const idOf = async (path: string, sent: string, ...more: string[]) =>
      (await http.send({ path, headers: ['X-Request-Id', sent, ...more] })).headers['x-request-id']
    for (const path of ['/v1/items', '/v1/nothing', '/healthz', '/v1/openapi.json']) {
      expect(await idOf(path, 'mine-1')).toBe('mine-1')
      expect(await idOf(path, 'mine-2', 'Host', 'a')).toBe('mine-2')
      for (const wrong of [harness.key, `x:${harness.key}`, 'whsec_abc', 'a b', 'a'.repeat(129)]) {
        expect(await idOf(path, wrong)).toMatch(/^[0-9a-f]{32}$/)
      }
    }
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'LOCK'])(
    'by %s to a path that only has GET get a 404 that allows GET',
    async (method) => {
      const { status, headers, text } = await http.send({ method, path: '/v1/items', headers: keyed() })
      expect(status).toBe(404)
      expect(headers.allow).toBe('GET')
      expect(JSON.parse(text)).toEqual({ code: 'not_found', message: 'No such resource.', extra: {} })
    },
  )

  test('are told both methods of a path, and none if it has none', async () => {
    const both = await http.send({ method: 'PUT', path: '/v1/products?x=1', headers: keyed() })
    expect(both.headers.allow).toBe('GET, POST')
    for (const path of ['/v1/products/csv', '/v1/fulfillments/csv?x=1']) {
      const named = await http.send({ path, headers: keyed() })
      expect([named.status, named.headers.allow]).toEqual([404, 'POST'])
    }
    const none = await http.send({ path: '/v1/nothing', headers: keyed() })
    expect(none.headers.allow).toBeUndefined()
    const health = await http.send({ method: 'POST', path: '/healthz', headers: keyed() })
    expect([health.status, health.headers.allow]).toEqual([404, 'GET'])
  })

  test.each([
    '/',
    '/v1',
    '/v1/',
    '/v2/items',
    '/V1/items',
    '/v1/Items',
    '/v1/items/',
    '//v1/items',
    '/v1//items',
    '/v1/items;a=1',
    '/v1/items/%zz',
    '/v1/items/%',
    '/v1/items/%c3%28',
    '/v1/items/..%2f..%2fetc',
    '/v1/%2e%2e/healthz',
    '/v1/products/x/y',
  ])('get a 401 without a key and a 404 with one for GET %s', (path) => expectUnknown(path))

  test('get the same for a path of 8,000 characters, in one part or thousands', async () => {
    await expectUnknown(`/v1/items/${'a'.repeat(8000)}`)
    await expectUnknown(`/v1/${'a/'.repeat(4000)}`)
  })

  test('may have a path in absolute form', async () => {
    const { status } = await http.send({ path: `${http.origin}/v1/products?page=1`, headers: keyed() })
    expect(status).toBe(200)
  })

  test('get a 401 for a second X-API-Key, and a 400 for a second Idempotency-Key, Custody-Repeats, or Host', async () => {
    const twoKeys = await http.send({ path: '/v1/items', headers: keyed('x-api-key', harness.key) })
    expect(twoKeys.status).toBe(401)
    const body = '{}'
    const twice = posted('idempotency-KEY', 'k', 'Content-Type', 'application/json')
    const twoActions = await http.send({ method: 'POST', path: '/v1/products', headers: twice, body })
    expect(fieldsOf(twoActions.text)).toEqual({ 'Idempotency-Key': ['was sent twice; send it once'] })
    const words = posted('Custody-Repeats', 'skip', 'custody-REPEATS', 'skip')
    words.push('Content-Type', 'application/json')
    const twoWords = await http.send({ method: 'POST', path: '/v1/fulfillments', headers: words, body })
    expect(fieldsOf(twoWords.text)).toMatchObject({ 'Custody-Repeats': ['was sent twice; send it once'] })
    const twoHosts = await http.send({ path: '/v1/items', headers: keyed('Host', 'elsewhere.example') })
    expect(twoHosts.status).toBe(400)
    expect(fieldsOf(twoHosts.text)).toEqual({ Host: ['was sent twice; send it once'] })
    expect(twoHosts.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/)
  })

  test('get page links with the Host as sent, or with the configured public address', async () => {
    for (const sku of ['A', 'B']) await harness.client.createProduct({ body: box(sku) })
    const { text } = await http.send({ path: '/v1/products?page_size=1', headers: keyed() })
    expect(JSON.parse(text).next).toBe(`${http.origin}/v1/products?page_size=1&page=2`)
    for (const publicUrl of ['https://custody.example/', 'https://custody.example/v1']) {
      const proxied = await startHttp(harness, { publicUrl })
      const page = await proxied.send({ path: '/v1/products?page_size=1', headers: keyed() })
      expect(JSON.parse(page.text).next).toBe('https://custody.example/v1/products?page_size=1&page=2')
      await proxied.close()
    }
  })

  test('can share one connection, rejected bodies included', async () => {
    const one = `POST /v1/products HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}`
    const last = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    const answers = await http.raw(one.repeat(3) + last)
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual([
      'HTTP/1.1 401',
      'HTTP/1.1 401',
      'HTTP/1.1 401',
      'HTTP/1.1 200',
    ])
  })

  test('are served without HTTP/1.1 too', async () => {
    const answer = await http.raw(`GET /v1/items/summary HTTP/1.0\r\nX-API-Key: ${harness.key}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })
})
