import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newCliUser } from '../support/cli-io.ts'
import { cliUser, forAllTests, serviceOf } from '../support/each.ts'

const rows = 'name,sku,length,width,height,dimension_unit,weight,weight_unit\nBox,B-1,1,1,1,in,1,oz\n'
const key = `sk_sandbox_${'0'.repeat(32)}`

const user = forAllTests(cliUser)
const service = forAllTests(
  serviceOf((request, response) => {
    const body = { code: 'internal_error', message: `A fault with ${key}.`, extra: {} }
    request.resume().on('end', () => {
      response.writeHead(500, { 'content-type': 'application/json', 'x-request-id': 'req-7' })
      response.end(JSON.stringify(body))
    })
  }),
)

test('version names the versions custody runs on', async () => {
  const { code, out } = await user.run(['version', '--json'])
  expect([code, JSON.parse(out)]).toEqual([
    0,
    {
      custody: (await user.run(['--version'])).out.trim(),
      schema: expect.any(Number),
      node: process.version,
      sqlite: expect.stringMatching(/^3\./),
      platform: `${process.platform} ${process.arch}`,
    },
  ])
})

describe('bug', () => {
  test('prints versions, checks, and the last failure with its request id, and no key', async () => {
    const before = await user.run(['bug', '--database', 'none.db'])
    expect([before.code, before.out]).toEqual([0, expect.stringContaining('Last fault:\n  none\n')])
    expect((await user.run(['items', 'show', 'Grace Okafor'], { env: service.env })).code).toBe(8)
    const { code, out } = await user.run(['bug'], { env: service.env })
    expect(code).toBe(0)
    expect(out).toMatch(/^custody \d+\.\d+\.\d+, database schema \d+, Node\.js v/)
    expect(out).toMatch(/Checks:\n {2}\w/)
    expect(out).toMatch(/ custody items show: A fault with \*+\.\n {2}request id: req-7\n/)
    expect(out).not.toMatch(/7{12}|Okafor/)
  })

  test('cuts a message as the failure itself did', async () => {
    await user.run(['items', 'ls', '--database', `${'x'.repeat(60_000)}.db`])
    const { out } = await user.run(['bug', '--database', 'none.db'])
    expect(out).toContain('xxx...')
    expect(out.length).toBeLessThan(2_000)
  })

  test.each([
    [
      'a service that does not answer',
      'items ls',
      ['--base-url', 'http://127.0.0.1:9/v1', '--max-wait', '0'],
      8,
    ],
    ['a profile that does not exist', 'profiles show', ['gone'], 4],
  ])('names %s', async (_, command, options, code) => {
    const failed = await user.run([...command.split(' '), ...options], { env: { CUSTODY_API_KEY: key } })
    expect(failed.code).toBe(code)
    const { out } = await user.run(['bug', '--database', 'none.db'])
    const [, fault = ''] = /^(custody .*?\.)\s/.exec(failed.err) ?? []
    expect(out).toContain(` ${fault}\n`)
  })

  test('ignores a wrong argument', async () => {
    const other = newCliUser()
    expect((await other.run(['items', 'lst'])).code).toBe(2)
    expect(existsSync(join(other.home, '.local'))).toBe(false)
    other.dispose()
  })
})

describe('config', () => {
  test('lists, gets, and sets settings; a wrong name or value changes nothing', async () => {
    await user.run(['init', '--name', 'here', '--database', 'here.db', '--yes'])
    for (const [args, message] of [
      [['exel', 'true'], 'There is no setting "exel". Did you mean excel?'],
      [['excel', 'yes'], 'excel: "yes" is not one of true, false, "," and ";".'],
    ] as const)
      expect(await user.run(['config', 'set', ...args])).toMatchObject({
        code: 2,
        err: expect.stringContaining(message),
      })
    expect((await user.run(['config', 'set', 'profile', 'ther'])).code).toBe(4)
    expect((await user.run(['config', 'set', 'excel', ';'])).code).toBe(0)
    expect((await user.run(['config', 'get', 'excel'])).out).toBe(';\n')
    const { out } = await user.run(['config', 'list', '--columns', 'setting,value', '--no-header'])
    expect(out).toBe('profile\there\nexcel\t;\n')
    await user.run(['config', 'set', 'excel'])
    expect((await user.run(['config', 'get', 'excel'])).out).toBe('\n')
  })
})

describe('--quiet', () => {
  test('keeps results, failed rows, and errors, and drops the rest', async () => {
    const args = ['products', 'import', '-', '--database', 'q.db', '--no-seed', '--errors', 'q.csv']
    const input = `${rows}Box,,1,1,1,in,1,oz\n`
    const loud = await user.run(args, { input })
    expect(loud.err).toContain('Writing to sandbox')
    const quiet = await user.run([...args, '-q'], { input })
    expect(quiet.code).toBe(9)
    expect(quiet.err).not.toContain('Writing to sandbox')
    expect(quiet.err).toMatch(/^1 row failed:\n {2}row 2, line 3 .*sku/)
    expect(quiet.out).toBe(
      loud.out.replace(/created\t1/, 'created\t0').replace(/unchanged\t0/, 'unchanged\t1'),
    )
    const narrow = ['products', 'ls', '--database', 'q.db']
    expect((await user.run(narrow, { terminal: 40 })).err).toContain('no room for')
    expect((await user.run([...narrow, '-q'], { terminal: 40 })).err).toBe('')
    const { code, err } = await user.run(['items', 'show', 'Q-1', '--quiet', '--database', 'q.db'])
    expect([code, err]).toEqual([4, expect.stringContaining('custody items show:')])
  })
})

test('--no-input asks nothing in a terminal', async () => {
  const { code, err } = await user.run(['profiles', 'rm', 'here', '--no-input'], { terminal: 80 })
  expect([code, err]).toEqual([2, expect.stringContaining('Confirm with --yes.')])
})

test('a file that is the terminal is named', async () => {
  const args = ['products', 'import', '-', '--database', 't.db', '--no-seed', '--output', 'json']
  const { err } = await user.run(args, { input: rows, terminal: 80 })
  expect(err).toContain('Reading from this terminal; end with Ctrl-D.\n')
  expect((await user.run(args, { input: rows })).err).not.toContain('terminal')
})
