import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { forAllTests, harnessWith, httpOf } from '../support/each.ts'
import { databases, startHarness } from '../support/harness.ts'
import { type Response, startHttp } from '../support/http.ts'

const decoders: Record<string, (bytes: Buffer) => Buffer> = { gzip: gunzipSync, zstd: zstdDecompressSync }
const header = 'name,sku,length,width,height,dimension_unit,weight,weight_unit'
const rows = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => `Elite Trainer Box – Évolutions ${n},${prefix}-${n},1,1,1,in,1,oz`)
const form = (lines: readonly string[]) =>
  `--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n${[header, ...lines].join('\n')}\r\n--b--\r\n`

describe('compressed answers', () => {
  const harness = forAllTests(harnessWith(databases[0]!))
  const http = forAllTests(httpOf(harness))
  beforeAll(async () => {
    await upload('first', rows('A', 60))
  })
  const keyed = (...more: string[]) => ['X-API-Key', harness.key, ...more]
  const upload = (key: string, lines: readonly string[], ...more: string[]) =>
    http.send({
      method: 'POST',
      path: '/v1/products/csv',
      headers: keyed('Idempotency-Key', key, 'Content-Type', 'multipart/form-data; boundary=b', ...more),
      body: form(lines),
    })
  const decoded = ({ headers, bytes }: Response) =>
    (decoders[String(headers['content-encoding'])] ?? ((plain) => plain))(bytes).toString()

  test.each([
    ['gzip', 'gzip'],
    ['zstd', 'zstd'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip;q=1.0, zstd;q=0.9', 'gzip'],
    ['GZip ; Q=0.001', 'gzip'],
    ['x-gzip', 'gzip'],
    ['*', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0, *', 'gzip'],
    ['*;q=0, zstd', 'zstd'],
    ['*;q=0, identity', undefined],
    ['gzip;q=0, *', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['br', undefined],
    [', ,', undefined],
    ['', undefined],
  ])('Accept-Encoding %j: %s', async (sent, coding) => {
    const path = '/v1/products?page_size=50'
    const plain = await http.send({ path, headers: keyed() })
    const answer = await http.send({ path, headers: keyed('Accept-Encoding', sent) })
    expect([answer.status, answer.headers['content-encoding'], answer.headers.vary]).toEqual([
      200,
      coding,
      'Accept-Encoding',
    ])
    expect([decoded(answer), answer.headers.etag]).toEqual([plain.text, plain.headers.etag])
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
    if (coding) expect(answer.bytes.length / plain.bytes.length).toBeLessThan(0.2)
  })

  test('are a 406 before anything is done if the client accepts no coding', async () => {
    const none = ['Accept-Encoding', 'identity;q=0, gzip;q=0, zstd;q=0']
    const answers = [
      await http.send({ path: '/v1/products', headers: keyed(...none) }),
      ...(await Promise.all(
        ['*;q=0', 'identity;q=0', 'identity;q=0, gzip;q=0', 'deflate, identity;q=0'].map((sent) =>
          http.send({ path: '/v1/products', headers: keyed('Accept-Encoding', sent) }),
        ),
      )),
      await http.send({ path: '/v1/openapi.json', headers: none }),
      await upload('none', rows('N', 1), ...none),
    ]
    for (const { status, text, headers } of answers)
      expect([status, headers.vary, JSON.parse(text).extra.fields]).toEqual([
        406,
        'Accept-Encoding',
        { 'Accept-Encoding': ['excludes every encoding of this response'] },
      ])
    const { paths } = JSON.parse((await http.send({ path: '/v1/openapi.json' })).text)
    const operations = Object.values<Record<string, { responses?: object }>>(paths).flatMap(Object.values)
    const told = operations.filter(({ responses }) => responses !== undefined)
    expect(told.every(({ responses = {} }) => '406' in responses)).toBe(true)
    expect(told.length).toBeGreaterThan(40)
    expect((await harness.client.listProducts({ query: { sku: 'N-0' } })).data.total).toBe(0)
  })

  test('are compressed even if short if the client rejects plain ones', async () => {
    const answer = await http.send({
      path: '/v1/products?sku=none',
      headers: keyed('Accept-Encoding', 'identity;q=0, gzip'),
    })
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, 'gzip'])
    expect(JSON.parse(decoded(answer)).total).toBe(0)
  })

  test.each(['gzip;q=2', 'gzip;q=', 'gzip;level=9', 'gzip;;', 'gz ip', '"gzip"', '@,gzip', ';q=1'])(
    'are rejected by name, before anything is done, for Accept-Encoding %j',
    async (sent) => {
      const wrong = { 'Accept-Encoding': ['must be a list of codings, such as gzip;q=0.5'] }
      const read = await http.send({ path: '/v1/products', headers: keyed('Accept-Encoding', sent) })
      const open = await http.send({ path: '/v1/openapi.json', headers: ['Accept-Encoding', sent] })
      const written = await upload(`never ${sent}`, rows('N', 1), 'Accept-Encoding', sent)
      for (const { status, text } of [read, open, written])
        expect([status, JSON.parse(text).extra.fields]).toEqual([400, wrong])
      const { data } = await harness.client.listProducts({ query: { sku: 'N-0' } })
      expect(data.total).toBe(0)
    },
  )

  test.each(['gzip', 'zstd'])('include errors above 1 KiB, by %s', async (coding) => {
    const unknown = Array.from({ length: 40 }, (_, n) => `unknown_${n}=1`).join('&')
    const manifest = [
      '--b\r\nContent-Disposition: form-data; name="reference"\r\n\r\nPO-1\r\n',
      '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n',
      `description,quantity\n${',0\n'.repeat(3000)}\r\n--b--\r\n`,
    ].join('')
    const type = ['Content-Type', 'multipart/form-data; boundary=b']
    const rejected = [
      { path: `/v1/items?${unknown}`, headers: keyed() },
      { path: `/v1/openapi.json?${unknown}` },
      {
        path: `/v1/products/csv?${unknown}`,
        method: 'POST',
        headers: keyed('Idempotency-Key', 'e', ...type),
      },
      {
        path: '/v1/manifests/csv',
        method: 'POST',
        headers: keyed('Idempotency-Key', 'm', ...type),
        body: manifest,
      },
    ]
    for (const { headers = [], ...request } of rejected) {
      const plain = await http.send({ ...request, headers })
      const answer = await http.send({ ...request, headers: [...headers, 'Accept-Encoding', coding] })
      expect([answer.status, answer.headers['content-encoding'], answer.headers.vary]).toEqual([
        400,
        coding,
        'Accept-Encoding',
      ])
      expect(plain.bytes.length).toBeGreaterThan(1024)
      expect(decoded(answer)).toBe(plain.text)
      expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 3)
    }
  })

  test.each(['gzip', 'zstd'])('are compressed by %s while they are sent, if long', async (coding) => {
    const answer = await upload(coding, rows(coding, 2000), 'Accept-Encoding', coding)
    expect([answer.status, answer.headers['content-encoding'], answer.headers['content-length']]).toEqual([
      200,
      coding,
      undefined,
    ])
    const replayed = await upload(coding, rows(coding, 2000))
    expect(replayed.bytes.length).toBeGreaterThan(256 * 1024)
    expect(decoded(answer)).toBe(replayed.text)
  })

  test('are not sent to HTTP/1.0', async () => {
    const body = form(rows('gzip', 2000))
    const head = [
      'POST /v1/products/csv HTTP/1.0',
      ...[`X-API-Key: ${harness.key}`, 'Idempotency-Key: gzip', 'Accept-Encoding: gzip'],
      ...['Content-Type: multipart/form-data; boundary=b', `Content-Length: ${Buffer.byteLength(body)}`],
    ]
    const answer = await http.raw(`${head.join('\r\n')}\r\n\r\n${body}`)
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).not.toMatch(/content-encoding|transfer-encoding/i)
    expect(answer.endsWith('}}')).toBe(true)
  })

  test('never include short ones, secrets, or anything if switched off', async () => {
    const short = await http.send({ path: '/v1/items', headers: keyed('Accept-Encoding', 'gzip') })
    expect(short.headers['content-encoding']).toBeUndefined()
    const url = `https://1.1.1.1/${'hook'.repeat(400)}`
    const secret = await http.send({
      method: 'POST',
      path: '/v1/webhook-subscriptions',
      headers: keyed('Idempotency-Key', 's', 'Accept-Encoding', 'gzip', 'Content-Type', 'application/json'),
      body: JSON.stringify({ url, event_types: ['item.intake.completed'] }),
    })
    expect([secret.status, secret.headers['content-encoding'], secret.headers.vary]).toEqual([
      201,
      undefined,
      undefined,
    ])
    expect(secret.bytes.length).toBeGreaterThan(1024)
    const off = await startHarness(databases[0]!, { service: { compresses: false } })
    const served = await startHttp(off)
    const document = await served.send({ path: '/v1/openapi.json', headers: ['Accept-Encoding', 'gzip'] })
    expect([document.status, document.headers['content-encoding']]).toEqual([200, undefined])
    await served.close()
    await off.close()
  })

  test('include the interface document', async () => {
    const plain = await http.send({ path: '/v1/openapi.json' })
    for (const coding of ['gzip', 'zstd']) {
      const answer = await http.send({ path: '/v1/openapi.json', headers: ['Accept-Encoding', coding] })
      expect([answer.headers['content-encoding'], decoded(answer) === plain.text]).toEqual([coding, true])
    }
    const condition = ['If-None-Match', String(plain.headers.etag)]
    expect((await http.send({ path: '/v1/openapi.json', headers: condition })).status).toBe(304)
  })
})
