import { createServer, type RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { Agent, fetch as undiciFetch } from 'undici'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, createClient, type Request, verifyWebhook } from '../../src/client/library.ts'
import { signedHeaders } from '../../src/domain/webhooks/webhook-signature.ts'
import { box } from '../support/box.ts'
import { forAllTests, harnessWith, httpOf } from '../support/each.ts'
import { listening } from '../support/free-port.ts'
import { databases } from '../support/harness.ts'

const columns = 'sku,name,length,width,height,dimension_unit,weight,weight_unit'
const sleeves = { ...box('SLEEVES'), name: 'Sleeves' }

describe('custody/client talks to a service by fetch', () => {
  const harness = forAllTests(harnessWith(databases[0]!))
  let client: Client

  const http = forAllTests(httpOf(harness))
  beforeAll(async () => {
    client = createClient({ baseUrl: `${http.origin}/`, apiKey: harness.key })
  })

  test('a catalog by CSV, every page of it, a manifest, its receipt, and the events work', async () => {
    const rows = Array.from({ length: 260 }, (_, n) => `S-${n},Box ${n},1,1,1,in,1,oz`)
    const { data: created } = await client.importProductsCsv({
      form: { file: new TextEncoder().encode(`${columns}\n${rows.join('\n')}\n`) },
    })
    expect(created.totals).toEqual({ submitted: 260, created: 260, failed: 0 })
    const skus = new Set<string>()
    for await (const { sku } of client.listProducts.all()) skus.add(sku)
    expect(skus.size).toBe(260)
    const inTens = client.listProducts.all({ query: { page_size: 10, page: 26 } })
    expect(await Array.fromAsync(inTens)).toHaveLength(10)
    expect((await client.listProducts()).data.total).toBe(260)
    const lines = [{ description: 'Box 1', sku: 'S-1', quantity: 2 }]
    const { data: manifest } = await client.submitManifest({ body: { reference: 'Ünïcode 1', lines } })
    const params = { manifest_id: manifest.id }
    await client.receiveManifest({ params, body: { outcome: 'complete' } })
    const { data: events } = await client.listEvents({ query: { type: 'item.intake.completed' } })
    expect(events.results.map(({ type }) => type)).toEqual(Array(2).fill('item.intake.completed'))
    const all = await Array.fromAsync(client.listEvents.all({ query: { page_size: 1 } }))
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(all.filter(({ type }) => type === 'item.intake.completed')).toEqual(events.results)
  })

  test('a file may be text, a Blob, or bytes', async () => {
    const csv = (name: string): string => `${columns}\n${name},Box,1,1,1,in,1,oz\n`
    const files = [csv('ä-1'), new Blob([csv('ä-2')]), new TextEncoder().encode(csv('ä-3'))]
    for (const file of files)
      expect((await client.importProductsCsv({ form: { file } })).data.totals.created).toBe(1)
    for (const sku of ['ä-1', 'ä-2', 'ä-3'])
      expect((await client.listProducts({ query: { sku } })).data.total).toBe(1)
  })

  test("the fetch of a client may be undici's, with an agent of its own", async () => {
    const dispatcher = new Agent()
    const options = { baseUrl: http.origin, apiKey: harness.key }
    const plain = createClient({ ...options, fetch: undiciFetch })
    const own = createClient({ ...options, fetch: (url, init) => undiciFetch(url, { ...init, dispatcher }) })
    const file = `${columns}\nUNDICI,Box,1,1,1,in,1,oz`
    expect((await own.importProductsCsv({ form: { file } })).data.totals.created).toBe(1)
    expect((await plain.listProducts({ query: { sku: 'UNDICI' } })).data.total).toBe(1)
    await dispatcher.close()
  })

  test('an option that is undefined has its default', async () => {
    const unset = { maxWaitMs: undefined, onRetry: undefined, userAgent: undefined, fetch: undefined }
    const usual = createClient({ baseUrl: http.origin, apiKey: harness.key, ...unset })
    expect((await usual.listItems()).status).toBe(200)
  })

  test('a body without a required field can be left out', async () => {
    const body = { url: 'https://hooks.partner.example/', event_types: ['transfer.requested' as const] }
    const { id: subscription_id, secret } = (await client.createSubscription({ body })).data
    const rotated = await client.rotateSubscriptionSecret({ params: { subscription_id } })
    expect(rotated.data.secret).not.toBe(secret)
  })

  test('an order names its items in one way only', () => {
    const shipping_address = { recipient_name: '', street: '', city: '', state: '', zip: '', country: '' }
    const order: Request<'createFulfillment'>['body'] = { sku: 'A', quantity: 1, shipping_address }
    // @ts-expect-error: `qids` and `sku` exclude each other
    const both: Request<'createFulfillment'>['body'] = { ...order, sku: 'A', qids: ['Q-1'] }
    // @ts-expect-error: one of them is needed
    const neither: Request<'createFulfillment'>['body'] = { shipping_address }
    // @ts-expect-error: so do `qid` and `sku` of a line
    const line: Request<'createFulfillment'>['body'] = { shipping_address, lines: [{ qid: 'Q-1', sku: 'A' }] }
    expect([order, both, neither, line]).toHaveLength(4)
  })

  test('a repeated key does nothing twice; an error answer is thrown with its code', async () => {
    const order = { idempotencyKey: 'once', body: sleeves }
    const [first, second] = [await client.createProduct(order), await client.createProduct(order)]
    expect(second.text).toBe(first.text)
    await expect(client.createProduct({ body: order.body })).rejects.toMatchObject({
      name: 'ServiceError',
      status: 409,
      code: 'state_conflict',
    })
    await expect(client.getItem({ params: { qid: '?/ü' } })).rejects.toMatchObject({ status: 404 })
    const misnamed = { params: { id: 'Q-1' } } as never
    await expect(client.getItem(misnamed)).rejects.toThrow('params.qid: give the text of /items/{qid}.')
  })

  test('a key of another request is an error, not the answer to that one', async () => {
    const ofFirst = { idempotencyKey: 'order-1', body: box('FIRST') }
    const { data } = await client.createProduct(ofFirst)
    await expect(client.createProduct({ ...ofFirst, body: box('SECOND') })).rejects.toMatchObject({
      name: 'ServiceError',
      status: 409,
      code: 'state_conflict',
      message: 'The idempotency key was already used for another request; nothing was done.',
      isInDoubt: false,
    })
    expect((await client.createProduct(ofFirst)).data).toEqual(data)
    expect((await client.listProducts({ query: { sku: 'SECOND' } })).data.total).toBe(0)
  })

  test('a wrong key is rejected, and an invalid address at once', async () => {
    const stranger = createClient({ baseUrl: http.origin, apiKey: 'wrong' })
    await expect(stranger.listItems({})).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' })
    expect(() => createClient({ baseUrl: 'ftp://u:s@ecret@x', apiKey: 'k' })).toThrow(
      'baseUrl: "ftp://[hidden]@x" does not begin with https:// or http://',
    )
    // As of an environment variable that is not set.
    expect(() => createClient({ baseUrl: undefined as never, apiKey: 'k' })).toThrow(
      'baseUrl: "" is not an address',
    )
  })
})

