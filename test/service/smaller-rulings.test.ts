import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperationId } from '../../src/contract/operations.ts'
import { createMemoryLimiter, limitHeaders } from '../../src/service/limits/limiter.ts'
import { box } from '../support/box.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'
import { type HttpHarness, startHttp } from '../support/http.ts'

const hook = { url: 'https://hooks.northgate.example/v1', event_types: ['transfer.declined'] }
const manifest = { reference: 'PO', lines: [{ description: 'x' }] }
const manifestOfLine = (line: object) => ({ ...manifest, lines: [{ description: 'x', ...line }] })
const urlOf = (length: number) => 'https://a.example/'.padEnd(length, 'x')

const badTimes = [
  '2027-05-01T23:59:60Z',
  '2027-05-01T24:00:00Z',
  '2027-05-01t10:00:00Z',
  '2027-05-01T10:00:00z',
  '2027-05-01T10:00Z',
  '2027-05-01T10Z',
  '2027-05-01T10:00:00',
]

/** The operation, its input, and the rejected field. */
const rejected: Array<[OperationId, object, string]> = [
  ...badTimes.map((to): [OperationId, object, string] => ['advanceClock', { to }, 'to']),
  ...['', ' ', '\u00a0\u3000', '\t\n'].flatMap(
    (blank): Array<[OperationId, object, string]> => [
      ['createProduct', { ...box('B'), name: blank }, 'name'],
      ['createProduct', box(blank), 'sku'],
      ['submitManifest', { ...manifest, reference: blank }, 'reference'],
      ['submitManifest', manifestOfLine({ description: blank }), 'lines[0].description'],
    ],
  ),
  ['submitManifest', manifestOfLine({ quantity: 1_000_001 }), 'lines[0].quantity'],
  ['createSubscription', { ...hook, url: urlOf(2049) }, 'url'],
]

describe('the smaller rulings (decisions 12)', () => {
  let harness: Harness
  let http: HttpHarness
  beforeAll(async () => {
    const limiter = createMemoryLimiter({ rate_per_s: 1000, burst: 1000 })
    harness = await startHarness(databases[0]!, { service: { limiter } })
    http = await startHttp(harness)
  })
  afterAll(async () => {
    await http.close()
    await harness.close()
  })

  let sent = 0
  const ask = async (operation: OperationId, body: unknown, key = '') => {
    sent += 1
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const headers = { 'idempotency-key': key || `k${sent}` }
    const reply = await harness.call({ operation, headers, body: async () => ({ kind: 'json', text }) })
    return {
      status: reply.status,
      answer: JSON.parse(reply.body),
      isOther: reply.headers['idempotency-mismatch'] === 'true',
    }
  }

  test.each(rejected)('%s of %j is rejected: %s', async (operation, body, field) => {
    const { status, answer } = await ask(operation, body)
    expect([status, Object.keys(answer.extra.fields)]).toEqual([400, [field]])
  })

  test.each([urlOf(2048), 'https://hooks.northgate.example/v1#part', 'https://hooks.northgate.example./v1'])(
    'a subscription keeps %s',
    async (url) => {
      const { status, answer } = await ask('createSubscription', { ...hook, url })
      expect([status, answer.url]).toEqual([201, url])
    },
  )

  test('a quantity of 1,000,000 is accepted', async () => {
    expect((await ask('submitManifest', manifestOfLine({ quantity: 1_000_000 }))).status).toBe(201)
  })

  test('SKUs compare byte for byte', async () => {
    for (const sku of ['caf\u00e9', 'cafe\u0301', 'CAF\u00c9', 'cafe'])
      expect((await ask('createProduct', box(sku))).status).toBe(201)
    expect((await ask('createProduct', box('cafe\u0301'))).status).toBe(409)
    expect((await ask('submitManifest', manifestOfLine({ sku: 'Cafe' }))).status).toBe(400)
  })

  test('a JSON body is identified by its bytes: one more space makes another request', async () => {
    const text = JSON.stringify(box('ONCE'))
    const first = await ask('createProduct', text, 'same')
    expect(await ask('createProduct', text, 'same')).toEqual(first)
    expect(await ask('createProduct', `${text} `, 'same')).toEqual({ ...first, isOther: true })
  })

  test('an advance with status and stage emits the status event first, without the stage', async () => {
    const items = [{ type: 'graded_slab' as const, name: 'A', grader: 'PSA', grade: '9', cert_number: '1' }]
    const qid = (await harness.client.createIntakes({ body: { items } })).data.intakes[0]?.qid ?? ''
    await harness.client.advanceItem({ params: { qid }, body: { to_status: 'available' } })
    const shipping_address = {
      ...{ recipient_name: 'A', street: 'B', city: 'C' },
      ...{ state: 'CA', zip: '90210', country: 'US' },
    }
    const { data } = await harness.client.createFulfillment({ body: { qids: [qid], shipping_address } })
    const params = { fulfillment_id: data.id }
    const body = { to_status: 'processing' as const, to_stage: 'packed' as const }
    const before = (await harness.events()).length
    const moved = (await harness.client.advanceFulfillment({ params, body })).data
    const [event] = (await harness.events()).slice(before)
    expect([moved.processing_stage, event]).toMatchObject([
      'packed',
      {
        type: 'fulfillment.status.changed',
        data: { id: data.id, status: 'processing', processing_stage: null },
      },
    ])
  })

  test.each([
    ['an answer', '/v1/products', true, 200, true],
    ['an error', '/v1/products?page=x', true, 400, true],
    ['an unknown path', '/v1/items/Q-0000-0000-0000', true, 404, true],
    ['a request without a key', '/v1/products', false, 401, false],
    ['the document', '/v1/openapi.json', true, 200, false],
  ])('RateLimit headers of %s: %s', async (_, path, hasKey, status, isLimited) => {
    const reply = await http.send({ path, headers: hasKey ? ['x-api-key', harness.key] : [] })
    const { ratelimit, 'ratelimit-policy': policy } = reply.headers
    expect([reply.status, ratelimit !== undefined, policy !== undefined]).toEqual([
      status,
      isLimited,
      isLimited,
    ])
  })

  test.each([
    [25, 50, 2],
    [7, 10, 2],
    [0.3, 1, 4],
  ])('RateLimit-Policy of %d a second with a burst of %d promises no more', (rate_per_s, burst, seconds) => {
    const verdict = createMemoryLimiter({ rate_per_s, burst }).take('key', 0)
    expect(limitHeaders(verdict)['ratelimit-policy']).toBe(`"key";q=${burst};w=${seconds}`)
  })
})
