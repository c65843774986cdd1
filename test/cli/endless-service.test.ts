import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createClient } from '../../src/client/library.ts'
import { openApiDocument } from '../../src/contract/document/openapi.ts'
import { cliUser, forAllTests, serviceOf } from '../support/each.ts'

let answer: (url: URL, response: ServerResponse) => void

const user = forAllTests(cliUser)
const service = forAllTests(
  serviceOf((request, response) => {
    request.resume().on('end', () => answer(new URL(String(request.url), 'http://any'), response))
  }),
)
afterEach(() => service.server.closeAllConnections())
const run = (...args: string[]) =>
  user.run(args, {
    env: service.env,
    input: 'cert_number\n12345678\n',
  })
const json = (response: ServerResponse, body: string, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)

test.each([
  ['a success', 200, 64],
  ['an error', 400, 4],
])('%s without end is given up at its limit', async (_, status, mebibytes) => {
  answer = (_url, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).write('{"a":"')
    const piece = 'x'.repeat(1024 * 1024)
    const more = (): unknown => response.destroyed || response.write(piece, more)
    more()
  }
  const { code, err } = await run('items', 'summary')
  expect([code, err]).toEqual([8, expect.stringContaining(`answers with more than ${mebibytes} MiB`)])
})

test.each([
  ['an answer', ['items', 'summary', '--json'], 200],
  ['an error', ['items', 'summary', '--json'], 400],
  ['an answer of any operation', ['api', 'GET', '/items/summary'], 200],
])('%s nested 5,000 deep exits 8', async (_, args, status) => {
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  answer = (_url, response) =>
    json(response, `{"code":"validation_error","message":"no","extra":{"deep":${deep}}}`, status)
  const { code, err } = await run(...args)
  expect([code, err]).toEqual([8, expect.stringContaining('JSON of more than 100 levels')])
})

test('brackets within a string are not levels', async () => {
  const name = '['.repeat(5000)
  answer = (_url, response) => json(response, JSON.stringify({ total: 1, by_status: { available: 1 }, name }))
  expect((await run('items', 'summary')).code).toBe(0)
})

test.each(['as before', 'empty'])('a list whose next page is always %s exits 8', async (page) => {
  let asked = 0
  answer = (_url, response) => {
    asked += 1
    const results =
      page === 'empty' ? [] : [{ qid: 'Q-7F3K-9M2P-X4TA', name: 'A', status: 'available', image_assets: [] }]
    json(
      response,
      JSON.stringify({ page_size: 1, total: 1e9, next_page_number: asked + 1, next: '', results }),
    )
  }
  const { code, err } = await run('items', 'ls', '--all')
  expect([code, err]).toEqual([8, expect.stringContaining('does not end: 10 pages repeat earlier ones')])
  expect(asked).toBeLessThan(13)
})

test('a list that grows by whole pages while it is read ends, as during an import', async () => {
  let total = 30
  answer = (url, response) => {
    const page = Number(url.searchParams.get('page'))
    if (page === 25) total = 50
    const item = { name: 'A', status: 'available', image_assets: [] }
    const results = [{ qid: `Q-${total - page}`, ...item }]
    const next_page_number = page < total ? page + 1 : null
    json(response, JSON.stringify({ page_size: 1, count: 1, total, next_page_number, results }))
  }
  const { code, out } = await run('items', 'ls', '--all', '--columns', 'qid', '--no-header')
  expect([code, out.trim().split('\n').length]).toEqual([0, 30])
})

test('a log that leads in a circle exits 8', async () => {
  const eventOf = (n: number) => ({
    id: `019cb71b-5a80-7040-aecc-78cb9b345ab${n}`,
    type: 'item.intake.completed',
    created_at: '2026-05-01T00:00:00.000Z',
    data: {},
  })
  answer = (url, response) => {
    const isFirst = url.searchParams.get('starting_after') === eventOf(1).id
    const results = [eventOf(isFirst ? 2 : 1)]
    json(response, JSON.stringify({ has_more: true, next_starting_after: results[0]?.id, results }))
  }
  const { code, err } = await run('events', 'ls', '--all')
  expect([code, err]).toEqual([8, expect.stringContaining('The log does not end')])
  const { CUSTODY_BASE_URL, CUSTODY_API_KEY } = service.env
  const client = createClient({ baseUrl: CUSTODY_BASE_URL, apiKey: CUSTODY_API_KEY })
  const got: string[] = []
  const walk = async () => {
    for await (const { id } of client.listEvents.all()) got.push(id)
  }
  await expect(walk()).rejects.toThrow('The list does not end')
  expect(got.slice(0, 3)).toEqual([eventOf(1).id, eventOf(2).id, eventOf(1).id])
})

