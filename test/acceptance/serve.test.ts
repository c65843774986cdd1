import { once } from 'node:events'
import { cpSync, existsSync, openSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { execa, type Options } from 'execa'
import { describe, expect, test } from 'vitest'
import { forEachTest } from '../support/each.ts'
import { freePort, listening } from '../support/free-port.ts'
import { operatorWith, root } from '../support/operator.ts'

const operator = forEachTest(operatorWith('empty'))

describe.skipIf(!existsSync('/dev/full'))('serve continues until it is stopped', () => {
  const full = (): 1 => openSync('/dev/full', 'w') as 1
  const cases: Array<[string, () => Options, boolean?]> = [
    ['although stdout is on a full disk', () => ({ stdout: full() })],
    ['although the reader of stdout is gone', () => ({}), true],
    ['although stderr is on a full disk', () => ({ stderr: full() })],
  ]

  test.each(cases)('%s', async (_, options, isUnread) => {
    const given = options()
    const started = operator.start(['serve', '--port', '0', '--metrics-port', '0'], given)
    if (isUnread) started.stdout?.destroy()
    const output = (given.stderr === undefined ? started.stderr : started.stdout) as Readable
    const address = /http:\/\/[\d.]+:\d+/.exec(String((await once(output, 'data'))[0]))?.[0]
    expect((await fetch(`${address}/healthz`)).status).toBe(200)
    started.kill('SIGTERM')
    const { exitCode, stderr } = await started
    expect(exitCode).toBe(0)
    if (given.stderr !== undefined) return
    expect(stderr).toContain(JSON.stringify(operator.database))
    expect(stderr).toContain('"msg":"the ready line cannot be written"')
  })
})

test('serve writes the warning about a password on its command line as JSON, like the rest of its log', async () => {
  const { stderr } = await operator.real(['serve', '--database', 'postgres://a:secret@127.0.0.1:1/x'])
  const [warning, ...others] = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(warning).toMatchObject({ level: 'warn', msg: expect.stringMatching(/^everyone .* set PGPASSWORD/) })
  expect(others).toMatchObject([{ level: 'error', exit_code: 8 }])
  expect(stderr).not.toContain('secret')
})

test('serve without a terminal continues after a hang-up, as nohup asks', async () => {
  const started = operator.start(['serve', '--port', '0'])
  await once(started.stdout as Readable, 'data')
  started.kill('SIGHUP')
  started.kill('SIGTERM')
  expect((await started).exitCode).toBe(0)
})

test('serve answers every kind of request although an upgrade has deleted its files', async () => {
  const place = ['--database', operator.database]
  await operator.here(['admin', 'partners', 'create', 'Northgate', ...place])
  const { key } = await operator.look<{ key: string }>(['admin', 'keys', 'create', 'Northgate', ...place])
  const installed = operator.path('installed')
  for (const part of ['bin', 'package.json', 'dist/custody.cjs', 'dist/parts'])
    cpSync(join(root, part), join(installed, part), { recursive: true })
  const program = join(installed, 'bin', 'custody.js')
  const serve = execa(process.execPath, [program, 'serve', ...place, '--port', '0'])
  const address = /http:\S+/.exec(String((await once(serve.stdout, 'data'))[0]))?.[0] ?? ''
  rmSync(join(installed, 'dist'), { recursive: true })

  operator.fixture('catalog.csv')
  const order = operator.fixture('fulfillments/orders.csv')
  const env = { CUSTODY_API_KEY: key }
  const run = (...args: string[]) => operator.here([...args, '--base-url', address], { env })
  const answers = [
    await run('products', 'import', 'catalog.csv'),
    await run('manifests', 'submit', operator.fixture('buy-sheets/clean.csv'), '--reference', 'PO-1'),
    await run('sandbox', 'receive', 'PO-1'),
    await run('fulfillments', 'ls'),
    await run('transfers', 'ls'),
    await run('webhooks', 'ls'),
    await run('sandbox', 'clock', '--advance', '1h'),
  ]
  expect(answers.map(({ exitCode, stderr }) => (exitCode === 0 ? 0 : stderr))).toEqual(answers.map(() => 0))
  expect((await run('fulfillments', 'import', order)).exitCode).toBe(9)
  expect((await fetch(`${address}/openapi.json`)).status).toBe(200)
  serve.kill('SIGTERM')
  expect((await serve).stderr).not.toContain('"level":"error"')
})

test('a used port is named with the flag that chooses it', async () => {
  const taken = createServer()
  const port = await listening(taken)
  const free = await freePort()
  const flags = [
    ['--metrics-port', ['--port', `${free}`, '--metrics-port', `${port}`]],
    ['--port', ['--port', `${port}`, '--metrics-port', `${free}`]],
  ] as const
  for (const [flag, given] of flags) {
    const { exitCode, stderr } = await operator.run(['serve', ...given])
    expect([exitCode, JSON.parse(stderr)]).toEqual([
      8,
      {
        level: 'error',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        code: 'unreachable',
        extra: {},
        exit_code: 8,
        hint: expect.stringContaining(`${flag} 0 picks a free one`),
        msg: `Cannot listen on 127.0.0.1 port ${port}: the port is in use.`,
      },
    ])
  }
  taken.close()
  const { stderr } = await operator.run(['serve', '--host', '192.0.2.1', '--port', '0'])
  expect(stderr).toContain('Cannot listen on 192.0.2.1 port 0: the address does not belong to this machine.')
})
