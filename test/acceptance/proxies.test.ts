import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proxyFor } from '../../src/cli/connection/proxy.ts'
import { forAllTests } from '../support/each.ts'
import { listening } from '../support/free-port.ts'
import { operatorWith } from '../support/operator.ts'

const folder = join(import.meta.dirname, '..', 'support', 'receiver')
const certificate = join(folder, 'certificate.pem')
const summary = JSON.stringify({ by_status: { available: 3 }, total: 3 })

const operator = forAllTests(operatorWith('empty'))
let proxy: { address: string; asked: string[]; rejected: number | undefined; close(): void }
let receiver: { port: number; received: string[]; close(): void }

beforeAll(async () => {
  receiver = await startTls()
  proxy = await startProxy(receiver.port)
})
afterAll(() => {
  proxy.close()
  receiver.close()
})

/** Answers like a service, and records the paths. */
async function startTls() {
  const received: string[] = []
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  const tls = createTlsServer(
    { key: read('key.pem'), cert: read('certificate.pem') },
    (request, response) => {
      received.push(`${request.method} ${request.url}`)
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' }).end(summary)
    },
  )
  const close = (): void => {
    tls.closeAllConnections()
    tls.close()
  }
  return { port: await listening(tls), received, close }
}

/** Answers http addresses itself; tunnels every https address to the service above. */
async function startProxy(port: number) {
  const asked: string[] = []
  const state = { asked, rejected: undefined as number | undefined, address: '', close: () => {} }
  const server = createServer((request, response) => {
    asked.push(`${request.headers['proxy-authorization'] ?? ''} ${request.method} ${request.url}`)
    if (state.rejected !== undefined) return void response.writeHead(state.rejected).end('<p>No</p>')
    response.writeHead(200, { 'content-type': 'application/json' }).end(summary)
  })
  server.on('connect', (request, socket) => {
    asked.push(`${request.headers['proxy-authorization'] ?? ''} CONNECT ${request.url}`)
    if (state.rejected !== undefined) return void socket.end(`HTTP/1.1 ${state.rejected} No\r\n\r\n`)
    const through = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n')
      through.pipe(socket).pipe(through)
    })
    through.on('error', () => socket.destroy())
    socket.on('error', () => through.destroy())
  })
  state.address = `http://127.0.0.1:${await listening(server)}`
  state.close = () => {
    server.closeAllConnections()
    server.close()
  }
  return state
}

const target = (baseUrl: string) => ({
  CUSTODY_DATABASE: '',
  CUSTODY_BASE_URL: baseUrl,
  CUSTODY_API_KEY: 'csk_test',
})

describe('a service behind a proxy', () => {
  test('is reached over https through the tunnel of HTTPS_PROXY, with the authority in NODE_EXTRA_CA_CERTS', async () => {
    const env = {
      ...target('https://custody.receiver.test/v1'),
      HTTPS_PROXY: proxy.address.replace('//', '//me:sesame@'),
      NODE_EXTRA_CA_CERTS: certificate,
    }
    const { exitCode, stdout, stderr } = await operator.run(['items', 'summary', '--json'], { env })
    expect([exitCode, JSON.parse(stdout), stderr]).toEqual([0, JSON.parse(summary), ''])
    expect(proxy.asked.at(-1)).toBe('Basic bWU6c2VzYW1l CONNECT custody.receiver.test:443')
    const untrusting = await operator.run(['items', 'summary'], { env: { ...env, NODE_EXTRA_CA_CERTS: '' } })
    expect([untrusting.exitCode, untrusting.stderr]).toEqual([
      8,
      expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    ])
    expect(untrusting.stderr).not.toContain('sesame')
  })

  test('is reached over http through HTTP_PROXY, except for hosts in NO_PROXY', async () => {
    const env = { ...target('http://custody.receiver.test/v1'), HTTP_PROXY: proxy.address }
    expect((await operator.run(['items', 'summary'], { env })).exitCode).toBe(0)
    expect(proxy.asked.at(-1)).toBe(' GET http://custody.receiver.test/v1/items/summary')
    const asked = proxy.asked.length
    const without = { ...env, NO_PROXY: 'receiver.test' }
    expect((await operator.run(['items', 'summary', '--max-wait', '0'], { env: without })).exitCode).toBe(8)
    expect(proxy.asked.length).toBe(asked)
  })

  test.each([
    [
      'https',
      407,
      'HTTPS_PROXY',
      'me:sesame@',
      'requires another user name and password (407). Correct them in HTTPS_PROXY.',
    ],
    [
      'https',
      407,
      'https_proxy',
      '',
      'requires a user name and password (407). Set https_proxy=http://USER:PASSWORD@127',
    ],
    [
      'http',
      407,
      'HTTP_PROXY',
      '',
      'requires a user name and password (407). Set HTTP_PROXY=http://USER:PASSWORD@127',
    ],
    [
      'https',
      403,
      'HTTPS_PROXY',
      'me:sesame@',
      'rejects https://custody.receiver.test (403). Ask who runs the proxy',
    ],
    [
      'https',
      502,
      'HTTPS_PROXY',
      'me:sesame@',
      'cannot reach https://custody.receiver.test (502). Check the address',
    ],
    ['http', 403, 'HTTP_PROXY', '', 'rejects http://custody.receiver.test (403). Ask who runs the proxy'],
    ['http', 503, 'HTTP_PROXY', '', 'cannot reach http://custody.receiver.test (503). Check the address'],
  ])(
    'over %s, %i of the proxy in %s is explained without doubt and password',
    async (scheme, status, variable, login, words) => {
      proxy.rejected = status
      const env = {
        ...target(`${scheme}://custody.receiver.test/v1`),
        [variable]: proxy.address.replace('//', `//${login}`),
      }
      const create = ['webhooks', 'create', 'https://shop.example/hooks', '--max-wait', '0']
      const { exitCode, stderr } = await operator.run(create, { env })
      proxy.rejected = undefined
      const shown = proxy.address.replace('//', login ? '//[hidden]@' : '//')
      expect([exitCode, stderr]).toEqual([8, expect.stringContaining(`: The proxy ${shown} ${words}`)])
      expect(stderr).not.toMatch(/sesame|may have been carried out/)
    },
  )

  test.each([502, 504])('over http, %i of the proxy leaves a write in doubt', async (status) => {
    proxy.rejected = status
    const env = { ...target('http://custody.receiver.test/v1'), HTTP_PROXY: proxy.address }
    const request = ['transfers', 'request', 'Q-GNJ8-TF8K-B9DS', '--max-wait', '0']
    const { exitCode, stderr } = await operator.run(request, { env })
    proxy.rejected = undefined
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining(`The proxy ${proxy.address} cannot`)])
    expect(stderr).toContain('may have been carried out')
  })

  test('that does not answer is named instead of the service', async () => {
    const env = { ...target('https://custody.receiver.test/v1'), HTTPS_PROXY: 'http://me:sesame@127.0.0.1:9' }
    const { exitCode, stderr } = await operator.run(['items', 'summary', '--max-wait', '0'], { env })
    expect([exitCode, stderr]).toEqual([
      8,
      expect.stringContaining(
        'Nothing answers at the proxy http://[hidden]@127.0.0.1:9 (ECONNREFUSED). Check HTTPS_PROXY.',
      ),
    ])
  })

  test('is named by doctor with its variable', async () => {
    const env = { ...target('http://custody.receiver.test/v1'), http_proxy: proxy.address }
    const { stdout } = await operator.run(['doctor'], { env })
    expect(stdout).toContain(`proxy\tok\t${proxy.address} (from http_proxy)`)
  })
})

