import { closeSync, existsSync, openSync } from 'node:fs'
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { endings, exitCodes } from '../../src/cli/base/cli-error.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { forEachTest } from '../support/each.ts'
import { listening } from '../support/free-port.ts'
import { newOperator, operatorWith } from '../support/operator.ts'
import { serve } from '../support/served.ts'

const product = 'name,sku,length,width,height,dimension_unit,weight,weight_unit\n'
const goodRow = 'Box,B-1,1,1,1,in,1,oz\n'
const operator = forEachTest(operatorWith('seeded'))

const seen = new Set<number>()

/** Runs a command that must end with this exit code. */
async function endsWith(code: number, args: readonly string[], env: Record<string, string> = {}) {
  // Variables of their own name the service here.
  const named = env.CUSTODY_BASE_URL === undefined ? env : { CUSTODY_DATABASE: '', ...env }
  const { exitCode, stderr } = await operator.real(args, { env: named })
  expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.any(String) })
  seen.add(code)
  return stderr
}

describe('every exit code of the real program', () => {
  test('0: the command is done', async () => {
    await endsWith(0, ['items', 'summary'])
  })

  test('1: custody itself has a bug, and --debug shows where', async () => {
    const [item] = await operator.look<Item[]>(['items', 'ls', '--limit', '1'])
    const db = new DatabaseSync(operator.database)
    // Only a deliberate write can create this state.
    db.exec('pragma ignore_check_constraints = on')
    db.prepare('update items set doc = ? where qid = ?').run('{', item?.qid ?? '')
    db.close()
    expect(await endsWith(1, ['items', 'show', item?.qid ?? ''])).toContain('a bug in custody')
    expect(await endsWith(1, ['items', 'show', item?.qid ?? '', '--debug'])).toContain('    at ')
  })

  test.each([
    [['items', 'ls', '--statsu', 'x']],
    [['itmes']],
    [['items', 'ls', '--limit', 'x']],
    [['products', 'import', 'no.csv']],
  ])('2: wrong usage: %j', async (args) => {
    await endsWith(2, args)
  })

  test('3: the key is rejected, missing, or for the other environment', async () => {
    const served = await serve(operator)
    await endsWith(3, ['items', 'ls'], { ...served.env, CUSTODY_API_KEY: 'sk_sandbox_x' })
    await endsWith(3, ['items', 'ls'], { CUSTODY_BASE_URL: served.baseUrl })
    const place = ['--database', served.database, '--environment', 'production']
    const create = ['admin', 'keys', 'create', 'Northgate Cards', ...place]
    const { key } = await operator.json<{ key: string }>(create)
    await endsWith(3, ['items', 'ls'], { ...served.env, CUSTODY_API_KEY: key })
    await served.stop()
  })

  test('4: the resource is not found', async () => {
    await endsWith(4, ['items', 'show', 'Q-0000-0000-0000'])
  })

  test('5: the state conflicts', async () => {
    operator.write('one.csv', product + goodRow)
    const create = ['products', 'create', '--name', 'Box', '--sku', 'B-1', '--length', '1', '--width', '1']
    const rest = ['--height', '1', '--dimension-unit', 'in', '--weight', '1', '--weight-unit', 'oz']
    await endsWith(0, [...create, ...rest])
    await endsWith(5, [...create, ...rest])
    // Also from JSON, with flags over it.
    const box = {
      name: 'Box',
      dimensions: { length: 1, width: 1, height: 1, unit: 'in' },
      weight: { value: 1, unit: 'oz' },
    }
    const input = JSON.stringify({ ...box, sku: 'B-1' })
    const fromJson = (...flags: string[]) => operator.run(['products', 'create', '-', ...flags], { input })
    expect([(await fromJson()).exitCode, (await fromJson('--sku', 'B-2')).exitCode]).toEqual([5, 0])
    const { exitCode, stderr } = await operator.run(create)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('missing: --height, --dimension-unit,')])
  })

  test('6: the input is invalid and nothing changes', async () => {
    operator.write('bad.csv', 'nonsense\n1\n')
    await endsWith(6, ['products', 'import', 'bad.csv'])
    await endsWith(6, ['webhooks', 'create', 'http://a.example'])
  })

  test('7: there are too many requests and --max-wait allows no wait', async () => {
    const served = await serve(operator, { flags: ['--rate-limit', '0.001:1'] })
    await endsWith(0, ['items', 'summary'], served.env)
    await endsWith(7, ['items', 'summary', '--max-wait', '0'], served.env)
    await served.stop()
  })

  test('8: the service or the database cannot be reached', async () => {
    const env = { CUSTODY_BASE_URL: 'http://127.0.0.1:9', CUSTODY_API_KEY: 'x' }
    expect(await endsWith(8, ['items', 'ls', '--max-wait', '0'], env)).toContain('Nothing answers at')
    operator.write('no.db', 'no database at all, only text')
    await endsWith(8, ['items', 'ls', '--database', 'no.db'])
  })

  test.skipIf(!existsSync('/dev/full'))('8: the output cannot be written', async () => {
    // execa's type allows only the standard streams.
    const full = openSync('/dev/full', 'w') as 1
    for (const args of [['items', 'ls'], ['--version'], ['items', 'ls', '--help']]) {
      const { exitCode, stderr } = await operator.start(args, { stdout: full })
      expect([args, exitCode, stderr]).toEqual([
        args,
        8,
        expect.stringContaining('The output cannot be written: no space is left on the disk. Redirect it'),
      ])
      expect(stderr).not.toContain('fault of custody')
    }
    // Without space for a message, the exit code still says it.
    expect((await operator.start(['nothing'], { stderr: full })).exitCode).toBe(2)
    closeSync(full)
  })

  test('9: some rows fail', async () => {
    operator.write('some.csv', `${product}${goodRow}Box,,1,1,1,in,1,oz\n`)
    await endsWith(9, ['products', 'import', 'some.csv'])
  })

  test('10: the service does not offer the operation', async () => {
    const server = createServer((request, response) => {
      const isDocument = request.url === '/v1/openapi.json'
      const error = { code: 'not_found', message: 'No such resource.', extra: {} }
      response.writeHead(isDocument ? 200 : 404).end(JSON.stringify(isDocument ? { paths: {} } : error))
    })
    const port = await listening(server)
    const env = { CUSTODY_BASE_URL: `http://127.0.0.1:${port}`, CUSTODY_API_KEY: 'x' }
    const stderr = await endsWith(10, ['webhooks', 'ls'], env)
    expect(stderr).toContain('does not offer GET /webhook-subscriptions.')
    await endsWith(4, ['items', 'show', 'Q-0000-0000-0000'], env)
    server.close()
  })

  test('130: the command is interrupted and says how to resume', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `Box,B-${index},1,1,1,in,1,oz\n`)
    operator.write('many.csv', product + rows.join(''))
    const running = operator.start(['products', 'import', 'many.csv'])
    await vi.waitUntil(hasAcknowledgedRows, { timeout: 30_000, interval: 10 })
    running.kill('SIGINT')
    const { exitCode, stderr } = await running
    expect({ exitCode, stderr }).toEqual({
      exitCode: 130,
      stderr: expect.stringContaining('the same command again'),
    })
    seen.add(130)
  })

  afterAll(() => {
    expect([...seen].sort((a, b) => a - b)).toEqual(Object.values(exitCodes))
  })
})

function hasAcknowledgedRows(): boolean {
  const db = new DatabaseSync(operator.database, { readOnly: true, timeout: 10_000 })
  const found = db.prepare("select 1 from products where sku like 'B-%' limit 1").get()
  db.close()
  return found !== undefined
}

describe('custody help exit-codes', () => {
  let listed: string

  beforeAll(async () => {
    const reader = await newOperator('none')
    listed = (await reader.run(['help', 'exit-codes'])).stdout.replace(/\s+/g, ' ')
    reader.leave()
  })

  test.each(Object.entries(exitCodes))('lists %s as %i', (ending, code) => {
    expect(listed).toContain(` ${code} ${endings[ending as keyof typeof endings]} `)
  })
})
