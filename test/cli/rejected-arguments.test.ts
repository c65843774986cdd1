import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatApiKey } from '../../src/domain/api-key.ts'
import { cliUser, forAllTests } from '../support/each.ts'

const user = forAllTests(cliUser)

const key = formatApiKey('sandbox', new Uint8Array(32).fill(7))
const liveKey = formatApiKey('production', new Uint8Array(32).fill(7))
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

describe('a key or secret in any word is rejected and not repeated', () => {
  test.each([
    [['whoami', key], 'An API key'],
    [['manifests', 'show', liveKey], 'An API key'],
    [[key], 'An API key'],
    [['help', key], 'An API key'],
    [['items', 'ls', `--search=${key}`], 'An API key'],
    [['items', 'ls', '--output', liveKey], 'An API key'],
    [['items', 'ls', '--status', 'available', '--', liveKey], 'An API key'],
    [['admin', 'keys', 'revoke', liveKey, '--yes'], 'An API key'],
    [['profiles', 'ls', '--api-key=mine'], 'An API key'],
    [['items', 'ls', '--output', liveKey.slice(0, 24)], 'An API key'],
    [['events', 'tail', '--exec', `curl -H "x-api-key: ${key}" example.com`], 'An API key'],
    [['webhooks', 'show', secret], 'A secret'],
    [['items', 'ls', '--secret=mine'], 'A secret'],
  ])('%j', async (args, what) => {
    for (const flags of [[], ['--json'], ['--debug']]) {
      const { code, out, err } = await user.run([...args, ...flags])
      expect([code, out, err]).toEqual([
        2,
        '',
        expect.stringContaining(`${what} on the command line is visible`),
      ])
      expect(err).toContain('is rejected.')
      expect(err).not.toMatch(/sk_(live|sandbox)_|whsec_|mine/)
    }
  })

  test('a rejected key comes with advice on how to name one', async () => {
    const { err } = await user.run(['admin', 'keys', 'revoke', liveKey])
    expect(err).toContain('Name it by its prefix or id; see: custody admin keys ls')
  })

  test('a display prefix may name a key', async () => {
    await user.run(['sandbox', 'reset', '--no-seed', '--yes'])
    const { err } = await user.run(['manifests', 'show', liveKey.slice(0, 14)])
    expect(err).toContain(`"${liveKey.slice(0, 14)}"`)
  })
})

describe('a flag in place of a value is rejected', () => {
  test.each([
    [['items', 'ls', '--search', '--json'], '--search <text> needs a value, and --json is a flag.'],
    [['items', 'ls', '--search', '-q'], '--search <text> needs a value, and -q is a flag.'],
    [['items', 'ls', '--search', '--help'], '--search <text> needs a value, and --help is a flag.'],
    [
      ['manifests', 'report', 'PO-7', '--html', '--excel'],
      '--html <file> needs a value, and --excel is a flag.',
    ],
    [['items', 'ls', '--columns', '--debug'], '--columns <names> needs a value, and --debug is a flag.'],
  ])('%j', async (args, message) => {
    const { code, err } = await user.run(args)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('a flag with an empty value is rejected', () => {
  test.each([
    [['items', 'ls', '--base-url', ''], '--base-url'],
    [['items', 'ls', '--database='], '--database'],
    [['--profile', '', 'items', 'ls'], '--profile'],
    [['db', 'stats', '--database', ''], '--database'],
    [['warehouse', 'intake', '--sku', 'a', '--manifest', ''], '--manifest'],
    [['products', 'import', 'none.csv', '--sheet', ''], '--sheet'],
    [['products', 'import', 'none.csv', '--idempotency-key', ''], '--idempotency-key'],
  ])('%j', async (args, flag) => {
    const { code, out, err } = await user.run(args)
    expect([code, out, err]).toEqual([
      2,
      '',
      expect.stringContaining(`: ${flag} is empty: give it a value, or leave it out.\n`),
    ])
  })
})

describe('a single-value flag given twice is rejected', () => {
  test.each([
    [['items', 'ls', '--limit', '5', '--limit', '6'], '--limit', 'It takes one value.'],
    [['items', 'ls', '--search', 'a', '--search=a'], '--search', 'It takes one value.'],
    [['--profile', 'live', 'items', 'ls', '--profile', 'test'], '--profile', 'It takes one value.'],
    [['items', 'ls', '-o', 'tsv', '--output', 'csv'], '--output', 'It takes one value.'],
    [['events', 'ls', '--type', 'a', '--type', 'b'], '--type', 'Separate the values with commas: --type a,b'],
    [['products', 'create', '--name', 'a', '--name', 'b'], '--name', 'It takes one value.'],
    [
      ['fulfillments', 'create', '--sku', 'A', '--quantity', '2', '--sku', 'B', '--quantity', '3'],
      '--quantity',
      'It takes one value; for several: --sku BOX:2 --sku CASE',
    ],
  ])('%j', async (args, flag, hint) => {
    const { code, out, err } = await user.run(args)
    expect([code, out, err]).toEqual([
      2,
      '',
      expect.stringContaining(`: ${flag} is given more than once. ${hint}\n`),
    ])
  })

  test('flags that collect values, and switches, may repeat', async () => {
    writeFileSync(join(user.home, 'c.csv'), 'Title,Code\nBox,B-1\n')
    const map = ['--map', 'Title=name', '--map', 'Code=sku']
    const mapped = await user.run(['products', 'import', 'c.csv', '--dry-run', ...map])
    expect(mapped.err).not.toContain('more than once')
    expect((await user.run(['items', 'summary', '--json', '--json'])).code).toBe(0)
    expect((await user.run(['items', 'ls', '--sku', 'a', '--sku=b'])).code).toBe(0)
  })
})

describe('a password in an address on the command line', () => {
  // Rejected before any connection.
  const nowhere = '@one,two/x'
  test.each([
    [['items', 'ls', '--database', `postgres://me:sesame${nowhere}`]],
    [['items', 'ls', `--database=postgresql://me:ses/a?me${nowhere}`]],
    [['db', 'stats', '--database', 'postgres://one,two/x?user=me&password=sesame']],
    [['admin', 'partners', 'ls', '--database', `POSTGRES://:sesame${nowhere}`]],
    [['doctor', '--database', `postgres://me:sesame${nowhere}`]],
    [['db', 'copy', '--from', `postgres://me:sesame${nowhere}`, '--to', `postgres://me:sesame${nowhere}`]],
  ])('%j: is warned about, naming PGPASSWORD and CUSTODY_DATABASE, and not repeated', async (args) => {
    const { out, err } = await user.run(args)
    expect(err).toMatch(/^Warning: .*command line.*PGPASSWORD.*CUSTODY_DATABASE\.\n/)
    expect(out + err).not.toMatch(/sesame|ses\/a/)
    expect(err.match(/Warning/g)).toHaveLength(1)
  })

  test.each([
    [['items', 'ls', '--database', `postgres://me${nowhere}`], {}],
    [['items', 'ls', '--search', 'me:sesame@example.com', '--no-seed'], {}],
    [['items', 'ls'], { CUSTODY_DATABASE: `postgres://me:sesame${nowhere}` }],
  ])('%j with %j: gives no warning', async (args, env) => {
    const { err } = await user.run(args, { env })
    expect(err).not.toContain('Warning')
  })
})