describe('verifyWebhook', () => {
  const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
  const other = `whsec_${Buffer.from('another-secret-of-32-bytes-......').toString('base64')}`
  const event = { id: 'e-1', type: 'item.status.changed', data: { name: 'Pokémon' } }
  const body = JSON.stringify(event)
  const sent = signedHeaders([other, secret], 'e-1', body, Date.now())

  test('returns the event if one of the signatures is made with the secret', async () => {
    expect(await verifyWebhook({ body, headers: sent, secret })).toEqual(event)
    const bytes = new TextEncoder().encode(body)
    const headers = new Headers(sent)
    expect(await verifyWebhook({ body: bytes, headers, secret: ['whsec_AAAA', other] })).toEqual(event)
  })

  test('rejects another secret, another body, an old time, and requests without the headers', async () => {
    const reasonOf = (change: Partial<Parameters<typeof verifyWebhook>[0]>): Promise<unknown> =>
      verifyWebhook({ body, headers: sent, secret, ...change }).catch((error) => error.reason ?? error.name)
    const old = signedHeaders([secret], 'e-1', body, Date.now() - 301_000)
    expect(await reasonOf({ secret: 'whsec_AAAA' })).toBe('signature')
    expect(await reasonOf({ body: `${body} ` })).toBe('signature')
    expect(await reasonOf({ headers: { ...sent, 'webhook-id': 'e-2' } })).toBe('signature')
    expect(await reasonOf({ headers: { ...sent, 'webhook-signature': 'v1a,x v1,%%' } })).toBe('signature')
    expect(await reasonOf({ headers: old })).toBe('timestamp')
    expect(await reasonOf({ headers: old, toleranceSeconds: 400 })).toEqual(event)
    expect(await reasonOf({ headers: {} })).toBe('headers')
    expect(await reasonOf({ secret: 'not base64!' })).toBe('TypeError')
  })

  test('names a body that was parsed already, an empty list of secrets, and a secret that is not set', async () => {
    await expect(verifyWebhook({ body: event as never, headers: sent, secret })).rejects.toThrow(
      'body: give the text or bytes of the request, as they were before anything parsed them.',
    )
    await expect(verifyWebhook({ body, headers: sent, secret: [] })).rejects.toThrow(
      new TypeError('secret: give at least one.'),
    )
    for (const unset of [undefined, [undefined], [null]])
      await expect(verifyWebhook({ body, headers: sent, secret: unset as never })).rejects.toThrow(
        new TypeError('The secret must be base64, with or without the prefix whsec_.'),
      )
  })
})

