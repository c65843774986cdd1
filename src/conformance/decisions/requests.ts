import { answered, faulty, holds, rejected, same } from '../check.ts'
import type { Seen } from '../service.ts'
import { entriesOf, noUuid } from '../world.ts'

export const requestDecisions = entriesOf({
  'D3-1 the key is checked first, before the route, the Idempotency-Key, and the body': async (world) => {
    const noKey = { 'x-api-key': undefined, 'idempotency-key': undefined }
    rejected(await world.ask(undefined, { headers: noKey }), 401, 'invalid_api_key')
    rejected(await world.ask('createProduct', { text: '{', headers: noKey }), 401, 'invalid_api_key')
  },
  'D3-2 checks run in order: Idempotency-Key, replay, validation, existence, state': async (world) => {
    const headers = { 'idempotency-key': undefined }
    const fields = faulty(await world.ask('createProduct', { json: {}, headers }), 'Idempotency-Key')
    same(Object.keys(fields), ['Idempotency-Key'], 'faults of a request without key and with a bad body')
    const absent = { params: { manifest_id: noUuid } }
    faulty(await world.ask('closeManifest', { ...absent, query: { x: '1' } }), 'x')
    const { id } = await world.close(await world.newManifest())
    const closed = { params: { manifest_id: id } }
    faulty(await world.ask('closeManifest', { ...closed, query: { x: '1' } }), 'x')
    rejected(await world.ask('closeManifest', closed), 409, 'state_conflict')
  },
  'D3-3 a stored result is replayed before validation': async (world) => {
    const headers = { 'idempotency-key': world.unique('K') }
    const first = answered(await world.ask('createProduct', { json: world.productBody(), headers }), 201)
    const broken = await world.ask('createProduct', { text: '{', headers })
    same([broken.status, broken.text], [201, first.text], 'the answer to a broken body')
  },
  'D3-4 an unknown query parameter is a 400 that names it, also if an operation has none': async (world) => {
    faulty(await world.ask('listItems', { query: { statuss: 'available' } }), 'statuss')
    faulty(await world.ask('getItemSummary', { query: { status: 'available' } }), 'status')
    faulty(
      await world.ask('createProduct', { json: world.productBody(), query: { dry_run: '1' } }),
      'dry_run',
    )
  },
  'D3-5 an unknown body field is a 400 that names it, at any depth': async (world) => {
    const body = world.productBody()
    const json = { ...body, colour: 'red', dimensions: { ...body.dimensions, depth: 1 } }
    faulty(await world.ask('createProduct', { json }), 'colour', 'dimensions.depth')
    const manifest = { ...world.manifestBody(), lines: [{ description: 'A', cert: '1' }] }
    faulty(await world.ask('submitManifest', { json: manifest }), 'lines[0].cert')
  },
  'D3-6 extra.fields maps a path such as lines[3].sku to messages and names every fault': async (world) => {
    const lines = [
      { description: 'A' },
      { description: '' },
      { description: 'C' },
      { description: 'D', quantity: 0 },
    ]
    const json = { lines, expected_arrival_end: 'soon' }
    const paths = ['reference', 'expected_arrival_end', 'lines[1].description', 'lines[3].quantity']
    const fields = faulty(await world.ask('submitManifest', { json }), ...paths)
    same(Object.keys(fields).sort(), paths.sort(), 'the paths')
    const messages = Object.values(fields).flat()
    same(new Set(messages.map((message) => typeof message)), new Set(['string']), 'types of messages')
  },
  'D3-7 a 400 names at most 100 faults': async (world) => {
    const lines = Array.from({ length: 300 }, () => ({ description: '' }))
    const fields = faulty(await world.ask('submitManifest', { json: world.manifestBody(lines) }))
    same(Object.keys(fields).length, 100, 'faults named')
  },
  'D3-8 a malformed id is a 400 if the operation lists one for it, and otherwise a 404': async (world) => {
    rejected(await world.ask('getItem', { params: { qid: 'x' } }), 404, 'not_found')
    rejected(await world.ask('getFulfillment', { params: { fulfillment_id: 'x' } }), 404, 'not_found')
    rejected(await world.ask('cancelFulfillment', { params: { fulfillment_id: 'x' } }), 404, 'not_found')
    faulty(await world.ask('getProduct', { params: { product_id: 'x' } }), 'product_id')
    faulty(await world.ask('getTransfer', { params: { transfer_id: 'x' } }), 'transfer_id')
    faulty(await world.ask('closeManifest', { params: { manifest_id: 'x' } }), 'manifest_id')
  },
  'D3-9 broken JSON, a body that is not an object, or a missing one is a 400 validation_error': async (
    world,
  ) => {
    for (const text of ['{', '[]', '"a"', 'null', '{"a":1}}', '{"__proto__":{}}', '['.repeat(10_000)])
      rejected(await world.ask('createProduct', { text }), 400, 'validation_error')
    rejected(await world.ask('createProduct'), 400, 'validation_error')
  },
  'D3-11 every answer has X-Request-Id': async (world) => {
    await world.ask('listProducts')
    await world.ask('createProduct', { json: {} })
    await world.ask('listProducts', { headers: { 'x-api-key': undefined } })
    await world.ask(undefined)
    same(world.withoutRequestId, [], 'answers of this run without it')
  },
  "D3-12 X-Request-Id is the client's own if it sent a valid one": async (world) => {
    const own = await world.ask('listProducts', { headers: { 'x-request-id': 'cron-7.1:a_b' } })
    same(own.headers['x-request-id'], 'cron-7.1:a_b', 'the id of the client')
    const long = 'x'.repeat(2000)
    const other = await world.ask('listProducts', { headers: { 'x-request-id': long } })
    holds(other.headers['x-request-id'] !== long, 'one of 2,000 characters is not sane')
  },
  'D3-13 page links are absolute URIs that keep the other query parameters': async (world) => {
    for (let n = 0; n < 3; n++) await world.newProduct()
    const query = { page: '2', page_size: '1' }
    const { body } = await world.ask('listProducts', { query })
    const { next, previous } = body as { next: string; previous: string }
    for (const [link, page] of [
      [next, '3'],
      [previous, '1'],
    ] as const) {
      holds(link.startsWith(`${world.subject.baseUrl}/products?`), 'the link begins with the root', link)
      const { searchParams } = new URL(link)
      same([searchParams.get('page'), searchParams.get('page_size')], [page, '1'], 'its parameters')
    }
  },
  'D3-14 page links keep filters with special characters': async (world) => {
    const reference = `${world.unique('PO')} & 50% + ü?`
    const body = { ...world.manifestBody(), reference }
    for (let n = 0; n < 2; n++) await world.client.submitManifest({ body })
    const query = { reference, page_size: '1' }
    const seen: Seen = await world.ask('listManifests', { query })
    const { next } = seen.body as { next: string }
    same(new URL(next).searchParams.get('reference'), reference, 'the filter in next')
  },
})