const manifestId = '019cb71b-5a80-7040-aecc-78cb9b345ab1'
test.each([
  ['a list', ['api', 'GET', '/items', '--paginate']],
  ['a log', ['api', 'GET', '/events', '--paginate']],
  ['a manifest', ['manifests', 'show', manifestId]],
  ['a report', ['manifests', 'report', manifestId]],
])('%s whose next page is always the first one exits 8', async (_, args) => {
  let asked = 0
  const entry = { id: manifestId, qid: 'Q-1', reference: 'R', image_assets: [], data: {} }
  const list = { results: [entry], total: 1, by_status: {} }
  const totals = { expected: 1, matched: 0, missing: 0, unexpected: 0, condition_mismatch: 0 }
  answer = (url, response) => {
    asked += 1
    const lines = [{ id: 'l-1', description: 'A', quantity: 1, matched_qids: [], condition_flags: [] }]
    const body = url.pathname.includes(manifestId)
      ? { ...entry, manifest_id: manifestId, status: 'submitted', lines, totals, unexpected: [] }
      : { ...list, next_page_number: 2, has_more: true, next_starting_after: manifestId }
    response.setHeader('link', '</v1/next?page=2>; rel="next"')
    json(response, JSON.stringify(body))
  }
  const { code, err } = await run(...args)
  expect([code, err]).toEqual([8, expect.stringContaining('does not end: 10 pages repeat earlier ones')])
  expect(asked).toBeLessThan(20)
})

const order = { sku: 'A', quantity: 1, recipient_name: 'Ann', street: '1 Elm St', city: 'Portland' }
const row = { ...order, state: 'OR', zip: '97214', country: 'US', external_ref: 'W-1' }
const runImport = (...args: string[]) => {
  const file = join(user.home, 'orders.csv')
  writeFileSync(file, `${Object.keys(row)}\n${Object.values(row)}\n`)
  return run('fulfillments', 'import', file, ...args)
}
const answerImport = (body: object, status: number) => {
  answer = ({ pathname }, response) => {
    if (pathname.endsWith('openapi.json')) return json(response, JSON.stringify(openApiDocument()))
    return json(response, JSON.stringify(body), status)
  }
}

test('fields of an order may have names that every object has', async () => {
  const fields = { constructor: ['is bad'], ['__proto__']: ['is worse'], toString: ['no'] }
  answerImport({ code: 'validation_error', message: 'No.', extra: { fields } }, 400)
  const { code, out, err } = await runImport('--ship-by', 'order')
  expect([code, out + err]).toEqual([9, expect.stringContaining('is bad')])
})

test.each([
  ['none', 0],
  ['more', 2],
])('an import whose answer covers %s of its rows exits 8', async (_, created) => {
  answerImport({ created: [], errors: [], totals: { created, failed: 0, submitted: 1 } }, 200)
  const { code, err } = await runImport()
  expect([code, err]).toEqual([
    8,
    expect.stringContaining('does not cover 1 row. It may have been carried out'),
  ])
})

test('an import ends even if every answer is said to be that of an earlier run', async () => {
  const errors = [{ row: 1, code: 'validation_error', message: 'No.', fields: {} }]
  answerImport({ created: [], errors, totals: { created: 0, failed: 1, submitted: 1 } }, 200)
  const stored = answer
  let asked = 0
  answer = (url, response) => {
    asked += 1
    if (asked > 99) return void response.destroy()
    stored(url, response.setHeader('idempotency-replayed', 'true'))
  }
  const { code } = await runImport('--max-wait', '0')
  expect([code, asked]).toEqual([9, expect.toSatisfy((count: number) => count < 60)])
})

const wrong = ['{}', '[]', '{"results":[null]}', '{"results":[{}]}', '{"results":{}}']
const commands = [
  ['items', 'ls'],
  ['items', 'show', 'Q-7F3K-9M2P-X4TA'],
  ['items', 'summary'],
  ['manifests', 'ls'],
  ['manifests', 'show', manifestId],
  ['manifests', 'report', manifestId],
  ['fulfillments', 'ls'],
  ['transfers', 'ls'],
  ['products', 'ls'],
  ['inventory', 'ls'],
  ['intakes', 'ls'],
  ['webhooks', 'ls'],
  ['events', 'ls'],
  ['status'],
  ['doctor'],
  ['api', 'GET', '/items'],
]
test.each(commands.flatMap((args) => wrong.map((body) => [args.join(' '), body] as const)))(
  '%s ends with exit 8 if the service answers %s',
  async (line, body) => {
    answer = (_url, response) => json(response, body)
    const { code, out, err } = await run(...line.split(' '))
    expect([code, out + err]).toEqual([8, expect.stringContaining('with JSON in which ')])
  },
)
