import { chmodSync, existsSync, openSync, statSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newOperator, type Operator } from '../support/operator.ts'
import { type Served, serve } from '../support/served.ts'

let host: Operator
let sandbox: Served
let production: Served
let operator: Operator

beforeAll(async () => {
  host = await newOperator('none')
  sandbox = await serve(host)
  production = await serve(host, { environment: 'production' })
})

afterAll(async () => {
  await sandbox.stop()
  await production.stop()
  host.leave()
})

beforeEach(async () => {
  operator = await newOperator('none')
  return () => operator.leave()
})

function config(): string {
  return operator.path('config/custody/config.json')
}

function init(served: Served, name: string, more: string[] = []) {
  const args = ['init', '--base-url', served.baseUrl, '--name', name, '--api-key-stdin', ...more]
  return operator.run(args, { input: `${served.key}\n` })
}

type Setting = { value: string | null; source: string }

describe('custody init', () => {
  test('tries a service, saves it for its owner alone, and uses it from now on', async () => {
    const { exitCode, stdout, stderr } = await init(sandbox, 'shop')
    expect([exitCode, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(
      /^ok {6}reachable .*\nok {6}key .*\nok {6}clock .*\nok {6}environment {2}sandbox\nSaved the profile shop; it is used from now on: /,
    )
    expect(statSync(config()).mode & 0o777).toBe(0o600)
    expect(JSON.parse(operator.read('config/custody/config.json'))).toEqual({
      current: 'shop',
      profiles: { shop: { base_url: sandbox.baseUrl, api_key: sandbox.key, environment: 'sandbox' } },
    })
    expect((await operator.run(['items', 'summary'])).exitCode).toBe(0)
  })

  test('takes the key from a variable or a file that one names', async () => {
    operator.write('key.txt', `${sandbox.key}\n`)
    const args = ['init', '--base-url', sandbox.baseUrl, '--name', 'shop']
    const byFile = await operator.run(args, { env: { CUSTODY_API_KEY_FILE: 'key.txt' } })
    const byKey = await operator.run([...args, '--yes'], { env: { CUSTODY_API_KEY: sandbox.key } })
    expect([byFile.exitCode, byKey.exitCode]).toEqual([0, 0])
  })

  test('saves nothing where the check fails, and --no-check saves it all the same', async () => {
    const wrong = { ...sandbox, key: sandbox.key.replace(/.$/, '!') }
    const refused = await init(wrong, 'shop')
    expect(refused.exitCode).toBe(3)
    expect(refused.stderr).toContain('custody init: The profile shop was not saved: key: refused')
    const unreachable = await init({ ...sandbox, baseUrl: 'http://127.0.0.1:9/v1' }, 'shop')
    expect(unreachable.exitCode).toBe(8)
    expect(existsSync(config())).toBe(false)
    expect((await init(wrong, 'shop', ['--no-check'])).exitCode).toBe(0)
    expect((await operator.run(['items', 'summary'])).exitCode).toBe(3)
  })

  test('makes a profile of a database, as a partner in an environment', async () => {
    const args = [
      'init',
      '--database',
      'live.db',
      '--partner',
      'Northgate Cards',
      '--environment',
      'production',
    ]
    expect((await operator.run(args)).exitCode).toBe(0)
    const first = await operator.run(['products', 'ls'])
    expect(first.stderr).toBe(
      `Made a database of Northgate Cards (production) without sample data: ${operator.path('live.db')}\nnone found\n`,
    )
    const { stderr } = await operator.run(['products', 'import', operator.fixture('catalog.csv')])
    expect(stderr).toMatch(/^Writing to PRODUCTION: embedded database /)
  })

  test.each([
    [['init'], '--base-url or --database is required.'],
    [['init', '--base-url', 'http://127.0.0.1:9/v1'], '--api-key-stdin is required.'],
    [['init', '--partner', 'X'], '--database is required.'],
    [['init', '--base-url', 'x', '--api-key-stdin'], '--base-url: "x" is not an address.'],
    [
      ['init', '--base-url', 'http://a', '--database', 'x'],
      'A profile is a service (--base-url, --api-key-stdin) or a database',
    ],
    [['init', '--database', 'x.db', '--name', '-x'], '--name: "-x" is not a name'],
    [['init', '--api-key', 'sk_sandbox_x'], '--api-key is refused.'],
    [['init', '--api-key=sk_sandbox_x'], '--api-key is refused.'],
  ])('%j without a terminal is an error that names the flag, and no prompt', async (args, message) => {
    const { exitCode, stdout, stderr } = await operator.run(args, { input: 'sk' })
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).not.toContain('sk_sandbox_x')
  })

  test('asks before it replaces a profile: --yes where nobody can be asked', async () => {
    await init(sandbox, 'shop')
    expect((await init(production, 'shop')).exitCode).toBe(2)
    expect((await init(production, 'shop', ['--yes'])).exitCode).toBe(0)
    expect((await operator.json<{ environment: string }>(['profiles', 'show'])).environment).toBe(
      'production',
    )
  })
})

describe('profiles', () => {
  test('are listed, shown, used and removed; their keys are never shown', async () => {
    await init(sandbox, 'shop')
    await init(production, 'live', ['--no-use'])
    const rows = await operator.json<Array<{ name: string; current: boolean }>>(['profiles', 'ls'])
    expect(rows.map(({ name, current }) => [name, current])).toEqual([
      ['shop', true],
      ['live', false],
    ])
    const seen = []
    for (const format of ['table', 'json', 'ndjson', 'csv', 'tsv']) {
      seen.push((await operator.run(['profiles', 'ls', '--output', format])).stdout)
      seen.push((await operator.run(['profiles', 'show', 'live', '--output', format])).stdout)
      seen.push((await operator.run(['whoami', '--profile', 'live', '--output', format])).stdout)
    }
    expect(seen.every((text) => text.includes('sk_'))).toBe(true)
    expect(seen.join('')).not.toContain(production.key.slice(0, 24))
    expect((await operator.run(['profiles', 'use', 'live'])).exitCode).toBe(0)
    expect((await operator.run(['profiles', 'rm', 'live'])).exitCode).toBe(2)
    expect((await operator.run(['profiles', 'rm', 'live', '--yes'])).stderr).toContain(
      'No profile is in use now',
    )
    expect(operator.read('config/custody/config.json')).not.toContain(production.key)
    expect(await operator.json<unknown[]>(['profiles', 'ls'])).toHaveLength(1)
  })

  test.each(['use', 'show', 'rm'])(
    '%s: a name that does not exist is not found, and the nearest is told',
    async (verb) => {
      await operator.run(['init', '--database', 'x.db', '--name', 'northgate', '--no-check'])
      const { exitCode, stderr } = await operator.run(['profiles', verb, 'nortgate'])
      expect([exitCode, stderr]).toEqual([
        4,
        `custody profiles ${verb}: There is no profile named "nortgate". Did you mean northgate?\n`,
      ])
    },
  )

  test('a write says which target it is; production is named', async () => {
    await init(sandbox, 'shop')
    await init(production, 'live', ['--no-use'])
    const file = operator.fixture('catalog.csv')
    const here = await operator.run(['products', 'import', file])
    expect(here.stderr).toContain(`Writing to sandbox: ${sandbox.baseUrl} (profile shop)\n`)
    const there = await operator.run(['--profile', 'live', 'products', 'import', file])
    expect(there.stderr).toContain(`Writing to PRODUCTION: ${production.baseUrl} (profile live)\n`)
    const unknown = await operator.run(['products', 'import', file], { env: sandbox.env })
    expect(unknown.stderr).toContain(`Writing to ${sandbox.baseUrl}\n`)
  })

  test('a configuration that others can read is refused by every command that needs it', async () => {
    await init(sandbox, 'shop')
    chmodSync(config(), 0o640)
    for (const args of [
      ['items', 'ls'],
      ['whoami'],
      ['profiles', 'ls'],
      ['doctor'],
      ['profiles', 'use', 'shop'],
    ]) {
      const { exitCode, stdout, stderr } = await operator.run(args)
      expect([exitCode, stdout]).toEqual([2, ''])
      expect(stderr).toContain(`chmod 600 ${config()}`)
    }
  })

  test('a key on the command line is refused by every command, and not repeated', async () => {
    for (const args of [
      ['items', 'ls', '--api-key', 'sk_x'],
      ['--api-key=sk_x', 'items', 'ls'],
      ['doctor', '--api-key', 'sk_x'],
    ]) {
      const { exitCode, stderr } = await operator.run(args)
      expect(exitCode).toBe(2)
      expect(stderr).toContain('--api-key is refused.')
      expect(stderr).not.toContain('sk_x')
    }
  })
})

describe('custody whoami', () => {
  test('says of each setting where it came from', async () => {
    await init(sandbox, 'shop')
    const own = await operator.json<Record<string, Setting>>(['whoami'])
    expect(own).toMatchObject({
      target: 'service',
      profile: { value: 'shop', source: 'profiles use' },
      base_url: { value: sandbox.baseUrl, source: 'profile shop' },
      environment: { value: 'sandbox', source: 'profile shop' },
    })
    const env = { CUSTODY_BASE_URL: 'https://other.example', CUSTODY_API_KEY_FILE: 'no.txt' }
    const { stdout } = await operator.run(['whoami', '--json'], { env })
    expect(JSON.parse(stdout)).toMatchObject({
      profile: { value: null, source: 'not set' },
      base_url: { value: 'https://other.example/v1', source: 'CUSTODY_BASE_URL' },
      api_key: { value: expect.stringContaining('none: '), source: 'CUSTODY_API_KEY_FILE' },
      environment: { value: null, source: 'not set' },
    })
    expect(await operator.json(['whoami', '--database', 'x.db'])).toMatchObject({
      target: 'embedded',
      database: { value: operator.path('x.db'), source: '--database' },
      partner: { value: 'Sandbox', source: 'default' },
    })
  })
})

describe('custody doctor', () => {
  type Found = Array<{ check: string; result: string; detail: string }>

  async function doctor(args: string[], env: Record<string, string> = {}) {
    const { exitCode, stdout } = await operator.run(['doctor', ...args, '--json'], { env })
    const failed = (JSON.parse(stdout) as Found).filter(({ result }) => result === 'FAILED')
    return { exitCode, failed: failed.map(({ check }) => check) }
  }

  test('of a service: the first check that fails is the exit code', async () => {
    expect(await doctor([], sandbox.env)).toEqual({ exitCode: 0, failed: [] })
    expect(await doctor([], { ...sandbox.env, CUSTODY_API_KEY: 'sk_x' })).toEqual({
      exitCode: 3,
      failed: ['key'],
    })
    expect(await doctor([], { ...sandbox.env, CUSTODY_API_KEY: production.key })).toEqual({
      exitCode: 3,
      failed: ['key'],
    })
    expect(await doctor(['--base-url', sandbox.baseUrl])).toEqual({ exitCode: 3, failed: ['key'] })
    expect(await doctor(['--base-url', 'http://127.0.0.1:9'], { CUSTODY_API_KEY: 'x' })).toEqual({
      exitCode: 8,
      failed: ['reachable'],
    })
  })

  test('of a service whose clock is another, and of one that is none of ours', async () => {
    const server = createServer((_, response) => {
      response.setHeader('date', 'Fri, 01 May 2026 09:00:00 GMT')
      response.writeHead(404).end('<html>')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const found = await doctor(['--base-url', `http://127.0.0.1:${port}`], { CUSTODY_API_KEY: 'x' })
    server.close()
    expect(found).toEqual({ exitCode: 10, failed: ['operations', 'clock'] })
  })

  test('of a profile that says another environment than the service serves', async () => {
    await init(sandbox, 'shop', ['--environment', 'production', '--no-check'])
    expect(await doctor([])).toEqual({ exitCode: 6, failed: ['environment'] })
  })

  test('of a database: not there yet, good, none, damaged', async () => {
    expect(await doctor([])).toEqual({ exitCode: 0, failed: [] })
    expect(existsSync(operator.path('data'))).toBe(false)
    await operator.run(['items', 'summary', '--database', 'good.db', '--no-seed'])
    expect(await doctor(['--database', 'good.db'])).toEqual({ exitCode: 0, failed: [] })
    operator.write('none.db', 'a text file that is no database at all')
    expect(await doctor(['--database', 'none.db'])).toEqual({ exitCode: 8, failed: ['database'] })
    damage(operator.path('good.db'))
    expect(await doctor(['--database', 'good.db'])).toEqual({ exitCode: 6, failed: ['integrity'] })
  })

  /** Overwrites the second half of the file's pages beyond the first few, which hold the schema. */
  function damage(file: string): void {
    const { size } = statSync(file)
    const descriptor = openSync(file, 'r+')
    for (let at = Math.floor(size / 8192) * 4096; at < size; at += 4096) {
      writeSync(descriptor, Buffer.alloc(64, 0x5a), 0, 64, at)
    }
  }
})
