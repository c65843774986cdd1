import { truncateSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Item } from '../../src/contract/resources/item.ts'
import type { Manifest } from '../../src/contract/resources/manifest.ts'
import { forAllTests } from '../support/each.ts'
import { operatorWith } from '../support/operator.ts'

const operator = forAllTests(operatorWith())

const run = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = await operator.run(args)
  return { exitCode, stdout, stderr }
}

describe('custody api', () => {
  test('reads by method and path, with fields in the query, and reads every page on request', async () => {
    const items = await operator.json<Item[]>(['items', 'ls', '--all'])
    const one = await run('api', 'GET', `/items/${items[0]?.qid}`)
    expect(JSON.parse(one.stdout)).toEqual(items[0])
    const pages = await run(
      'api',
      'get',
      'v1/items?page_size=40',
      '--field',
      'status=available',
      '--paginate',
    )
    const found = pages.stdout
      .trim()
      .split('\n')
      .map((page) => JSON.parse(page))
    expect(found.length).toBeGreaterThan(1)
    const available = items.filter(({ status }) => status === 'available').map(({ qid }) => qid)
    expect(found.flatMap(({ results }) => results.map(({ qid }: Item) => qid))).toEqual(available)
    const types = ['api', 'GET', '/events?page_size=50', '--paginate', '--jq', '.results[].type']
    const events = await run(...types)
    expect(events.stdout.split('\n').length).toBeGreaterThan(60)
  })

  test('sends a field as text if the operation takes text, and otherwise as its own type; a repeated key creates once', async () => {
    const file = operator.write('lines.json', '{"lines":[{"description":"Slab","cert_number":"0123"}]}')
    const submit = ['api', 'POST', '/manifests', '--input', file, '--field', 'reference=7777']
    const first = await run(...submit, '--idempotency-key', 'k1')
    expect(first.stderr).toMatch(/^Writing to sandbox/)
    const { id, reference } = JSON.parse(first.stdout) as Manifest
    expect(reference).toBe('7777')
    expect((await run(...submit, '--idempotency-key', 'k1')).stdout).toBe(first.stdout)
    const seconds = await run('api', 'POST', '/sandbox/clock/advance', '--field', 'seconds=60')
    expect(JSON.parse(seconds.stdout).offset_seconds).toBeGreaterThanOrEqual(60)
    const csv = operator.write('more.csv', 'description,quantity\nBox,2\n')
    const uploaded = await run('api', 'POST', '/manifests/csv', '--input', csv, '--field', 'reference=PO-8')
    expect(JSON.parse(uploaded.stdout).totals).toEqual({ submitted: 1, created: 1, failed: 0 })
    const closed = await run(
      'api',
      'POST',
      `/manifests/${id}/close`,
      '--jq',
      '[.status, .lines[0].cert_number]',
    )
    expect(closed.stdout).toBe('["reconciled","0123"]\n')
  })

  test('rejects a file that no request can carry', async () => {
    const file = operator.write('huge.json', '{')
    truncateSync(operator.path(file), 21 * 1024 * 1024)
    const { exitCode, stderr } = await run('api', 'POST', '/manifests', '--input', file)
    expect([exitCode, stderr]).toEqual([6, expect.stringMatching(/huge\.json is larger than 20 MiB/)])
  })

  test('accepts --no-input next to --input and without it', async () => {
    const file = operator.write('one.json', '{"reference":"PO-9","lines":[{"description":"Slab"}]}')
    const post = await run('api', 'POST', '/manifests', '--no-input', '--input', file)
    expect(post).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('PO-9') })
    const get = await run('api', 'GET', '/items/summary', '--no-input')
    expect(get).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('total') })
  })

  test.each([
    [['GET', '/itmes'], /this version of custody does not know \/itmes.*Did you mean \/items\?/s, 2],
    [['DELETE', '/items'], /\/items has no DELETE; it has GET/, 2],
    [['GET', '/items', '--field', 'status'], /give it as name=value/, 2],
    [['POST', '/manifests/csv'], /name it with --input/, 2],
    [['GET', '/items/summary', '--jq', '.total['], /--jq: syntax error/, 2],
    [['GET', '/items', '--field', 'colour=red'], /colour/, 6],
    [['GET', '/items?search=a?b&page_size=0'], /page_size/, 6],
    [['GET', '/items?status=shipped&status=available'], /status is given twice/, 2],
    [['GET', '/items?status=shipped', '--field', 'status=available'], /status is given twice/, 2],
  ])('%j is rejected with advice', async (args, words, exitCode) => {
    const { stderr, ...ended } = await run('api', ...args)
    expect(ended).toEqual({ exitCode, stdout: '' })
    expect(stderr).toMatch(words)
  })
})

describe('--jq', () => {
  test('says in one line that jq has too little memory', async () => {
    const { exitCode, stderr } = await run('profiles', 'ls', '--jq', '"x" * 1e9 | [., .]')
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^custody profiles ls: .*more memory.*\n$/)])
  })

  test('filters lists, records, and lines with jq itself', async () => {
    const all = await operator.json<Item[]>(['items', 'ls', '--all'])
    const graded = all.filter(({ type }) => type === 'graded_slab').length
    const count = await run('items', 'ls', '--all', '--jq', 'map(select(.type == "graded_slab")) | length')
    expect(count).toMatchObject({ exitCode: 0, stdout: `${graded}\n` })
    const total = await run('items', 'summary', '--jq', '.total, .by_status.received')
    expect(total.stdout.split('\n')[0]).toBe(
      String((await operator.json<{ total: number }>(['items', 'summary'])).total),
    )
    const lines = await run('events', 'tail', '--limit', '2', '-o', 'ndjson', '--jq', '.type | ascii_upcase')
    expect(lines.stdout).toMatch(/^[A-Z.]+\n[A-Z.]+\n$/)
    const table = await run('items', 'ls', '-o', 'csv', '--jq', '.')
    expect(table).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--jq needs JSON') })
    const wrong = await run('items', 'ls', '--jq', '.[0].qid.x')
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Cannot index string') })
  })
})
