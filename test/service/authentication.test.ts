import { describe, expect, test } from 'vitest'
import { formatApiKey } from '../../src/domain/api-key.ts'
import { issueKey } from '../../src/engine/partners.ts'
import { inScope } from '../../src/store/database.ts'
import { listKeyHolders, revokeKey } from '../../src/store/tables/keys.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { clientWith, databases } from '../support/harness.ts'

describe.each(databases)('API keys over $name (part 5)', (database) => {
  const harness = forEachTest(harnessWith(database))

  const rejected = (headers: Record<string, string | string[] | undefined>) =>
    harness.call({ operation: 'listProducts', headers: { 'x-request-id': 'r', ...headers } })

  test('get one identical 401 if missing, malformed, unknown, doubled, revoked, or expired', async () => {
    const { db, scope, sources, key } = harness
    const unknown = formatApiKey('sandbox', new Uint8Array(32).fill(7))
    const revoked = await db.write((tx) => issueKey(tx, sources, scope))
    await db.write((tx) => revokeKey(inScope(tx, scope.id), revoked.row.id, '2026-05-01T09:00:00.000Z'))
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

  test('are stored only as SHA-256 and prefix', async () => {
    const { db, scope, key } = harness
    const rows = (await db.read(listKeyHolders)).filter(({ scope_id }) => scope_id === scope.id)
    expect(rows).toHaveLength(1)
    expect(key.startsWith(rows[0]?.prefix ?? '-')).toBe(true)
    expect(JSON.stringify(rows)).not.toContain(key)
  })

  test('get X-Request-Id in every answer: the sent one if it is valid, otherwise a new one', async () => {
    expect((await rejected({ 'x-request-id': 'cron-7' })).headers['x-request-id']).toBe('cron-7')
    const made = (await rejected({ 'x-request-id': 'a\nb' })).headers['x-request-id']
    expect(made).toMatch(/^[0-9a-f]{32}$/)
  })
})
