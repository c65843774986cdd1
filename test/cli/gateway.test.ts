import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cliUser, forEachTest } from '../support/each.ts'
import { listening } from '../support/free-port.ts'

const header = 'name,sku,upc,length,width,height,dimension_unit,weight,weight_unit,image_url'
const create = ['products', 'create', '--name', 'Box', '--sku', 'A', '--length', '1', '--width', '1']
const created = [...create, '--height', '1', '--dimension-unit', 'in', '--weight', '1', '--weight-unit', 'oz']
/** A proxy in front of a service, and faults that it causes. */
let gateway: Server
let port: number
let answer: number | 'nothing' = 504
/** Its answers to reads, if they differ. */
let read: string | undefined
/** Headers of its answers to writes, if it answers them itself. */
let headers: string[] | undefined
/** Shows that a service recognises repeats. */
const document = '{"openapi":"3.1.0","parameters":["Custody-Repeats"]}'
const keys: string[] = []
const user = forEachTest(cliUser)

beforeAll(async () => {
  gateway = createServer((request, response) => {
    if (request.method === 'POST') keys.push(String(request.headers['idempotency-key']))
    request.resume().on('end', () => {
      if (read !== undefined && request.method === 'GET') response.writeHead(200).end(read)
      else if (headers !== undefined) response.writeHead(200, headers).end('{}')
      else if (answer === 'nothing') request.socket.destroy()
      else response.writeHead(answer).end('<html>')
    })
  })
  port = await listening(gateway)
})
afterAll(() => gateway.close())
beforeEach(() => {
  keys.length = 0
  read = undefined
  headers = undefined
})

describe.each<[number | 'nothing', RegExp]>([
  [502, /The service answered 502 without an error body\. /],
  [504, /The service answered 504 without an error body\. /],
  ['nothing', /The connection to http\S+ was lost \((?:ECONNRESET|other side closed)\)\. /],
])('a write whose last answer is %s', (last, message) => {
  beforeEach(() => {
    answer = last
  })

  test('may have been carried out: exit 8 names the key that makes repeating safe', async () => {
    const { code, err } = await run(created)
    expect([code, keys.length]).toEqual([8, 1])
    expect(err).toMatch(message)
    expect(err).toContain(
      `It may have been carried out: repeat it with --idempotency-key ${keys[0]} to do it at most once.\n`,
    )
    await run([...created, '--idempotency-key', keys[0] ?? ''])
    expect(keys[1]).toBe(keys[0])
  })

  test('says so as JSON too', async () => {
    const { err } = await run([...created, '--json'])
    const error = JSON.parse(err.trimEnd().split('\n').at(-1) ?? '')
    expect(error).toMatchObject({ exit_code: 8, hint: expect.stringContaining('--idempotency-key') })
  })

  test('is repeated with the same key by running the same import again', async () => {
    writeFileSync(join(user.home, 'a.csv'), `${header}\nBox,A,,1,1,1,in,1,oz,\n`)
    read = document
    const { code, err } = await run(['products', 'import', 'a.csv'])
    expect([code, keys.length]).toEqual([8, 1])
    expect(err).toContain(
      'It may have been carried out: run the same command again to send the rest; nothing is sent twice.',
    )
    await run(['products', 'import', 'a.csv', '--resume'])
    await run(['products', 'import', 'a.csv'])
    expect(new Set(keys).size).toBe(1)
  })

  test('is repeated with the unchanged file if --if-equal order orders equal rows', async () => {
    const order = 'sku,quantity,recipient_name,street,city,state,zip,country'
    writeFileSync(join(user.home, 'o.csv'), `${order}\nA,1,Ann,1 Main St,Austin,TX,73301,US\n`)
    read = document
    const { err } = await run(['fulfillments', 'import', 'o.csv', '--if-equal', 'order'])
    expect(err).toContain(
      'run the same command again, with the unchanged file, to send the rest; nothing is sent twice.',
    )
  })

  test('is not suggested again if an import used --again', async () => {
    writeFileSync(join(user.home, 'a.csv'), `${header}\nBox,A,,1,1,1,in,1,oz,\n`)
    const { err } = await run(['products', 'import', 'a.csv', '--again'])
    expect(err).toContain('It may have been carried out: check with ls before you repeat it.')
    expect((await run(['products', 'import', 'a.csv', '--resume', '--again'])).code).toBe(2)
  })

  test('leaves no doubt about a read', async () => {
    const { code, err } = await run(['products', 'ls'])
    expect([code, err]).toEqual([8, expect.stringContaining('Try again in a moment.')])
  })
})

