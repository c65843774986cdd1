import { describe, expect, test } from 'vitest'
import type { Call, Reply } from '../../src/contract/call.ts'
import { sql } from '../../src/store/database.ts'
import { box } from '../support/box.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { usualDatabases } from '../support/harness.ts'

describe.each(usualDatabases)('Idempotency-Key over $name (part 4, decisions 4)', (database) => {
  const harness = forEachTest(harnessWith(database))

  const post = (sku: string, key: string | string[] | undefined, more: Partial<Call> = {}): Promise<Reply> =>
    harness.call({
      operation: 'createProduct',
      headers: { 'idempotency-key': key },
      body: async () => ({ kind: 'json', text: JSON.stringify(box(sku)) }),
      ...more,
    })
  const total = async () => (await harness.client.listProducts({})).data.total

  test.each([
    ['missing', undefined, 'is required on every POST; send a new value for each new action'],
    ['empty', '', 'is required on every POST; send a new value for each new action'],
    ['of 256 characters', 'k'.repeat(256), 'must have at most 255 characters'],
    ['sent twice', ['a', 'a'], 'was sent twice; send it once'],
    ['not printable ASCII', 'ключ', 'must be printable ASCII'],
  ])('is a 400 that names it if it is %s, and nothing is done', async (_, key, message) => {
    const reply = await post('A', key)
    expect(reply.status).toBe(400)
    expect(JSON.parse(reply.body).extra.fields).toEqual({ 'Idempotency-Key': [message] })
    expect(await total()).toBe(0)
  })

  test('is the same with and without quotes', async () => {
    const bare = await post('A', 'k"1')
    const quoted = await post('A', '"k\\"1"')
    expect([quoted.status, quoted.body]).toEqual([201, bare.body])
    expect(quoted.headers['idempotency-replayed']).toBe('true')
    const empty = await post('B', '""')
    expect(JSON.parse(empty.body).extra.fields).toEqual({
      'Idempotency-Key': ['is empty; send a new value for each new action'],
    })
    expect(await total()).toBe(1)
  })

  test('names the same action for an identifier in capitals', async () => {
    const body = { reference: 'PO-1', lines: [{ description: 'A box' }] }
    const { id } = (await harness.client.submitManifest({ body })).data
    const close = (manifest_id: string) =>
      harness.client.closeManifest({ params: { manifest_id }, idempotencyKey: 'k' })
    const first = await close(id)
    const again = await close(id.toUpperCase())
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true'])
  })

  test('keeps a result for 7 days, and then until 10,000 more writes', async () => {
    const { client } = harness
    const first = await client.createProduct({ body: box('A'), idempotencyKey: 'k' })
    harness.pass(7 * 86_400_000)
    const replayed = await client.createProduct({ body: box('B'), idempotencyKey: 'k' })
    expect(replayed.text).toBe(first.text)
    harness.pass(1)
    expect((await client.createProduct({ body: box('B'), idempotencyKey: 'k' })).text).toBe(first.text)
    await harness.db.write((tx) => tx.run(sql`update scopes set claims = claims + 10000`))
    const fresh = await client.createProduct({ body: box('B'), idempotencyKey: 'k' })
    expect(fresh.data.sku).toBe('B')
  })
})
