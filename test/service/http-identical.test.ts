import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpTransport } from '../../src/client/http-transport.ts'
import type { Call, CallBody, Reply, Transport } from '../../src/contract/call.ts'
import { type OperationId, operation, operations } from '../../src/contract/operations.ts'
import { baseUrl, databases, type Harness, startHarness } from '../support/harness.ts'
import { type HttpHarness, startHttp } from '../support/http.ts'
import { address } from '../support/orders.ts'

const [database] = databases
const publicUrl = baseUrl.replace(/\/v1$/, '')

/** Headers that HTTP itself, and the adapter for all its answers, add to the service's own. */
const transportHeaders = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'cache-control',
  'content-security-policy',
  'referrer-policy',
  'x-content-type-options',
  'x-frame-options',
  'x-request-id',
])

let near: Harness
let far: Harness
let http: HttpHarness
let embedded: Transport
let overHttp: Transport

beforeAll(async () => {
  near = await startHarness(database!)
  far = await startHarness(database!)
  http = await startHttp(far, { publicUrl, strangers: { rate_per_s: 1, burst: 1000 } })
  embedded = (call) => near.service.handle({ ...call, headers: { 'x-api-key': near.key, ...call.headers } })
  const transport = createHttpTransport({ apiKey: far.key })
  overHttp = (call) => transport({ ...call, baseUrl: `${http.origin}/v1` })
})

afterAll(async () => {
  await http.close()
  await near.close()
  await far.close()
})

/** Identifiers from earlier answers, for later calls. */
type Found = Record<string, string>
type Step = {
  id: OperationId
  status: number
  call?: (found: Found) => Partial<Call>
  keep?: (reply: Reply) => Found
}

const json = (value: unknown): Partial<Call> => ({
  body: async () => ({ kind: 'json', text: JSON.stringify(value) }),
})
const csv = (text: string, fields: Array<[string, string]> = []): Partial<Call> => {
  const body: CallBody = { kind: 'form', fields, files: [{ name: 'file', bytes: Buffer.from(text) }] }
  return { body: async () => body }
}
const keepAs =
  (name: string, path: (body: Record<string, never>) => unknown) =>
  (reply: Reply): Found => ({ [name]: String(path(JSON.parse(reply.body))) })

const box = {
  name: 'Elite Trainer Box – “Évolutions”',
  sku: 'ETB-1',
  dimensions: { height: 7.5, length: 6.6, width: 3.5, unit: 'in' },
  weight: { value: 30, unit: 'oz' },
}
const slab = { type: 'graded_slab', name: 'Charizard', grader: 'PSA', grade: '10', cert_number: '12345678' }

const intakeQid = (at: number) => (body: Record<string, never>) =>
  (body as unknown as { intakes: Array<{ qid: string }> }).intakes[at]?.qid
const on = (id: OperationId, body?: unknown, status?: number): Step => ({
  id,
  call: (found) => ({ params: found, ...(body === undefined ? {} : json(body)) }),
  status: status ?? operation(id).success,
})
const productHeader = 'name,sku,length,width,height,dimension_unit,weight,weight_unit\r\n'
const lines = [
  { description: 'Charizard', grader: 'PSA', cert_number: '12345678' },
  { description: 'Box', sku: 'ETB-1', quantity: 3 },
]

/** Every write at least once with a valid call, so that both transports have something to answer. */
const story: Step[] = [
  { ...on('createProduct', box), keep: keepAs('product_id', (body) => body.product_id) },
  on('createProduct', box, 409),
  {
    ...on('importProductsCsv'),
    call: () => csv(`${productHeader}Tin,TIN-1,1,1,1,in,1,oz\r\nBad,,1,1,1,in,1,oz\r\n`),
  },
  {
    ...on('submitManifest', { reference: 'PO-1', lines }),
    keep: keepAs('manifest_id', (body) => body.id),
  },
  {
    ...on('submitManifestCsv'),
    call: () =>
      csv('description,quantity\r\nPikachu ☂,2\r\nX,0\r\n', [
        ['reference', 'PO-2 ☂'],
        ['source', 'other'],
      ]),
  },
  {
    ...on('createIntakes', { items: [slab, { type: 'product', name: 'Box', sku: 'ETB-1' }] }),
    keep: (reply) => ({
      ...keepAs('slab', intakeQid(0))(reply),
      ...keepAs('qid', intakeQid(1))(reply),
    }),
  },
  on('receiveManifest', { outcome: 'short' }),
  on('closeManifest'),
  on('closeManifest', undefined, 409),
  on('advanceItem', { to_status: 'available' }),
  {
    ...on('requestTransfer'),
    call: ({ qid }) => json({ qids: [qid] }),
    keep: keepAs('transfer_id', (body) => body.id),
  },
  on('cancelTransfer'),
  {
    ...on('requestTransfer'),
    call: ({ qid }) => json({ qids: [qid] }),
    keep: keepAs('transfer_id', (body) => body.id),
  },
  on('resolveTransfer', { to_status: 'declined' }),
  {
    ...on('createFulfillment'),
    call: ({ qid }) => json({ qids: [qid], shipping_address: address }),
    keep: keepAs('fulfillment_id', (body) => body.id),
  },
  on('cancelFulfillment'),
  {
    ...on('createFulfillment'),
    call: ({ qid }) => json({ qids: [qid], shipping_address: address }),
    keep: keepAs('fulfillment_id', (body) => body.id),
  },
  on('advanceFulfillment', { to_status: 'processing', to_stage: 'picked' }),
  on('cancelFulfillment', undefined, 409),
  {
    ...on('importFulfillmentsCsv'),
    call: () =>
      csv('sku,quantity,recipient_name,street,city,state,zip,country\r\nETB-1,9,A,B,Austin,TX,78701,US\r\n'),
  },
  {
    ...on('createSubscription', { url: 'https://hooks.example/a', event_types: ['item.status.changed'] }),
    keep: keepAs('subscription_id', (body) => body.id),
  },
  { ...on('testSubscription'), keep: keepAs('delivery_id', (body) => body.id) },
  on('redeliver', undefined, 409),
  on('rotateSubscriptionSecret', {}),
  on('replaySubscription', { since: '2026-01-01T00:00:00.000Z' }),
  on('updateSubscription', { active: false }),
  on('advanceClock', { seconds: 3600 }),
]

