import { describe, expect, test } from 'vitest'
import { type OperationId, operation, operations } from '../../src/contract/operations.ts'
import { formatApiKey } from '../../src/domain/api-key.ts'
import { issueKey } from '../../src/engine/partners.ts'
import { createService } from '../../src/service/service.ts'
import { listKeyHolders, revokeKey } from '../../src/store/tables/keys.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { clientWith, databases, startHarness } from '../support/harness.ts'

describe.each(databases)('API keys over $name (part 5)', (database) => {
  const harness = forEachTest(harnessWith(database))

  const rejected = (headers: Record<string, string | string[] | undefined>) =>
    harness.call({ operation: 'listProducts', headers: { 'x-request-id': 'r', ...headers } })

  test('get one identical 401 if missing, malformed, unknown, doubled, revoked, or expired', async () => {
    const { db, scope, sources, key } = harness
    const unknown = formatApiKey('sandbox', new Uint8Array(32).fill(7))
    const revoked = await db.write((tx) => issueKey(tx, sources, scope))
    await db.write((tx) => revokeKey(tx, scope.id, revoked.row.id, '2026-05-01T09:00:00.000Z'))
    const expired = await db.write((tx) => issueKey(tx, sources, scope, '2026-05-01T09:00:00.000Z'))
    const replies = []
    for (const sent of [
      undefined,
      '',
      'sk_sandbox_short',
      `${key}x`,
      [key, key],
      unknown,
      revoked.key,
      expired.key,
    ]) {
      replies.push(await rejected({ 'x-api-key': sent }))
    }
    for (const reply of replies) {
      expect(reply).toEqual(replies[0])
      expect(reply.status).toBe(401)
      expect(reply.headers['www-authenticate']).toBe('ApiKey realm="custody", header="X-API-Key"')
      expect(JSON.parse(reply.body)).toEqual({
        code: 'invalid_api_key',
        message: 'The API key is missing or not valid. Send it once, in the header X-API-Key.',
        extra: {},
      })
    }
  })

  test('work until the millisecond in which they expire', async () => {
    const { db, scope, sources, service } = harness
    const { key } = await db.write((tx) => issueKey(tx, sources, scope, '2026-05-01T09:00:01.000Z'))
    const client = clientWith(service, key, sources)
    expect((await client.listProducts({})).status).toBe(200)
    harness.pass(999)
    expect((await client.listProducts({})).status).toBe(200)
    harness.pass(1)
    await expect(client.listProducts({})).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' })
  })

  test('get a 401 environment_mismatch in the other environment', async () => {
    const { db, sources, key } = harness
    const production = createService({
      db,
      environment: 'production',
      sources,
      settings: { servedCountries: new Set(['US']), closeGraceDays: 7, repeatsDays: 400 },
    })
    await expect(clientWith(production, key, sources).listProducts({})).rejects.toMatchObject({
      status: 401,
      code: 'environment_mismatch',
    })
  })

  test('are stored only as SHA-256 and prefix', async () => {
    const { db, scope, key } = harness
    const rows = (await db.read(listKeyHolders)).filter(({ scope_id }) => scope_id === scope.id)
    expect(rows).toHaveLength(1)
    expect(key.startsWith(rows[0]?.prefix ?? '-')).toBe(true)
    expect(JSON.stringify(rows)).not.toContain(key)
  })

  test('are checked before the route: an unknown path is a 401 without a key, and a 404 with one', async () => {
    expect((await harness.call({ headers: { 'x-api-key': undefined } })).status).toBe(401)
    const reply = await harness.call({ allow: ['GET', 'POST'] })
    expect(reply.status).toBe(404)
    expect(reply.headers.allow).toBe('GET, POST')
    expect(JSON.parse(reply.body)).toEqual({ code: 'not_found', message: 'No such resource.', extra: {} })
  })

  test('do not reach sandbox operations in production: 404 (part 5, rule 5)', async () => {
    const production = await startHarness(database, { environment: 'production' })
    const ids = (Object.keys(operations) as OperationId[]).filter((id) =>
      /^.sandbox/.test(operation(id).path),
    )
    expect(ids.length).toBeGreaterThan(5)
    for (const id of ids) {
      const headers = { 'idempotency-key': 'k' }
      const { status, body } = await production.call({ operation: id, params: { qid: 'Q-1' }, headers })
      expect([id, status, JSON.parse(body).code]).toEqual([id, 404, 'not_found'])
    }
    await production.close()
  })

  test('get X-Request-Id in every answer: the sent one if it is valid, otherwise a new one', async () => {
    expect((await rejected({ 'x-request-id': 'cron-7' })).headers['x-request-id']).toBe('cron-7')
    const made = (await rejected({ 'x-request-id': 'a\nb' })).headers['x-request-id']
    expect(made).toMatch(/^[0-9a-f]{32}$/)
  })
})