test.each(['<html>', document.slice(0, -4), ''])(
  'an import sends nothing if %j stands for the document, because it could order again what was ordered',
  async (page) => {
    read = page
    writeFileSync(join(user.home, 'a.csv'), `${header}\nBox,A,,1,1,1,in,1,oz,\n`)
    const { code, err } = await run(['products', 'import', 'a.csv'])
    const text = /This is not a custody service|answers with JSON that ends too early/
    expect([code, err, keys]).toEqual([8, expect.stringMatching(text), []])
  },
)

test('the answer to another request with the key is rejected, even if a proxy sends its header twice', async () => {
  headers = ['Idempotency-Mismatch', 'true', 'IDEMPOTENCY-MISMATCH', 'true']
  const { code, err } = await run(created)
  expect([code, err]).toEqual([5, expect.stringContaining('belongs to another request')])
})

test('a write that got a 503 has not been carried out', async () => {
  answer = 503
  const { code, err } = await run(created)
  expect([code, err]).toEqual([8, expect.not.stringContaining('carried out')])
})

const id = '0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70'
test.each([
  'fulfillments create order.json',
  `fulfillments cancel ${id} --yes`,
  `manifests close ${id} --yes`,
  'products create product.json',
  `transfers request Q-1`,
  `transfers cancel ${id} --yes`,
  'webhooks create https://hooks.custody.example/in',
  `webhooks rotate-secret ${id}`,
  `webhooks replay ${id} --since 24h`,
  `webhooks test ${id}`,
  `sandbox receive ${id}`,
  'sandbox intake --name Card',
  'sandbox advance Q-1 --to available',
  `sandbox fulfillment ${id} --to delivered`,
  `sandbox transfer ${id} --to completed`,
  'sandbox clock --advance 7d',
])('%s sends the key that it is given', async (line) => {
  answer = 504
  read = JSON.stringify({
    id,
    manifest_id: id,
    now: '2026-05-01T00:00:00.000Z',
    has_more: false,
    results: [],
    status: 'submitted',
    totals: { expected: 0, matched: 0, missing: 0, unexpected: 0, condition_mismatch: 0 },
    lines: [],
    unexpected: [],
  })
  const dimensions = { length: 1, width: 1, height: 1, unit: 'in' }
  const product = { name: 'Box', sku: 'A', dimensions, weight: { value: 1, unit: 'oz' } }
  const shipping_address = {
    recipient_name: 'A',
    street: '1',
    city: 'B',
    state: 'C',
    zip: '1',
    country: 'US',
  }
  writeFileSync(join(user.home, 'product.json'), JSON.stringify(product))
  writeFileSync(join(user.home, 'order.json'), JSON.stringify({ qids: ['Q-1'], shipping_address }))
  const { code, err } = await run([...line.split(' '), '--idempotency-key', 'given'])
  expect([code, err]).toEqual([8, expect.stringContaining('repeat it with --idempotency-key given to')])
  expect(keys.at(-1)).toBe('given')
})

function run(args: string[]) {
  const env = { CUSTODY_BASE_URL: `http://127.0.0.1:${port}`, CUSTODY_API_KEY: 'sk' }
  return user.run([...args, '--max-wait', '0'], { env })
}
