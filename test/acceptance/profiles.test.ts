import { chmodSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { forAllTests, forEachTest } from '../support/each.ts'
import { operatorWith, root } from '../support/operator.ts'
import { type Served, servedBy } from '../support/served.ts'

const host = forAllTests(operatorWith('none'))
const sandbox = forAllTests(servedBy(host))
const production = forAllTests(servedBy(host, { environment: 'production' }))
const operator = forEachTest(operatorWith('none'))

function config(): string {
  return operator.path('config/custody/config.json')
}

function init(served: Served, name: string, more: string[] = []) {
  const args = ['init', '--base-url', served.baseUrl, '--name', name, '--api-key-stdin', ...more]
  return operator.run(args, { input: `${served.key}\n` })
}

type Setting = { value: string | null; source: string }

describe('custody init', () => {
  test('checks a service, saves it for its owner only, and uses it from then on', async () => {
    const { exitCode, stdout, stderr } = await init(sandbox, 'shop')
    expect([exitCode, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(
      /^ok {6}reachable .*\nok {6}key .*\nok {6}clock .*\nok {6}environment {2}sandbox\nSaved the profile shop and made it current: /,
    )
    expect(statSync(config()).mode & 0o777).toBe(0o600)
    expect(JSON.parse(operator.read('config/custody/config.json'))).toEqual({
      current: 'shop',
      profiles: { shop: { base_url: sandbox.baseUrl, api_key: sandbox.key, environment: 'sandbox' } },
    })
    expect((await operator.run(['items', 'summary'])).exitCode).toBe(0)
  })

  test('saves a command that prints the key instead of the key, and runs it each time', async () => {
    operator.write('key.txt', `"${sandbox.key}"\n`)
    const print = 'echo run >> runs.txt; cat key.txt'
    const args = ['init', '--base-url', sandbox.baseUrl, '--name', 'shop', '--api-key-command', print]
    expect((await operator.run(args)).exitCode).toBe(0)
    const saved = operator.read('config/custody/config.json')
    expect(JSON.parse(saved).profiles.shop).toMatchObject({ api_key_command: print })
    expect(saved).not.toContain(sandbox.key)
    const runs = () => operator.read('runs.txt').split('\n').length - 1
    const before = runs()
    const { exitCode, stdout, stderr } = await operator.run(['items', 'summary', '--debug'])
    expect([exitCode, runs() - before, `${stdout}${stderr}`.includes(sandbox.key)]).toEqual([0, 1, false])
    const shown = [await operator.run(['whoami']), await operator.run(['profiles', 'show', 'shop'])]
    expect(runs() - before).toBe(1)
    for (const { stdout } of shown) expect(stdout).toContain(`printed by: ${print}`)
    operator.write('key.txt', '')
    const none = await operator.run(['items', 'ls'])
    expect(none).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('profile shop contains no key'),
    })
    const locked = saved.replace(print, 'echo locked >&2; exit 4')
    operator.write('config/custody/config.json', locked)
    const failed = await operator.real(['items', 'ls'])
    expect(failed).toMatchObject({ exitCode: 3, stdout: '' })
    expect(failed.stderr).toMatch(
      /^locked\n.*The command of profile shop failed with 4\. Run it by itself to see what is wrong: .+\n$/s,
    )
    operator.write(
      'config/custody/config.json',
      saved.replace('"api_key_command"', '"api_key": "x", "api_key_command"'),
    )
    expect((await operator.run(['items', 'ls'])).stderr).toMatch(/has both api_key and api_key_command/)
  })

  test('reads the key from a variable or from the file that one names', async () => {
    chmodSync(operator.path(operator.write('key.txt', `${sandbox.key}\n`)), 0o600)
    const args = ['init', '--base-url', sandbox.baseUrl, '--name', 'shop']
    const byFile = await operator.run(args, { env: { CUSTODY_API_KEY_FILE: 'key.txt' } })
    const byKey = await operator.run([...args, '--yes'], { env: { CUSTODY_API_KEY: sandbox.key } })
    expect([byFile.exitCode, byKey.exitCode]).toEqual([0, 0])
  })

  test('saves nothing if the check fails, unless --no-check is given', async () => {
    const wrong = { ...sandbox, key: sandbox.key.replace(/.$/, '!') }
    const rejected = await init(wrong, 'shop')
    expect(rejected.exitCode).toBe(3)
    expect(rejected.stderr).toContain('custody init: The profile shop was not saved: key: rejected')
    const unreachable = await init({ ...sandbox, baseUrl: 'http://127.0.0.1:9/v1' }, 'shop')
    expect(unreachable.exitCode).toBe(8)
    expect(existsSync(config())).toBe(false)
    expect((await init(wrong, 'shop', ['--no-check'])).exitCode).toBe(0)
    expect((await operator.run(['items', 'summary'])).exitCode).toBe(3)
  })

  test('asks again only for the wrong answer, hides a key typed as a name, and completes localhost', async () => {
    const { host: address } = new URL(sandbox.baseUrl)
    const child = operator.start(['init', '--base-url', address.replace('127.0.0.1', 'localhost')], {
      env: {
        CUSTODY_API_KEY: sandbox.key.replace(/.$/, '!'),
        NODE_OPTIONS: `--require "${join(root, 'test', 'support', 'pretend-terminal.cjs')}"`,
      },
    })
    const answers: Array<[asked: RegExp, answer: string]> = [
      [/Name of the profile/, `${production.key}\r`],
      [/is an API key/, '\u0015shop\r'],
      [/FAILED[\s\S]*The profile shop is not saved yet[\s\S]*API key/, `${sandbox.baseUrl}\r`],
      [/is an address, not an API key/, `\u0015${sandbox.key}\r`],
    ]
    let shown = ''
    child.stderr?.on('data', (part) => {
      shown += part
      const [asked, answer] = answers[0] ?? []
      if (!asked?.test(shown)) return
      answers.shift()
      child.stdin?.write(answer ?? '')
    })
    expect([(await child).exitCode, answers]).toEqual([0, []])
    expect(shown).not.toContain(production.key.slice(0, 20))
    expect(shown).not.toMatch(/header|X-API-Key|with: custody init/)
    expect(JSON.parse(operator.read('config/custody/config.json')).profiles.shop).toMatchObject({
      base_url: `http://${address.replace('127.0.0.1', 'localhost')}/v1`,
      api_key: sandbox.key,
    })
  })

  test('rejects an address as a key, a key as an address, and text with spaces, and repeats no key', async () => {
    const init = ['init', '--no-check', '--base-url']
    const address = 'https://custody.example.com/v1'
    const faults = await Promise.all(
      [
        [address, `${address}\n`],
        [address, 'custody.example.com/v1'],
        [address, 'two words\n'],
        ['sk_live_abc', 'x'],
      ].map(([url = '', input = '']) => operator.run([...init, url, '--api-key-stdin'], { input })),
    )
    expect(faults.map(({ exitCode, stderr }) => [exitCode, stderr.split('. ')[0]])).toEqual([
      [2, 'custody init: --api-key-stdin is an address, not an API key.\n'],
      [2, 'custody init: --api-key-stdin is an address, not an API key.\n'],
      [2, 'custody init: --api-key-stdin is not an API key: it has spaces, line breaks, or accents.\n'],
      [2, 'custody init: --base-url: "***********" is a key, not an address'],
    ])
  })

  test("gives pages of a service the partner's name instead of the profile's, and marks a sandbox", async () => {
    for (const served of [production, sandbox]) {
      await init(served, 'counter', ['--yes'])
      const body = JSON.stringify({ reference: 'PO-1', lines: [{ description: 'A box' }] })
      await operator.run(['manifests', 'submit', '-'], { input: body })
      for (const what of ['labels', 'report']) {
        const { stdout } = await operator.run(['manifests', what, 'PO-1', '--html', '-'])
        expect(stdout).toMatch(/<p class="(?:partner|kind)">[^<]*Northgate Cards</)
        expect(stdout).not.toContain('counter')
        expect(stdout.includes('Sandbox: a rehearsal')).toBe(served === sandbox)
      }
    }
  })

  test('creates a profile of a database for a partner in an environment', async () => {
    const args = [
      'init',
      '--database',
      'live.db',
      '--partner',
      'Northgate Cards',
      '--environment',
      'production',
    ]
    expect((await operator.run(args)).stderr).toMatch(/the first command that writes creates it\nSaved the/)
    const first = await operator.run(['products', 'ls'])
    expect([first.exitCode, first.stderr]).toEqual([
      8,
      expect.stringContaining(`The database ${operator.path('live.db')} does not exist. Check its name,`),
    ])
    expect(first.stderr).toContain('custody sandbox seed --profile live')
    const { stderr } = await operator.run(['products', 'import', operator.fixture('catalog.csv')])
    const made = `Created a database of Northgate Cards (production) without sample data: ${operator.path('live.db')}`
    expect(stderr.startsWith(`${made}\nWriting to PRODUCTION: embedded database `)).toBe(true)
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
    [['init', '--api-key', 'sk_sandbox_x'], '--api-key is rejected.'],
    [['init', '--api-key=sk_sandbox_x'], '--api-key is rejected.'],
  ])('rejects %j without a terminal and names the flag', async (args, message) => {
    const { exitCode, stdout, stderr } = await operator.run(args, { input: 'sk' })
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).not.toContain('sk_sandbox_x')
  })

  test('keeps a profile of its name that another run saved during the check, and says so', async () => {
    expect((await init(production, 'shop')).exitCode).toBe(0)
    const saved = operator.read('config/custody/config.json')
    operator.write('saved.json', saved)
    operator.write('config/custody/config.json', '{}')
    operator.write('key.txt', `${sandbox.key}\n`)
    const meanwhile = `cat saved.json > ${config()}; cat key.txt`
    const args = ['init', '--base-url', sandbox.baseUrl, '--name', 'shop', '--api-key-command', meanwhile]
    expect(await operator.run(args)).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining(
        'custody init: Another run has saved the profile shop meanwhile. Choose another name with --name, or run it again to replace that profile.',
      ),
    })
    expect(operator.read('config/custody/config.json')).toBe(saved)
  })

  test('asks before it replaces a profile, and needs --yes without a terminal', async () => {
    await init(sandbox, 'shop')
    expect((await init(production, 'shop')).exitCode).toBe(2)
    expect((await init(production, 'shop', ['--yes'])).exitCode).toBe(0)
    expect((await operator.json<{ environment: string }>(['profiles', 'show'])).environment).toBe(
      'production',
    )
  })
})

