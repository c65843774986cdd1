import { idempotencyKeyMax } from '../../contract/limits.ts'
import type { ErrorBody } from '../../contract/resources/error.ts'
import { answered, each, faulty, holds, rejected, same } from '../check.ts'
import { overrun } from '../parts/limits.ts'
import type { RawRequest } from '../subject.ts'
import { csvBytes, entriesOf, noUuid, overHttp, upload, type World } from '../world.ts'

export const idempotencyDecisions = entriesOf({
  'D4-1 an Idempotency-Key sent twice is a 400': async (world) => {
    const headers = { 'idempotency-key': ['a', 'a'] }
    faulty(await world.ask('createProduct', { json: world.productBody(), headers }), 'Idempotency-Key')
  },
  'D4-2 a result belongs to its concrete path and key: the same key on another path is another action':
    async (world) => {
      const headers = { 'idempotency-key': world.unique('K') }
      const made = [await world.newManifest(), await world.newManifest()]
      for (const { id } of made) {
        const seen = await world.ask('closeManifest', { params: { manifest_id: id }, headers })
        const { id: closed, status } = answered(seen, 200).body as { id: string; status: string }
        same([closed, status], [id, 'reconciled'], 'the manifest')
      }
      answered(await world.ask('createProduct', { json: world.productBody(), headers }), 201)
    },
  'D4-3 a replay has the original status and bytes, and Idempotency-Replayed: true': async (world) => {
    const request = { json: world.productBody(), headers: { 'idempotency-key': world.unique('K') } }
    const first = answered(await world.ask('createProduct', request), 201)
    const again = await world.ask('createProduct', request)
    same([again.status, again.text], [201, first.text], 'status and bytes')
    same(replayed(again), ['true', undefined], 'Idempotency-Replayed and -Mismatch')
    same(replayed(first), [undefined, undefined], 'of the first answer')
  },
  'D4-4 another body under the same key gets the original, with Idempotency-Mismatch: true': async (
    world,
  ) => {
    const headers = { 'idempotency-key': world.unique('K') }
    const [one, two] = [world.productBody(), world.productBody()]
    const first = await world.ask('createProduct', { json: one, headers })
    const other = await world.ask('createProduct', { json: two, headers })
    same([other.status, other.text, replayed(other)], [201, first.text, ['true', 'true']], 'the answer')
    same((await world.client.listProducts({ query: { sku: two.sku } })).data.total, 0, 'the other product')
  },
  'D4-5 a replay changes nothing and emits nothing': async (world) => {
    const slab = await world.availableSlab()
    const { id } = await world.order([slab])
    const request = { params: { fulfillment_id: id }, headers: { 'idempotency-key': world.unique('K') } }
    answered(await world.ask('cancelFulfillment', request), 200)
    const { lines } = await world.events.during(() => world.ask('cancelFulfillment', request), [id, slab.qid])
    same(lines, [], 'events of the replay')
  },
  'D4-6 simultaneous requests with one key have one effect and the same bytes': async (world) => {
    const request = { json: world.productBody(), headers: { 'idempotency-key': world.unique('K') } }
    const seen = await Promise.all(Array.from({ length: 8 }, () => world.ask('createProduct', request)))
    same(new Set(each(seen, 'text')).size, 1, 'different bodies')
    same(seen.filter((one) => replayed(one)[0] === 'true').length, 7, 'replays')
    const { total } = (await world.client.listProducts({ query: { sku: request.json.sku } })).data
    same(total, 1, 'products')
  },
  'D4-7 a 409 is stored and replayed; a 400, 401, or 404 is not': async (world) => {
    const json = world.productBody()
    await world.client.createProduct({ body: json })
    const headers = { 'idempotency-key': world.unique('K') }
    const conflict = await world.ask('createProduct', { json, headers })
    rejected(conflict, 409, 'state_conflict')
    const again = await world.ask('createProduct', { json: world.productBody(), headers })
    same([again.status, again.text, replayed(again)], [409, conflict.text, ['true', 'true']], 'the 409 again')
    await corrected(world)
  },
  [`D4-8 a key is 1 to ${idempotencyKeyMax} printable ASCII characters; a missing, empty, or longer one is a 400`]:
    async (world) => {
      const json = world.productBody()
      const tail = world.unique('K')
      for (const key of [undefined, '', 'x'.repeat(idempotencyKeyMax + 1)]) {
        const headers = { 'idempotency-key': key }
        faulty(await world.ask('createProduct', { json, headers }), 'Idempotency-Key')
      }
      for (const key of [
        tail,
        `!"#$%&'()*+,-./:;<=>?@[\\]^_{|}~ ${tail}`,
        tail.padEnd(idempotencyKeyMax, 'x'),
      ]) {
        const request = { json: world.productBody(), headers: { 'idempotency-key': key } }
        answered(await world.ask('createProduct', request), 201)
      }
    },
  "D4-9 a multipart body is identified by its fields and the file's bytes (decisions 11)": async (world) => {
    const headers = { 'idempotency-key': world.unique('K') }
    const file = csvBytes('description', 'One')
    const { fields } = world.manifestUpload(file, [['source', 'other']]).form
    const first = await world.ask('submitManifestCsv', { ...upload(file, fields), headers })
    const turned = await world.ask('submitManifestCsv', {
      ...upload(file, fields.toReversed()),
      headers,
    })
    same([turned.text, replayed(turned)], [first.text, ['true', undefined]], 'the same form again')
    const changed = upload(csvBytes('description', 'Two'), fields)
    const other = await world.ask('submitManifestCsv', { ...changed, headers })
    same([other.text, replayed(other)], [first.text, ['true', 'true']], 'another file')
  },
  'D3-15 a wrong content type, a content encoding, or a charset other than UTF-8 is a 400': overHttp(
    async (world) => {
      const body = JSON.stringify(world.productBody())
      const types = [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
        'no type',
      ]
      for (const type of types) await rejectsBody(world, { 'content-type': type }, body)
      await rejectsBody(world, {}, body)
      await rejectsBody(world, { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body)
    },
  ),
  'D3-16 a body that is too large is a 400': overHttp(async (world) => {
    const body = JSON.stringify({ name: 'x'.repeat(20 * 1024 * 1024) })
    await rejectsBody(world, { 'content-type': 'application/json' }, body)
  }),
  'D3-17 a broken multipart body is a 400': overHttp(async (world) => {
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
    const bodies = ['', 'no form', head, `${head}name,sku`, `${head.slice(0, 30)}\r\n--b--\r\n`, '--b--\r\n']
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    for (const body of bodies) await rejectsBody(world, headers, body, '/products/csv')
    const noBoundary = { 'content-type': 'multipart/form-data' }
    await rejectsBody(world, noBoundary, `${head}name\r\n--b--\r\n`, '/products/csv')
  }),
  'D11-1 a wrong method on a known path is a 404 not_found, and Allow names the right ones': overHttp(
    async (world) => {
      for (const [method, path, allow] of [
        ['DELETE', '/products', 'GET, POST'],
        ['PUT', '/items/summary', 'GET'],
        ['POST', '/events', 'GET'],
      ] as const) {
        const reply = await rawAs(world, { method, path })
        same([reply.status, reply.headers.allow], [404, allow], `${method} ${path}: status and Allow`)
        same((JSON.parse(reply.body) as ErrorBody).code, 'not_found', 'code')
      }
    },
  ),
  'D10-1 GET /healthz, outside /v1 and without a key, answers ok': overHttp(async (world) => {
    const path = `${new URL(world.subject.baseUrl).origin}/healthz`
    const reply = await world.raw({ method: 'GET', path })
    same([reply.status, reply.body], [200, 'ok'], 'status and body')
  }),
  'D3-18 a limited service sends RateLimit and RateLimit-Policy, and Retry-After in whole seconds with a 429':
    async (world) => {
      const { headers } = await overrun(world, 'getItemSummary')
      holds(/^[1-9]\d*$/.test(headers['retry-after'] ?? ''), 'Retry-After is whole seconds', headers)
      holds(/;r=\d+;t=\d+$/.test(headers.ratelimit ?? ''), 'RateLimit tells what is left', headers)
      const policy = headers['ratelimit-policy'] ?? ''
      holds(/;q=\d+;w=\d+$/.test(policy), 'RateLimit-Policy tells the quota', headers)
    },
  'D3-19 the rate limit is checked after the key and before the route': async (world) => {
    const rejection = await overrun(world, undefined)
    rejected(rejection, 429, 'rate_limited')
    const { transport } = world.subject.limited ?? world.subject
    const call = world.callOf(undefined, { headers: { 'x-api-key': 'sk_none' } })
    same((await transport(call)).status, 401, 'status without a good key')
  },
})

function replayed({ headers }: { headers: Readonly<Record<string, string>> }): Array<string | undefined> {
  return [headers['idempotency-replayed'], headers['idempotency-mismatch']]
}

/** After an error, the same key works with a corrected request. */
async function corrected(world: World): Promise<void> {
  const headers = { 'idempotency-key': world.unique('K') }
  rejected(await world.ask('createProduct', { json: {}, headers }), 400, 'validation_error')
  const noKey = { ...headers, 'x-api-key': undefined }
  rejected(await world.ask('createProduct', { json: {}, headers: noKey }), 401, 'invalid_api_key')
  const made = answered(await world.ask('createProduct', { json: world.productBody(), headers }), 201)
  same(replayed(made), [undefined, undefined], 'after a 400 and a 401')
  const absent = { params: { manifest_id: noUuid }, headers: { 'idempotency-key': world.unique('K') } }
  rejected(await world.ask('closeManifest', absent), 404, 'not_found')
  same(replayed(await world.ask('closeManifest', absent)), [undefined, undefined], 'a 404 again')
}

async function rejectsBody(
  world: World,
  headers: NonNullable<RawRequest['headers']>,
  body: string,
  path = '/products',
): Promise<void> {
  const reply = await rawAs(world, {
    method: 'POST',
    path,
    headers: { 'idempotency-key': world.unique('K'), ...headers },
    body,
  })
  const { code } = JSON.parse(reply.body) as ErrorBody
  same([reply.status, code], [400, 'validation_error'], `status and code for ${JSON.stringify(headers)}`)
}

function rawAs(world: World, request: RawRequest) {
  const headers = { 'x-api-key': world.subject.key, ...request.headers }
  return world.raw({ ...request, headers })
}
