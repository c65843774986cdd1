import type { ErrorBody } from '../../contract/resources/error.ts'
import { entriesOf, overHttp } from '../check.ts'
import { holds, refused, same } from '../expectations.ts'
import { productBody } from '../making.ts'
import { overrun } from '../parts-5-to-9/limits.ts'
import type { RawRequest } from '../subject.ts'
import { callOf, type World } from '../world.ts'

/** Decisions 3, 4 and 11 as far as only HTTP shows them, and the rate limit. */
export const httpDecisions = entriesOf({
  'D3-15 a wrong content type, a content encoding and a charset that is not UTF-8 are a 400': overHttp(
    async (world) => {
      const body = JSON.stringify(productBody(world))
      const types = [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
        'no type',
      ]
      for (const type of types) await refusesBody(world, { 'content-type': type }, body)
      await refusesBody(world, {}, body)
      await refusesBody(world, { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body)
    },
  ),
  'D3-16 a body that is too large is a 400': overHttp(async (world) => {
    const body = JSON.stringify({ name: 'x'.repeat(20 * 1024 * 1024) })
    await refusesBody(world, { 'content-type': 'application/json' }, body)
  }),
  'D3-17 broken multipart is a 400': overHttp(async (world) => {
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
    const bodies = ['', 'no form', head, `${head}name,sku`, `${head.slice(0, 30)}\r\n--b--\r\n`, '--b--\r\n']
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    for (const body of bodies) await refusesBody(world, headers, body, '/products/csv')
    const noBoundary = { 'content-type': 'multipart/form-data' }
    await refusesBody(world, noBoundary, `${head}name\r\n--b--\r\n`, '/products/csv')
  }),
  'D11-1 a known path with a wrong method: 404 not_found, and Allow names the right ones': overHttp(
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
  'D10-1 GET /healthz, outside of /v1 and without a key, answers ok': overHttp(async (world) => {
    const path = `${new URL(world.subject.baseUrl).origin}/healthz`
    const reply = await world.raw({ method: 'GET', path })
    same([reply.status, reply.body], [200, 'ok'], 'status and body')
  }),
  'D3-18 a limited service sends RateLimit and RateLimit-Policy, and with a 429 Retry-After in whole seconds':
    async (world) => {
      const { headers } = await overrun(world, 'getItemSummary')
      holds(/^[1-9]\d*$/.test(headers['retry-after'] ?? ''), 'Retry-After is whole seconds', headers)
      holds(/;r=\d+;t=\d+$/.test(headers.ratelimit ?? ''), 'RateLimit tells what is left', headers)
      const policy = headers['ratelimit-policy'] ?? ''
      holds(/;q=\d+;w=\d+$/.test(policy), 'RateLimit-Policy tells the quota', headers)
    },
  'D3-19 the rate limit is looked at after the key and before the route': async (world) => {
    const refusal = await overrun(world, undefined)
    refused(refusal, 429, 'rate_limited')
    const { transport } = world.subject.limited ?? world.subject
    const call = callOf(world.subject, world.unique, undefined, { headers: { 'x-api-key': 'sk_none' } })
    same((await transport(call)).status, 401, 'status without a good key')
  },
})

async function refusesBody(
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