describe('profiles', () => {
  test('are listed, shown, used, and deleted, and never show their keys', async () => {
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
      'No profile is current now',
    )
    expect(operator.read('config/custody/config.json')).not.toContain(production.key)
    expect(await operator.json<unknown[]>(['profiles', 'ls'])).toHaveLength(1)
  })

  test.each(['use', 'show', 'rm'])(
    '%s: an unknown name is not found, and the closest one is suggested',
    async (verb) => {
      await operator.run(['init', '--database', 'x.db', '--name', 'northgate', '--no-check'])
      const { exitCode, stderr } = await operator.run(['profiles', verb, 'nortgate'])
      expect([exitCode, stderr]).toEqual([
        4,
        `custody profiles ${verb}: There is no profile named "nortgate". Did you mean northgate?\n`,
      ])
    },
  )

  test('name the target of a write, and production as such', async () => {
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

  test('that this version cannot read fail only if they are used, and ls and doctor name them', async () => {
    await init(sandbox, 'shop')
    const saved = JSON.parse(operator.read('config/custody/config.json'))
    const later = { base_url: sandbox.baseUrl, api_key: 'sk_later', environment: 'staging' }
    const stored = { ...saved, profiles: { ...saved.profiles, later } }
    operator.write('config/custody/config.json', JSON.stringify(stored))
    const fault = 'The profile later has an environment other than sandbox and production.'
    const remedy = 'Create it again with: custody init --name later'
    expect((await operator.run(['items', 'ls'])).exitCode).toBe(0)
    const used = await operator.run(['items', 'ls', '--profile', 'later'])
    expect(used).toMatchObject({ exitCode: 2, stderr: `custody items ls: ${fault} ${remedy}\n` })
    const listed = await operator.run(['profiles', 'ls', '--json'])
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { kind: 'service' },
      { name: 'later', kind: 'unreadable' },
    ])
    for (const { stdout, stderr, exitCode } of [listed, await operator.run(['doctor'])]) {
      expect(exitCode).toBe(0)
      expect(stdout + stderr).toContain(`${fault} ${remedy}, or delete it: custody profiles rm later`)
    }
    await operator.run(['profiles', 'use', 'shop'])
    expect(JSON.parse(operator.read('config/custody/config.json'))).toEqual(stored)
    expect((await operator.run(['profiles', 'rm', 'later', '--yes'])).exitCode).toBe(0)
    expect(JSON.parse(operator.read('config/custody/config.json'))).toEqual(saved)
  })

  test('are rejected by every command if others can read the configuration', async () => {
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
})

describe('custody whoami', () => {
  test('says where each setting comes from', async () => {
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
