import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OwnSubject, openOwnSubject } from '../../src/cli/commands/conformance/own-subject.ts'
import type { Reply } from '../../src/contract/call.ts'
import { createHttpServer, type HttpServer } from '../../src/service/http/http.ts'
import { custody } from './custody.ts'

describe('custody conformance', () => {
  let own: OwnSubject
  const servers: HttpServer[] = []
  beforeAll(async () => {
    own = await openOwnSubject()
  })
  afterAll(async () => {
    for (const server of servers) await server.close()
    await own.close()
  })

  /** The address of one of the services, with a change to its answers. */
  async function serve(
    name: 'sandbox' | 'production',
    change = (reply: Reply): Reply => reply,
  ): Promise<string> {
    const { handle, signal } = own.services[name]
    const service = {
      signal,
      handle: async (call: Parameters<typeof handle>[0]) => change(await handle(call)),
    }
    const server = await createHttpServer({ service, db: own.db })
    servers.push(server)
    return server.listen('127.0.0.1', 0)
  }

  test('examines itself without an address, one line a clause, and exits 0', async () => {
    const { code, out, err } = await custody(['conformance', '--only', '4.5,9-1'])
    expect(code).toBe(0)
    expect(out.map((line) => line.split('\t').slice(0, 2))).toEqual([
      ['verdict', 'clause'],
      ['ok', '4.5-1'],
      ['ok', '4.5-2'],
      ['not seen', '9-1'],
    ])
    expect(out[3]).toMatch(/only HTTP has it; give --base-url$/)
    expect(err).toEqual(['Testing this installation, on a temporary database', '2 ok, 0 failed, 1 not seen'])
  })

  test("uses the environment's key over HTTP, and checks what only HTTP has", async () => {
    const env = { CUSTODY_API_KEY: own.subject.key }
    const at = ['--base-url', await serve('sandbox'), '--yes']
    const { code, out } = await custody(['conformance', ...at, '--only', '9-1,5-4,D1-1,D9-2'], env)
    expect(code).toBe(0)
    expect(out.slice(1).map((line) => line.split('\t').slice(0, 2))).toEqual([
      ['not seen', '5-4'],
      ['ok', '9-1'],
      ['not seen', 'D1-1'],
      ['ok', 'D9-2'],
    ])
  })

  test('says what it saw if a clause is not met, and exits 9', async () => {
    const address = await serve('sandbox', (reply) => ({
      ...reply,
      body: reply.body.replace('"upc":null,', ''),
    }))
    const env = { CUSTODY_API_KEY: own.subject.key }
    const { code, out, err } = await custody(
      ['conformance', '--base-url', address, '--only', '4.2-4', '--yes'],
      env,
    )
    expect(code).toBe(9)
    expect(out[1]).toBe(
      'FAILED\t4.2-4\tGET /products is filtered by sku\t' +
        "createProduct answered 201 against its schema: the body must have required property 'upc'",
    )
    expect(err).toEqual([
      `Testing ${address}/v1`,
      '0 ok, 1 failed, 0 not seen',
      'Removed: nothing. Left: 1 product.',
    ])
  })

  test('examines only a service named on the command line, and needs --yes unattended', async () => {
    const env = { CUSTODY_BASE_URL: 'http://127.0.0.1:9', CUSTODY_API_KEY: 'sk_x' }
    const own = await custody(['conformance', '--only', '4.2-4'], env)
    expect([own.code, own.err[0]]).toEqual([0, 'Testing this installation, on a temporary database'])
    const named = await custody(['conformance', '--base-url', 'http://127.0.0.1:9'], env)
    expect([named.code, named.err[0]]).toEqual([2, expect.stringContaining('Continue? Confirm with --yes.')])
  })

  test('takes back webhooks, orders, and transfers, and lists what stays', async () => {
    const at = ['--base-url', await serve('sandbox'), '--yes']
    const { err } = await custody(['conformance', ...at, '--only', 'D10-4,D10-16,4.7-6'], {
      CUSTODY_API_KEY: own.subject.key,
    })
    expect(err.at(-1)).toMatch(/^Removed: .*\d+ orders?.*\. Left: .*\d+ items.*\.$/)
    const [removed, left] = (err.at(-1) ?? '').split('Left: ')
    expect(removed).toMatch(/webhooks?/)
    expect(left).not.toMatch(/webhook/)
    const hooks = await custody(['webhooks', 'ls', '--json', ...at.slice(0, 2)], {
      CUSTODY_API_KEY: own.subject.key,
    })
    expect(JSON.parse(hooks.out.join(''))).toEqual([])
  })

  test('checks a sandbox whose clock was moved by years', async () => {
    const env = { CUSTODY_API_KEY: own.subject.key }
    const at = ['--base-url', await serve('sandbox')]
    expect((await custody(['sandbox', 'clock', '--advance', '3650d', ...at], env)).code).toBe(0)
    const { err } = await custody(['conformance', ...at, '--yes', '--only', '2.7-1,4.4-4'], env)
    expect(err[1]).toBe('2 ok, 0 failed, 0 not seen')
  })

  test('prints the findings as objects with --json', async () => {
    const { code, out } = await custody(['conformance', '--only', '4.2-4', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out.join('\n'))).toEqual([
      { clause: '4.2-4', text: 'GET /products is filtered by sku', verdict: 'ok', seen: '' },
    ])
  })

  test('creates nothing in production and exits 2', async () => {
    const env = { CUSTODY_API_KEY: own.subject.production?.key ?? '' }
    const { code, out, err } = await custody(
      ['conformance', '--base-url', await serve('production'), '--yes'],
      env,
    )
    expect([code, out]).toEqual([2, []])
    expect(err[1]).toContain('does not serve a sandbox')
  })

  test.each([
    ['no key', ['--base-url', 'http://127.0.0.1:9'], {}, 3, 'There is no API key for'],
    [
      'a missing key file',
      ['--base-url', 'http://127.0.0.1:9'],
      { CUSTODY_API_KEY_FILE: 'none' },
      2,
      'There is no file',
    ],
    ['an invalid address', ['--base-url', '8080'], { CUSTODY_API_KEY: 'sk_x' }, 2, 'is not an address'],
    [
      'an address where nobody answers',
      ['--base-url', 'http://127.0.0.1:9'],
      { CUSTODY_API_KEY: 'sk_x' },
      8,
      'Nothing answers',
    ],
    ['an unknown clause', ['--only', '12'], {}, 2, 'no clause starts with 12'],
  ])('reports %s with a fitting exit code', async (_, args, env, expected, message) => {
    const { code, err } = await custody(['conformance', ...args, '--yes'], env)
    expect(code).toBe(expected)
    expect(err.join('\n')).toContain(message)
  })

  test('exits 3 for a rejected key', async () => {
    const env = { CUSTODY_API_KEY: 'sk_sandbox_wrong' }
    const { code } = await custody(['conformance', '--base-url', await serve('sandbox'), '--yes'], env)
    expect(code).toBe(3)
  })
})