test('a story of writes gets the same answers, and leaves the same reads', async () => {
  const writes = ids().filter((id) => operation(id).method !== 'GET')
  expect(new Set([...story.map(({ id }) => id), 'deleteSubscription'])).toEqual(new Set(writes))
  const found: Found = {}
  for (const { id, call, keep, status } of story) {
    const reply = await expectAlike(id, { params: {}, ...call?.(found) })
    expect(reply.status, `${id} ${reply.body}`).toBe(status)
    if (keep) Object.assign(found, keep(reply))
  }
  for (const id of ids('GET')) {
    const params = paramsOf(id, found)
    expect((await expectAlike(id, { params })).status, id).toBe(200)
    if (operation(id).paged) await expectAlike(id, { params, query: [['page_size', '1']] })
  }
  expect((await expectAlike('deleteSubscription', { params: found })).status).toBe(204)
})

test.each(ids())('%s: faulty requests get the same errors', async (id) => {
  const params = paramsOf(id, {})
  const { method } = operation(id)
  const wrong: Array<Partial<Call>> = [
    { headers: { 'x-api-key': 'sk_sandbox_no' } },
    { headers: { 'x-api-key': [near.key, near.key] } },
    {
      query: [
        ['colour', 'red'],
        ['page', '0'],
        ['page', ''],
      ],
    },
    {},
  ]
  if (method === 'POST') {
    wrong.push(
      { headers: { 'idempotency-key': 'k'.repeat(256) } },
      { headers: { 'idempotency-key': ['a', 'b'] } },
    )
  }
  if (method !== 'GET')
    wrong.push(json({ __proto: 1, colour: 'red' }), csv('a,b\r\n1,2\r\n', [['colour', 'red']]))
  for (const call of wrong) await expectAlike(id, { params, ...call })
})

test('a wait for events ends with the same answer', async () => {
  const last = JSON.parse((await embedded(callOf('listEvents', { query: [['page_size', '250']] }))).body)
  const query: Array<[string, string]> = [['starting_after', last.results.at(-1).id]]
  const reply = await expectAlike('listEvents', { query, headers: { prefer: 'wait=1' } })
  expect(reply.headers['preference-applied']).toBe('wait=1')
})

async function expectAlike(id: OperationId, call: Partial<Call>): Promise<Reply> {
  const [expected, found] = await Promise.all([embedded(callOf(id, call)), overHttp(callOf(id, call))])
  const shown = ({ status, headers, body }: Reply) => ({ id, status, headers: ownHeaders(headers), body })
  expect(shown(found)).toEqual(shown(expected))
  expect(expected.status, expected.body).toBeLessThan(500)
  return expected
}

let calls = 0

function callOf(id: OperationId, call: Partial<Call>): Call {
  calls += 1
  const key = operation(id).method === 'POST' ? { 'idempotency-key': `k-${Math.ceil(calls / 2)}` } : {}
  const empty = async (): Promise<CallBody> => ({ kind: 'empty' })
  return {
    operation: id,
    params: {},
    query: [],
    body: empty,
    baseUrl,
    ...call,
    headers: { ...key, ...call.headers },
  }
}

function ownHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !transportHeaders.has(name)))
}

function ids(method?: string): OperationId[] {
  const all = Object.keys(operations) as OperationId[]
  return all.filter((id) => method === undefined || operation(id).method === method)
}

function paramsOf(id: OperationId, found: Found): Record<string, string> {
  return Object.fromEntries(
    Object.keys(operation(id).params ?? {}).map((name) => [name, found[name] ?? absent()]),
  )
}

function absent(): string {
  return '019aa000-0000-7000-8000-000000000000'
}
