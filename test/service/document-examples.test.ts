import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call, CallBody } from '../../src/contract/call.ts'
import { address, ids, qids } from '../../src/contract/document/examples/examples.ts'
import { openApiDocument } from '../../src/contract/document/openapi.ts'
import { pageSizeMax } from '../../src/contract/limits.ts'
import { type OperationId, operation } from '../../src/contract/operations.ts'
import type { Subscription } from '../../src/contract/resources/event.ts'
import type { Manifest } from '../../src/contract/resources/manifest.ts'
import type { Product } from '../../src/contract/resources/product.ts'
import { ensureScope, issueKey } from '../../src/engine/partners.ts'
import { clientWith, databases, type Harness, startHarness } from '../support/harness.ts'

type Told = {
  operationId: OperationId
  parameters: ReadonlyArray<{ name?: string; in?: string; example?: string | number; $ref?: string }>
  requestBody?: { content: Record<string, { examples: Record<string, { value: Record<string, string> }> }> }
  responses: {
    400: { $ref: string } | { content: { 'application/json': { example: { extra: { fields: Faults } } } } }
  }
}
type Faults = Record<string, string[]>
type Sent = { name: string; call: Partial<Call> & { operation: OperationId } }

const { paths, components } = openApiDocument() as {
  paths: Record<string, Record<string, Told>>
  components: { parameters: Record<string, { name: string; in: string; example: string }> }
}
const described = Object.values(paths).flatMap((path) => Object.values(path))

/** Every request that an operation's examples make: each alone, all parameters together, each body. */
function requestsOf({ operationId: operation, parameters, requestBody }: Told): Sent[] {
  const whole = parameters.map(({ $ref, ...own }) => ({
    ...own,
    ...($ref && components.parameters[$ref.split('/').at(-1) ?? '']),
  }))
  const shown = (place: string): Array<[string, string]> =>
    whole.flatMap(({ name = '', in: where, example }) =>
      where === place && example !== undefined ? [[name, String(example)]] : [],
    )
  const params = Object.fromEntries(shown('path'))
  const headers = Object.fromEntries(shown('header').map(([name, value]) => [name.toLowerCase(), value]))
  const plain = { operation, params, headers }
  const queries = shown('query')
  const bodies = Object.entries(requestBody?.content ?? {}).flatMap(([type, { examples }]) =>
    Object.entries(examples).map(([name, { value }]) => ({ name, body: bodyOf(type, value) })),
  )
  if (bodies.length > 0)
    return bodies.map(({ name, body }) => ({
      name: `${operation} ${name}`,
      call: { ...plain, body: async () => body },
    }))
  return [[], ...queries.map((pair) => [pair]), queries].map((query) => ({
    name: `${operation} ?${query.map((pair) => pair.join('=')).join('&')}`,
    call: { ...plain, query },
  }))
}

function bodyOf(type: string, value: Record<string, string>): CallBody {
  if (type === 'application/json') return { kind: 'json', text: JSON.stringify(value) }
  const { file = '', ...fields } = value
  return {
    kind: 'form',
    fields: Object.entries(fields),
    files: [{ name: 'file', bytes: Buffer.from(file) }],
  }
}

const requests = described.flatMap(requestsOf)
let harness: Harness
beforeAll(async () => {
  // Later than every time in the examples, like any reader's today.
  harness = await startHarness(databases[0]!, { startAt: '2027-02-03T09:00:00.000Z' })
})
afterAll(() => harness.close())

/** Sent with its own key instead of the example's, and without waiting for events. */
async function send(key: string, { name, call }: Sent) {
  const headers = { ...call.headers, 'x-api-key': key, 'idempotency-key': name }
  const reply = await harness.call({ ...call, headers, signal: AbortSignal.abort() })
  return {
    status: reply.status,
    body: reply.body,
    isReplay: reply.headers['idempotency-replayed'] === 'true',
  }
}

const carriedOut = [200, 201, 204, 304]

test('every request example is well formed and succeeds once it names existing things, and a POST is replayed', async () => {
  expect(requests.length).toBeGreaterThan(described.length)
  for (const [at, example] of requests.entries()) {
    let { key } = harness
    let request = example
    let answer = await send(key, request)
    expect([...carriedOut, 404, 409], `${request.name}: ${answer.body}`).toContain(answer.status)
    if (!carriedOut.includes(answer.status)) {
      const world = await newWorld(`Partner ${at}`, request.call.operation)
      key = world.key
      request = withOwn(world.own, request)
      answer = await send(key, request)
      // Nobody delivers here, so deliveries stay queued.
      const right = request.call.operation === 'redeliver' ? [409] : carriedOut
      expect(right, `${request.name}: ${answer.body}`).toContain(answer.status)
    }
    const isReplay = operation(request.call.operation).method === 'POST'
    if (isReplay) expect(await send(key, request)).toEqual({ ...answer, isReplay })
  }
})