const gzipped = gzipSync(JSON.stringify({ total: 1, by_status: {}, words: 'abcdefghijkl'.repeat(5) }))
const product = { product_id: 'p-1', sku: 'A', dimensions: sleeves.dimensions, weight: sleeves.weight }

describe('custody/client without a service', () => {
  test('is not in doubt about requests never sent: a port that fetch blocks, a key that HTTP cannot carry', async () => {
    const blocked = createClient({ baseUrl: 'http://127.0.0.1:6000', apiKey: 'k' })
    await expect(blocked.createProduct({ body: sleeves })).rejects.toMatchObject({
      fault: 'unsendable',
      isInDoubt: false,
      message: expect.stringContaining('Port 6000'),
    })
    const unsendable = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'secret\nkey' })
    const error = await unsendable.createProduct({ body: sleeves }).catch((reason) => reason)
    expect([error.fault, error.isInDoubt]).toEqual(['unsendable', false])
    expect(error.message).not.toContain('secret')
  })

  test('a list whose pages lead in a circle throws', async () => {
    let asked = 0
    const page = { results: [product], next_page_number: 2, current_page_number: 2 }
    const log = { results: [{ id: 'e-1', data: {} }], has_more: true, next_starting_after: 'e-1' }
    const client = createClient({
      baseUrl: 'https://custody.test',
      transport: async ({ operation }) => {
        asked += 1
        return { status: 200, headers: {}, body: JSON.stringify(operation === 'listEvents' ? log : page) }
      },
    })
    const all: AsyncIterable<unknown>[] = [client.listProducts.all(), client.listEvents.all()]
    for (const list of all) await expect(Array.fromAsync(list)).rejects.toThrow('The list does not end')
    expect(asked).toBeLessThan(25)
  })

  test.each([
    [
      'cut off',
      gzipped.subarray(0, 30),
      { fault: 'broken', message: expect.stringContaining('ends too early') },
    ],
    [
      'damaged',
      Buffer.concat([gzipped.subarray(0, 12), Buffer.from('x'.repeat(9))]),
      { fault: 'broken', message: expect.stringContaining('damaged compression (Z_') },
    ],
  ])('a compressed answer that is %s is named as that', async (_, bytes, error) => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bytes)
    })
    const port = await listening(server)
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'k', maxWaitMs: 0 })
    await expect(client.getItemSummary()).rejects.toMatchObject(error)
    server.close()
  })

  test('a list is given up if every page is the first one', async () => {
    let asked = 0
    const page = { results: [product], next_page_number: 2, current_page_number: 1 }
    const client = createClient({
      baseUrl: 'https://custody.test',
      transport: async () => {
        asked += 1
        return { status: 200, headers: {}, body: JSON.stringify(page) }
      },
    })
    await expect(Array.fromAsync(client.listProducts.all())).rejects.toMatchObject({
      fault: 'foreign',
      message: expect.stringContaining('does not end'),
    })
    expect(asked).toBeLessThan(13)
  })

  test('follows no redirect, retries passing faults, and ends a call by a signal', async () => {
    const asked: string[] = []
    const answers: RequestListener[] = [
      (_, response) => response.writeHead(503, { 'retry-after': '0' }).end(),
      (_, response) => response.writeHead(307, { location: '/elsewhere' }).end(),
    ]
    const stop = new AbortController()
    const server = createServer((request, response) => {
      asked.push(`${request.headers['user-agent']} ${request.url}`)
      const answer = answers.shift()
      if (answer) answer(request, response)
      else stop.abort('enough')
    })
    const origin = `http://127.0.0.1:${await listening(server)}`
    const retried: unknown[] = []
    const client = createClient({
      baseUrl: `${origin}/proxy/v1`,
      apiKey: 'k',
      userAgent: 'shop/1',
      onRetry: ({ status }) => retried.push(status),
    })
    await expect(client.listItems({})).rejects.toMatchObject({ fault: 'foreign' })
    await expect(client.listItems({ signal: stop.signal })).rejects.toBe('enough')
    expect([asked, retried]).toEqual([Array(3).fill('shop/1 /proxy/v1/items'), [503]])
    server.closeAllConnections()
    server.close()
  })

  test('makes one attempt on request and reports that nothing was done', async () => {
    const server = createServer()
    const baseUrl = `http://127.0.0.1:${await listening(server)}`
    await new Promise((resolve) => server.close(resolve))
    const once = createClient({ baseUrl, apiKey: 'k', maxWaitMs: 0 })
    await expect(once.listItems({})).rejects.toMatchObject({
      name: 'NetworkError',
      fault: 'unreachable',
      isInDoubt: false,
    })
  })
})
