import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import { forAllTests } from '../support/each.ts'
import { freePort } from '../support/free-port.ts'
import { operatorWith } from '../support/operator.ts'
import { type Served, serve, servedPartner } from '../support/served.ts'

type Key = { id: string; key: string; prefix: string; status: string; expires_at: string | null }
type Sent = { status: number; headers: Headers; body: Record<string, unknown> }

/** Status of POST /fulfillments for a missing item to this country with a valid address. */
const orderTo = (country: string) => ({
  qids: ['Q-0000-0000-0000'],
  shipping_address: {
    recipient_name: 'Grace Okafor',
    street: '1 Main Street',
    city: 'Springfield',
    state: 'XX',
    zip: '12345',
    country,
  },
})

describe('a service and its keys', () => {
  const operator = forAllTests(operatorWith('none'))
  let served: Served
  let origin: string
  let metricsPort: number
  beforeAll(async () => {
    metricsPort = await freePort()
    const limits = ['--countries', 'US,DE', '--close-grace-days', '0', '--keep-results-days', '1']
    const flags = ['--host', '0.0.0.0', '--metrics-port', String(metricsPort), ...limits]
    served = await serve(operator, { flags })
    origin = served.baseUrl.replace('0.0.0.0', '127.0.0.1')
  })

  const send = async (
    path: string,
    body?: unknown,
    key = served.key,
    idempotencyKey = path,
  ): Promise<Sent> => {
    const headers = {
      'x-api-key': key,
      'idempotency-key': idempotencyKey,
      'content-type': 'application/json',
    }
    const posted = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const {
      status,
      headers: got,
      ...rest
    } = await fetch(origin + path, { headers, ...posted }).then(async (response) => ({
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    }))
    return { status, headers: got, body: JSON.parse(rest.text) }
  }
  const opens = async (key: string): Promise<boolean> =>
    (await send('/items/summary', undefined, key)).status === 200
  const admin = (...args: string[]) => operator.run(['admin', ...args, '--database', served.database])
  const keys = (...args: string[]) =>
    operator.json<Key[]>(['admin', 'keys', 'ls', ...args, '--database', served.database])

  test('a rotated key works until its grace period ends; a revoked key stops at once', async () => {
    const misspelt = await admin('keys', 'ls', `${servedPartner}s`)
    expect([misspelt.exitCode, misspelt.stdout]).toEqual([4, ''])
    const [first] = await keys(servedPartner)
    expect(first).toMatchObject({ status: 'live', expires_at: null })
    const rotated = await admin('keys', 'rotate', first?.prefix ?? '', '--grace', '1h', '--json')
    const second = JSON.parse(rotated.stdout) as Key
    expect(second.key.startsWith(second.prefix) && (await keys()).map(({ prefix }) => prefix)).toContain(
      second.prefix,
    )
    expect(rotated.stderr).toContain(`The old key ${first?.prefix}… ends at `)
    expect([await opens(served.key), await opens(second.key)]).toEqual([true, true])
    const expiries = (await keys()).map(({ expires_at }) => expires_at !== null)
    expect(expiries.sort()).toEqual([false, true])

    const again = await admin('keys', 'rotate', second.id, '--grace', '0')
    const third = again.stdout.trimEnd()
    expect(third).toMatch(/^sk_sandbox_\S+$/)
    expect([await opens(second.key), await opens(third)]).toEqual([false, true])
    expect((await admin('keys', 'rotate', second.id)).exitCode).toBe(5)

    const asked = await admin('keys', 'revoke', first?.id ?? '')
    expect([asked.exitCode, asked.stderr]).toEqual([2, expect.stringContaining('--yes')])
    const revoked = await admin('keys', 'revoke', first?.id ?? '', '--yes')
    expect(revoked.stdout).toContain(`Revoked ${first?.prefix}… of ${servedPartner} (sandbox)`)
    expect([await opens(served.key), await opens(third)]).toEqual([false, true])
    expect(await keys()).toHaveLength(1)
    expect((await keys('--all')).map(({ status }) => status).sort()).toEqual(['expired', 'live', 'revoked'])
    served.key = third
  })

  test.each<[string[], number, string]>([
    [
      ['keys', 'rotate', 'sk_sandbox_nobody'],
      4,
      'There is no key sk_sandbox_nobody. See: custody admin keys ls',
    ],
    [['keys', 'rotate', 'x', '--grace', '8d'], 2, '--grace: 8d is too long. Give 0 to 7d.'],
    [
      ['keys', 'create', servedPartner, '--expires-in', '0d'],
      2,
      '--expires-in: 0 would end the key at once.',
    ],
    // A number alone is seconds, where days may be meant.
    [['keys', 'create', servedPartner, '--expires-in', '90'], 0, 'show it again.\nIt ends at 20'],
    [['keys', 'revoke', 'x', '--yes'], 4, 'There is no key x.'],
    [['partners', 'create', servedPartner], 5, servedPartner],
    [['partners', 'create', 'Caf\u00e9'], 0, ''],
    [['partners', 'create', 'Cafe\u0301'], 5, 'already exists'],
    [['keys', 'create', 'Cafe\u0301'], 0, 'Save the key now'],
    [['partners', 'create', 'Caf\u00e9\u200b One'], 2, 'visible characters'],
  ])('admin %j exits with %i', async (args, code, message) => {
    const { exitCode, stderr } = await admin(...args)
    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(message)])
  })

  test('--countries sets the countries that are served', async () => {
    const statuses = []
    for (const country of ['DE', 'CA']) {
      const { status, body } = await send('/fulfillments', orderTo(country), served.key, country)
      const { fields } = body.extra as { fields?: Record<string, string[]> }
      statuses.push([status, fields?.['shipping_address.country']])
    }
    expect(statuses).toEqual([
      [404, undefined],
      [400, ['"CA" is not served']],
    ])
  })

  test('--close-grace-days sets when a manifest is overdue', async () => {
    const expected_arrival_end = new Date().toISOString().slice(0, 10)
    const lines = [{ description: 'Charizard', quantity: 1 }]
    const { body } = await send('/manifests', { reference: 'PO-1', expected_arrival_end, lines })
    const tomorrow = new Date(Date.parse(expected_arrival_end) + 86_400_000).toISOString().slice(0, 10)
    for (const args of [['manifests', 'ls'], ['manifests', 'show', 'PO-1'], ['status']]) {
      const env = { CUSTODY_BASE_URL: origin, CUSTODY_API_KEY: served.key }
      const { stdout } = await operator.run([...args, '--output', 'table'], { env })
      expect([args, stdout]).toEqual([args, expect.stringContaining(tomorrow)])
    }
    await send('/sandbox/clock/advance', { seconds: 86_400 })
    expect((await send(`/manifests/${body.id}`)).body.status).toBe('reconciled')
  })

  test('--keep-results-days sets how long a result is stored under its key', async () => {
    const lines = [{ description: 'Charizard', quantity: 1 }]
    const submit = () => send('/manifests', { reference: 'PO-2', lines }, served.key, 'k')
    const first = await submit()
    expect((await submit()).headers.get('idempotency-replayed')).toBe('true')
    const db = new DatabaseSync(served.database)
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000).toISOString()
    db.prepare("update idempotency set created_at = ? where key = 'k'").run(twoDaysAgo)
    expect((await submit()).headers.get('idempotency-replayed')).toBe('true')
    // After ten thousand more writes of the scope.
    db.prepare('update scopes set claims = claims + 10000').run()
    db.close()
    const again = await submit()
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, null])
    expect(again.body.id).not.toBe(first.body.id)
  })

  test('--metrics-port serves metrics, warns beyond loopback, and stops on request', async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    expect(metrics).toMatch(/^custody_requests_total\{operation="submitManifest",status="201"\} \d$/m)
    const output = await served.stop()
    const log = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const { database } = served
    expect(log).toContainEqual(
      expect.objectContaining({ msg: 'ready', database, metrics: `http://127.0.0.1:${metricsPort}/metrics` }),
    )
    expect(log).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        msg: expect.stringContaining('listening on 0.0.0.0 without TLS'),
      }),
    )
    expect(log.at(-1)).toMatchObject({ msg: 'stopped', database })
    for (const key of [served.key, 'Grace Okafor']) expect(output).not.toContain(key)
  })
})
