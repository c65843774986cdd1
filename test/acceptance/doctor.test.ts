import { chmodSync, existsSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { forAllTests, forEachTest } from '../support/each.ts'
import { listening } from '../support/free-port.ts'
import { operatorWith } from '../support/operator.ts'
import { servedBy } from '../support/served.ts'

const host = forAllTests(operatorWith('none'))
const sandbox = forAllTests(servedBy(host))
const production = forAllTests(servedBy(host, { environment: 'production' }))
const operator = forEachTest(operatorWith('none'))

type Found = Array<{ check: string; result: string; detail: string }>

async function doctor(args: string[], env: Record<string, string> = {}) {
  const { exitCode, stdout } = await operator.run(['doctor', ...args, '--json'], { env })
  const failed = (JSON.parse(stdout) as Found).filter(({ result }) => result === 'FAILED')
  return { exitCode, failed: failed.map(({ check }) => check) }
}

describe('custody doctor', () => {
  test('says that journals of earlier versions may be deleted', async () => {
    const folder = operator.path('state/custody/imports')
    mkdirSync(folder, { recursive: true })
    expect((await operator.run(['doctor'], { env: sandbox.env })).stdout).not.toContain('journals')
    operator.write('state/custody/imports/a.jsonl', '{}')
    const { exitCode, stdout } = await operator.run(['doctor'], { env: sandbox.env })
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining(`no longer used: you may delete ${folder}`),
    ])
  })

  test('exits with the code of the first failed check of a service', async () => {
    expect(await doctor([], sandbox.env)).toEqual({ exitCode: 0, failed: [] })
    expect(await doctor([], { ...sandbox.env, CUSTODY_API_KEY: 'sk_x' })).toEqual({
      exitCode: 3,
      failed: ['key'],
    })
    expect(await doctor([], { ...sandbox.env, CUSTODY_API_KEY: production.key })).toEqual({
      exitCode: 3,
      failed: ['key'],
    })
    chmodSync(operator.path(operator.write('key.txt', sandbox.key)), 0o644)
    const env = { CUSTODY_BASE_URL: sandbox.baseUrl, CUSTODY_API_KEY_FILE: 'key.txt' }
    expect((await operator.run(['doctor'], { env })).stdout).toContain('chmod 600')
    expect(await doctor(['--base-url', sandbox.baseUrl])).toEqual({ exitCode: 3, failed: ['key'] })
    expect(await doctor(['--base-url', 'http://127.0.0.1:9'], { CUSTODY_API_KEY: 'x' })).toEqual({
      exitCode: 8,
      failed: ['reachable'],
    })
  })

  test('reports a service whose clock differs, and a server that is not custody', async () => {
    const server = createServer((_, response) => {
      response.setHeader('date', 'Fri, 01 May 2026 09:00:00 GMT')
      response.writeHead(404).end('<html>')
    })
    const port = await listening(server)
    const found = await doctor(['--base-url', `http://127.0.0.1:${port}`], { CUSTODY_API_KEY: 'x' })
    server.close()
    expect(found).toEqual({ exitCode: 10, failed: ['operations', 'clock'] })
  })

  test("reports a profile whose environment differs from the service's", async () => {
    const init = [
      'init',
      '--base-url',
      sandbox.baseUrl,
      '--environment',
      'production',
      '--no-check',
      '--api-key-stdin',
    ]
    await operator.run(init, { input: sandbox.key })
    expect(await doctor([])).toEqual({ exitCode: 6, failed: ['environment'] })
  })

  test('reports a database as missing, good, foreign, or damaged', async () => {
    // Like a read command that does not create the sandbox silently.
    expect(await doctor([])).toEqual({ exitCode: 2, failed: ['database'] })
    const none = await operator.run(['doctor', '--database', 'no/none.db'])
    expect([none.exitCode, none.stdout]).toEqual([
      8,
      expect.stringContaining(
        `The database ${operator.path('no/none.db')} does not exist. Check its name, or create one`,
      ),
    ])
    expect(existsSync(operator.path('data'))).toBe(false)
    await operator.run(['sandbox', 'reset', '--database', 'good.db', '--no-seed', '--yes'])
    expect(await doctor(['--database', 'good.db'])).toEqual({ exitCode: 0, failed: [] })
    chmodSync(operator.path('good.db'), 0o644)
    const shared = await operator.run(['doctor', '--database', 'good.db'])
    expect([shared.exitCode, shared.stdout]).toEqual([
      0,
      expect.stringMatching(/\nrights\twarn\t.*chmod 600 .*good\.db\n/),
    ])
    operator.write('none.db', 'a text file that is no database at all')
    expect(await doctor(['--database', 'none.db'])).toEqual({ exitCode: 8, failed: ['database'] })
    damage(operator.path('good.db'))
    expect(await doctor(['--database', 'good.db'])).toEqual({ exitCode: 8, failed: ['integrity'] })
  })
})

/** Overwrites the second half of the pages after the first few, which contain the schema. */
function damage(file: string): void {
  const { size } = statSync(file)
  const descriptor = openSync(file, 'r+')
  for (let at = Math.floor(size / 8192) * 4096; at < size; at += 4096) {
    writeSync(descriptor, Buffer.alloc(64, 0x5a), 0, 64, at)
  }
}
