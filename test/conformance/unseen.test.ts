import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { rotateKey } from '../../src/engine/partners.ts'
import { listKeyHolders } from '../../src/store/tables/keys.ts'
import { projectFiles } from '../source/tree.ts'
import { box } from '../support/box.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { clientWith, usualDatabases } from '../support/harness.ts'

const day = 86_400_000

describe.each(usualDatabases)('behaviour that no run can observe, over $name', (database) => {
  const harness = forEachTest(harnessWith(database))

  test('a rotated key works until its grace ends, and rotation does not break a retry', async () => {
    const { client, db, scope, service, sources } = harness
    const first = await client.createProduct({ body: product, idempotencyKey: 'retry' })
    const row = (await db.read(listKeyHolders)).find(({ scope_id }) => scope_id === scope.id)
    const rotated = await db.write((tx) => rotateKey(tx, sources, row?.id ?? '', day))
    const renewed = clientWith(service, rotated.key, sources)
    const again = await renewed.createProduct({ body: product, idempotencyKey: 'retry' })
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true'])
    harness.pass(day - 1)
    expect((await client.getItemSummary({})).status).toBe(200)
    harness.pass(1)
    await expect(client.getItemSummary({})).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' })
    expect((await renewed.getItemSummary({})).status).toBe(200)
  })

  test('a clock advanced by years deletes no stored result and expires no key', async () => {
    const { client } = harness
    const first = await client.createProduct({ body: product, idempotencyKey: 'retry' })
    await client.advanceClock({ body: { seconds: (5 * 366 * day) / 1000 } })
    const again = await client.createProduct({ body: product, idempotencyKey: 'retry' })
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true'])
  })
})

test('a client reads an unknown status, code, and field', async () => {
  const replies = [
    {
      status: 200,
      headers: {},
      body: '{"qid":"Q-1","status":"quarantined","colour":"red","image_assets":[]}',
    },
    { status: 422, headers: {}, body: '{"code":"quota_exceeded","message":"No more.","extra":{"most":3}}' },
  ]
  const client = createClient({
    transport: async () => replies.shift()!,
    baseUrl: 'https://custody.test/v1',
    newIdempotencyKey: () => 'k',
  })
  const { data } = await client.getItem({ params: { qid: 'Q-1' } })
  expect(data).toEqual({ qid: 'Q-1', status: 'quarantined', colour: 'red', image_assets: [] })
  const rejected = { status: 422, code: 'quota_exceeded', message: 'No more.', extra: { most: 3 } }
  await expect(client.getItem({ params: { qid: 'Q-1' } })).rejects.toMatchObject(rejected)
})

test("client and tool never depend on a key's prefix", () => {
  const files = projectFiles().filter(({ path }) => /^src\/(client|cli)\//.test(path))
  expect(files.length).toBeGreaterThan(50)
  const lines = files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter((line) => /sk_(sandbox|live)/.test(line) && !/^\s*(examples:|')/.test(line))
      .map((line) => `${path}: ${line}`),
  )
  expect(lines).toEqual([])
})

const product = box('TL-35')
