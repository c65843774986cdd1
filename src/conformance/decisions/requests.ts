import type { Entry } from '../check.ts'
import { answered, faulty, holds, refused, same } from '../expectations.ts'
import { close, manifestBody, newManifest, newProduct, noUuid, productBody } from '../making.ts'
import type { Seen } from '../world.ts'

/** Decisions 3: requests and errors. */
export const requestDecisions: readonly Entry[] = [
  {
    clause: 'D3-1',
    text: 'the key is looked at first: before the route, the Idempotency-Key and the body',
    run: async (world) => {
      const noKey = { 'x-api-key': undefined, 'idempotency-key': undefined }
      refused(await world.ask(undefined, { headers: noKey }), 401, 'invalid_api_key')
      refused(await world.ask('createProduct', { text: '{', headers: noKey }), 401, 'invalid_api_key')
    },
  },
  {
    clause: 'D3-2',
    text: 'the Idempotency-Key comes before replay and validation, validation before existence, that before state',
    run: async (world) => {
      const headers = { 'idempotency-key': undefined }
      const fields = faulty(await world.ask('createProduct', { json: {}, headers }), 'Idempotency-Key')
      same(Object.keys(fields), ['Idempotency-Key'], 'faults of a request without key and with a bad body')
      const absent = { params: { manifest_id: noUuid } }
      faulty(await world.ask('closeManifest', { ...absent, query: { x: '1' } }), 'x')
      const { id } = await close(world, await newManifest(world))
      const closed = { params: { manifest_id: id } }
      faulty(await world.ask('closeManifest', { ...closed, query: { x: '1' } }), 'x')
      refused(await world.ask('closeManifest', closed), 409, 'state_conflict')
    },
  },
  {
    clause: 'D3-3',
    text: 'a stored result is replayed before validation',
    run: async (world) => {
      const headers = { 'idempotency-key': world.unique('K') }
      const first = answered(await world.ask('createProduct', { json: productBody(world), headers }), 201)
      const broken = await world.ask('createProduct', { text: '{', headers })
      same([broken.status, broken.text], [201, first.text], 'the answer to a broken body')
    },
  },
  {
    clause: 'D3-4',
    text: 'an unknown query parameter is a 400 that names it, also where an operation takes none',
    run: async (world) => {
      faulty(await world.ask('listItems', { query: { statuss: 'available' } }), 'statuss')
      faulty(await world.ask('getItemSummary', { query: { status: 'available' } }), 'status')
      faulty(
        await world.ask('createProduct', { json: productBody(world), query: { dry_run: '1' } }),
        'dry_run',
      )
    },
  },
  {
    clause: 'D3-5',
    text: 'an unknown body field is a 400 that names it, at any depth',
    run: async (world) => {
      const body = productBody(world)
      const json = { ...body, colour: 'red', dimensions: { ...body.dimensions, depth: 1 } }
      faulty(await world.ask('createProduct', { json }), 'colour', 'dimensions.depth')
      const manifest = { ...manifestBody(world), lines: [{ description: 'A', cert: '1' }] }
      faulty(await world.ask('submitManifest', { json: manifest }), 'lines[0].cert')
    },
  },
  {
    clause: 'D3-6',
    text: 'extra.fields maps a path such as lines[3].sku to messages, and every fault is named',
    run: async (world) => {
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
    },
  },
  {
    clause: 'D3-7',
    text: 'a 400 names at most 100 faults',
    run: async (world) => {
      const lines = Array.from({ length: 300 }, () => ({ description: '' }))
      const fields = faulty(await world.ask('submitManifest', { json: manifestBody(world, lines) }))
      same(Object.keys(fields).length, 100, 'faults named')
    },
  },
  {
    clause: 'D3-8',
    text: 'a malformed id is a 404 where the operation lists no 400 for it, else a 400',
    run: async (world) => {
      refused(await world.ask('getItem', { params: { qid: 'x' } }), 404, 'not_found')
      refused(await world.ask('getFulfillment', { params: { fulfillment_id: 'x' } }), 404, 'not_found')
      refused(await world.ask('cancelFulfillment', { params: { fulfillment_id: 'x' } }), 404, 'not_found')
      faulty(await world.ask('getProduct', { params: { product_id: 'x' } }), 'product_id')
      faulty(await world.ask('getTransfer', { params: { transfer_id: 'x' } }), 'transfer_id')
      faulty(await world.ask('closeManifest', { params: { manifest_id: 'x' } }), 'manifest_id')
    },
  },
  {
    clause: 'D3-9',
    text: 'broken JSON, a body that is no object, or none where one is needed: 400 validation_error',
    run: async (world) => {
      for (const text of ['{', '[]', '"a"', 'null', '{"a":1}}', '{"__proto__":{}}', '['.repeat(10_000)])
        refused(await world.ask('createProduct', { text }), 400, 'validation_error')
      refused(await world.ask('createProduct'), 400, 'validation_error')
    },
  },
  {
    clause: 'D3-10',
    text: 'an unexpected fault is a 500 internal_error that reveals nothing but the request id',
    coveredBy:
      'test/service/requests.test.ts: a fault of ours is an opaque 500 with the request id, and changes nothing',
  },
  {
    clause: 'D3-11',
    text: 'every answer carries X-Request-Id',
    run: async (world) => {
      await world.ask('listProducts')
      await world.ask('createProduct', { json: {} })
      await world.ask('listProducts', { headers: { 'x-api-key': undefined } })
      await world.ask(undefined)
      same(world.withoutRequestId, [], 'answers of this run without it')
    },
  },
  {
    clause: 'D3-12',
    text: "X-Request-Id is the client's own when it sent a sane one",
    run: async (world) => {
      const own = await world.ask('listProducts', { headers: { 'x-request-id': 'cron-7.1:a_b' } })
      same(own.headers['x-request-id'], 'cron-7.1:a_b', 'the id of the client')
      const long = 'x'.repeat(2000)
      const other = await world.ask('listProducts', { headers: { 'x-request-id': long } })
      holds(other.headers['x-request-id'] !== long, 'one of 2,000 characters is not sane')
    },
  },
  {
    clause: 'D3-13',
    text: 'page links are absolute URIs that keep the other parameters of the query',
    run: async (world) => {
      for (let n = 0; n < 3; n++) await newProduct(world)
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
  },
  {
    clause: 'D3-14',
    text: 'page links keep filters with signs in them',
    run: async (world) => {
      const reference = `${world.unique('PO')} & 50% + ü?`
      const body = { ...manifestBody(world), reference }
      for (let n = 0; n < 2; n++) await world.client.submitManifest({ body })
      const query = { reference, page_size: '1' }
      const seen: Seen = await world.ask('listManifests', { query })
      const { next } = seen.body as { next: string }
      same(new URL(next).searchParams.get('reference'), reference, 'the filter in next')
    },
  },
]
