import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createClient, everyResult } from '../../src/client/library.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'
import { type HttpHarness, startHttp } from '../support/http.ts'

const columns = 'sku,name,length,width,height,dimension_unit,weight,weight_unit'
const sleeves = {
  name: 'Sleeves',
  sku: 'SLEEVES',
  dimensions: { length: 1, width: 1, height: 1, unit: 'in' as const },
  weight: { value: 1, unit: 'oz' as const },
}

describe('custody/client talks to a service by fetch', () => {
  let harness: Harness
  let http: HttpHarness
  let client: Client

  beforeAll(async () => {
    harness = await startHarness(databases[0]!)
    http = await startHttp(harness)
    client = createClient({ baseUrl: `${http.origin}/`, apiKey: harness.key })
  })
  afterAll(async () => {
    await http.close()
    await harness.close()
  })

  test('catalog by CSV, every page of it, a manifest, its receipt and the events', async () => {
    const rows = Array.from({ length: 260 }, (_, n) => `S-${n},Box ${n},1,1,1,in,1,oz`)
    const { data: created } = await client.importProductsCsv({
      form: { file: new TextEncoder().encode(`${columns}\n${rows.join('\n')}\n`) },
    })
    expect(created.totals).toEqual({ submitted: 260, created: 260, failed: 0 })
    const skus = new Set<string>()
    for await (const { sku } of everyResult((page) => client.listProducts({ query: page }))) skus.add(sku)
    expect(skus.size).toBe(260)
    const lines = [{ description: 'Box 1', sku: 'S-1', quantity: 2 }]
    const { data: manifest } = await client.submitManifest({ body: { reference: 'Ünïcode 1', lines } })
    const params = { manifest_id: manifest.id }
    await client.receiveManifest({ params, body: { outcome: 'complete' } })
    const { data: events } = await client.listEvents({ query: { type: 'item.intake.completed' } })
    expect(events.results.map(({ type }) => type)).toEqual(Array(2).fill('item.intake.completed'))
  })

  test('the same key does nothing twice, and an answer that is no success is thrown with its code', async () => {
    const order = { idempotencyKey: 'once', body: sleeves }
    const [first, second] = [await client.createProduct(order), await client.createProduct(order)]
    expect(second.text).toBe(first.text)
    await expect(client.createProduct({ body: order.body })).rejects.toMatchObject({
      name: 'ServiceError',
      status: 409,
      code: 'state_conflict',
    })
    await expect(client.getItem({ params: { qid: '?/ü' } })).rejects.toMatchObject({ status: 404 })
  })

  test('a wrong key is refused, and an address that is none is refused at once', async () => {
    const stranger = createClient({ baseUrl: http.origin, apiKey: 'wrong' })
    await expect(stranger.listItems({})).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' })
    expect(() => createClient({ baseUrl: 'ftp://u:secret@x', apiKey: 'k' })).toThrow(
      'baseUrl: "ftp://[hidden]@x" does not begin with https:// or http://',
    )
  })
})

describe('custody/client where no service answers', () => {
  test('a redirect is not followed, what passes is tried again, a signal ends a call', async () => {
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
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
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

  test('one try where no more is wanted: nothing was done', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await new Promise((resolve) => server.close(resolve))
    const once = createClient({ baseUrl, apiKey: 'k', maxWaitMs: 0 })
    await expect(once.listItems({})).rejects.toMatchObject({
      name: 'NetworkError',
      fault: 'unreachable',
      isInDoubt: false,
    })
  })
})