test.each<[string, Record<string, string>, string | undefined]>([
  ['https://a.example/v1', { HTTPS_PROXY: 'p:3128' }, 'http://p:3128'],
  ['https://a.example/v1', { HTTP_PROXY: 'p:3128' }, undefined],
  ['https://a.example/v1', { HTTPS_PROXY: 'http://p', https_proxy: 'http://q' }, 'http://q'],
  ['https://a.example/v1', { HTTPS_PROXY: 'http://p', NO_PROXY: '*' }, undefined],
  ['https://a.example/v1', { HTTPS_PROXY: 'http://p', NO_PROXY: 'b.example, .example' }, undefined],
  ['https://a.example/v1', { HTTPS_PROXY: 'http://p', NO_PROXY: '*.example:8443' }, 'http://p'],
  ['https://a.example:8443/v1', { HTTPS_PROXY: 'http://p', no_proxy: 'a.example:8443' }, undefined],
  ['https://ba.example/v1', { HTTPS_PROXY: 'http://p', NO_PROXY: 'a.example' }, 'http://p'],
  ['https://a.example./v1', { HTTPS_PROXY: 'http://p', NO_PROXY: 'a.example' }, undefined],
  ['http://localhost:3000/v1', { HTTP_PROXY: 'http://p' }, undefined],
  ['http://127.0.0.1:3000/v1', { HTTP_PROXY: 'http://p' }, undefined],
])('%s with %j goes through %s', (address, env, proxied) => {
  expect(proxyFor(env, address)?.address).toBe(proxied)
})

test.each([
  ['socks5://me:sesame@p', 'socks5://[hidden]@p'],
  ['http://me:sesame@p:99999', 'http://[hidden]@p:99999'],
  ['http://me:p@sesame@p/proxy.pac', 'http://[hidden]@p/proxy.pac'],
  ['http://me:p/sesame@p', 'http://[hidden]@p'],
  ['http:\\\\me:sesame@p', '[hidden]@p'],
  ['me:%sesame@p', '[hidden]@p'],
])('%s is a usage error as a proxy, without its password', (given, shown) => {
  expect(() => proxyFor({ HTTPS_PROXY: given }, 'https://a.example')).toThrow(
    expect.objectContaining({
      message: `HTTPS_PROXY: "${shown}" is not the http or https address of a proxy.`,
      hint: 'Write http://USER:PASSWORD@HOST:PORT. In the password, write @ as %40, / as %2F, and % as %25.',
    }),
  )
})

test('an untrusted receiver gets posts only with --insecure-forward, which needs --forward-to', async () => {
  await operator.run(['sandbox', 'reset', '--yes'])
  const url = `https://127.0.0.1:${receiver.port}/hook`
  const secret = operator.write('secret', 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=')
  const tail = ['events', 'tail', '--forward-to', url, '--secret-file', secret, '--on-failure', 'stop']
  const rejected = await operator.run(tail)
  expect([rejected.exitCode, receiver.received.filter((line) => line === 'POST /hook')]).toEqual([9, []])
  expect((await operator.run([...tail, '--insecure-forward'])).exitCode).toBe(0)
  expect(receiver.received.filter((line) => line === 'POST /hook').length).toBeGreaterThan(0)
  const env = { HTTPS_PROXY: proxy.address }
  proxy.rejected = 407
  const proxied = await operator.run(tail.with(3, 'https://shop.example/hook'), { env })
  proxy.rejected = undefined
  expect([proxied.exitCode, proxied.stderr]).toEqual([
    9,
    expect.stringContaining('Set HTTPS_PROXY=http://USER:'),
  ])
  const alone = await operator.run(['events', 'tail', '--insecure-forward'])
  expect([alone.exitCode, alone.stderr]).toEqual([2, expect.stringContaining('--forward-to')])
})