type Own = ReadonlyMap<string, string>

/** Everything that an example may name, created for a new partner under the document's identifiers. */
async function newWorld(partner: string, operation: OperationId): Promise<{ key: string; own: Own }> {
  const { db, service, sources } = harness
  const key = await db.write(async (tx) => {
    const scope = await ensureScope(tx, sources, partner, 'sandbox')
    return (await issueKey(tx, sources, scope)).key
  })
  const client = clientWith(service, key, sources)
  const made = async <T>(operation: OperationId): Promise<T> => {
    const request = requests.find(({ call }) => call.operation === operation) as Sent
    return JSON.parse((await send(key, request)).body)
  }
  const product = await made<Product>('createProduct')
  const manifest = await made<Manifest>('submitManifest')
  const subscription = await made<Subscription>('createSubscription')
  const { lines } = (await client.getManifest({ params: { manifest_id: manifest.id } })).data
  const box = { type: 'product' as const, sku: product.sku }
  const slab = { type: 'graded_slab' as const, name: 'Slab', grader: 'PSA', grade: '9', cert_number: '1' }
  const { intakes } = (
    await client.createIntakes({ body: { items: [slab, { ...slab, cert_number: '2' }, box, box, box] } })
  ).data
  const at = intakes.map(({ qid }) => qid)
  // The item to advance has just arrived.
  const shelved = operation === 'advanceItem' ? at.slice(1) : at
  for (const qid of shelved) await client.advanceItem({ params: { qid }, body: { to_status: 'available' } })
  const order = { qids: [at[4] ?? ''], shipping_address: address }
  const { data: fulfillment } = await client.createFulfillment({ body: order })
  const { data: transfer } = await client.requestTransfer({ body: { qids: [at[1] ?? ''] } })
  const { data: delivery } = await client.testSubscription({ params: { subscription_id: subscription.id } })
  const all = {
    product: product.product_id,
    manifest: manifest.id,
    slabLine: lines[0]?.id,
    boxLine: lines[1]?.id,
    fulfillment: fulfillment.id,
    transfer: transfer.id,
    subscription: subscription.id,
    delivery: delivery.id,
  }
  const named = Object.entries(all).map(([name, id = '']): [string, string] => [
    ids[name as keyof typeof made],
    id,
  ])
  return { key, own: new Map([...named, [qids.slab, at[0] ?? ''], [qids.box, at[2] ?? '']]) }
}

function withOwn(own: Own, { name, call }: Sent): Sent {
  const replaced = <T>(value: T): T => {
    let text = JSON.stringify(value)
    for (const [shown, id] of own) text = text.replaceAll(shown, id)
    return JSON.parse(text)
  }
  const { params, query, body } = call
  const renamed = async (): Promise<CallBody> => {
    const sent = (await body?.()) ?? { kind: 'empty' }
    return sent.kind === 'json' ? { kind: 'json', text: replaced(sent.text) } : sent
  }
  return {
    name,
    call: { ...call, params: replaced(params ?? {}), query: replaced(query ?? []), body: renamed },
  }
}

test.each(described.map((told) => [told.operationId, told] as const))(
  'the service can report the fault that the document shows for a 400 of %s',
  async (operation, told) => {
    const answer = told.responses[400]
    const [[field, faults]] = Object.entries(
      '$ref' in answer
        ? { page_size: [`must be at most ${pageSizeMax}`] }
        : answer.content['application/json'].example.extra.fields,
    ) as [[string, string[]]]
    const params = Object.fromEntries(
      told.parameters.flatMap(({ name = '', in: place, example }) =>
        place === 'path' ? [[name, name === field ? 'not-an-id' : String(example)]] : [],
      ),
    )
    const query: Array<[string, string]> = field.startsWith('page') ? [[field, '99999']] : []
    const type = Object.keys(told.requestBody?.content ?? {})[0]
    const body: CallBody =
      type === undefined
        ? { kind: 'empty' }
        : type === 'application/json'
          ? { kind: 'json', text: '{}' }
          : { kind: 'form', fields: [], files: [] }
    const call = { operation, params, query, body: async () => body }
    const { status, body: text } = await send(harness.key, { name: `fault of ${operation}`, call })
    expect([status, JSON.parse(text).extra.fields]).toEqual([
      400,
      expect.objectContaining({ [field]: faults }),
    ])
  },
)
