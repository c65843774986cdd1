import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OperationId, operation, operations } from '../../src/contract/operations.ts'
import { createKey } from '../../src/engine/partners.ts'
import { box } from '../support/box.ts'
import type { Harness } from '../support/harness.ts'
import { startHarness, usualDatabases } from '../support/harness.ts'
import { type HttpHarness, startHttp } from '../support/http.ts'

const slab = {
  type: 'graded_slab' as const,
  name: 'Charizard',
  grader: 'PSA',
  grade: '10',
  cert_number: '12345678',
}
const sealed = { type: 'product' as const, name: 'Elite Trainer Box', sku: 'ETB-1' }
const lists = (Object.keys(operations) as OperationId[])
  .filter((id) => operation(id).method === 'GET' && !operation(id).params && id !== 'getOpenApi')
  .map((id) => operation(id).path)

describe.each(usualDatabases)('entity tags over $name', (database) => {
  let harness: Harness
  let http: HttpHarness
  beforeEach(async () => {
    harness = await startHarness(database)
    http = await startHttp(harness, { publicUrl: 'https://custody.test' })
  })
  afterEach(async () => {
    await http.close()
    await harness.close()
  })
  const get = (path: string, ...headers: string[]) =>
    http.send({ path: `/v1${path}`, headers: ['X-API-Key', harness.key, ...headers] })

  test('change with the answer, and a matching one avoids sending it again', async () => {
    const { client, pass } = harness
    let [qid, manifest_id, subscription_id] = ['', '', '']
    const writes: Array<() => Promise<unknown>> = [
      () => client.createProduct({ body: box('ETB-1') }),
      async () => {
        const { data } = await client.submitManifest({
          body: { reference: 'PO-1', lines: [{ description: 'Box', sku: 'ETB-1', quantity: 2 }] },
        })
        manifest_id = data.id
      },
      async () => {
        const { data } = await client.createIntakes({ body: { items: [slab, sealed] } })
        qid = data.intakes[1]?.qid ?? ''
      },
      () => client.advanceItem({ params: { qid }, body: { to_status: 'available' } }),
      () => client.requestTransfer({ body: { qids: [qid] } }),
      async () => {
        const body = { url: 'https://1.1.1.1/hook', event_types: ['item.intake.completed' as const] }
        subscription_id = (await client.createSubscription({ body })).data.id
      },
      () => client.testSubscription({ params: { subscription_id } }),
      () => client.closeManifest({ params: { manifest_id } }),
      () => client.advanceClock({ body: { seconds: 86_400 } }),
      () => client.deleteSubscription({ params: { subscription_id } }),
    ]
    const seen = new Map<string, { text: string; etag: string }>()
    for (const write of writes) {
      await write()
      pass(1)
      const single = [`/items/${qid}`, `/manifests/${manifest_id}`, `/manifests/${manifest_id}/report`]
      const watched = subscription_id && [`/webhook-subscriptions/${subscription_id}/deliveries`]
      for (const path of [...lists, ...single, ...watched]) {
        const { status, text, headers } = await get(path)
        const before = seen.get(path)
        if (status !== 200) {
          if (before) expect((await get(path, 'If-None-Match', before.etag)).status).toBe(404)
          continue
        }
        expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'Accept-Encoding' })
        const etag = String(headers.etag)
        if (before && before.text !== text) expect([path, etag]).not.toEqual([path, before.etag])
        const again = await get(path, 'If-None-Match', `"other", ${etag}`)
        expect([path, again.status, again.text, again.headers.etag]).toEqual([path, 304, '', etag])
        if (before && before.etag !== etag)
          expect((await get(path, 'If-None-Match', before.etag)).status).toBe(200)
        seen.set(path, { text, etag })
      }
    }
    expect(seen.size).toBe(lists.length + 4)
  })

  test('are the same for HEAD as for GET, without the body', async () => {
    await harness.client.createProduct({ body: box('ETB-1') })
    for (const path of [...lists, '/openapi.json', '/items/QX-UNKNOWN', '/items?page=0']) {
      if (path === '/sandbox/clock') continue
      const { status, headers } = await get(path)
      const head = await http.send({
        method: 'HEAD',
        path: `/v1${path}`,
        headers: ['X-API-Key', harness.key, 'Connection', 'keep-alive'],
      })
      const same = ({
        date: _,
        connection: __,
        'keep-alive': ___,
        'x-request-id': ____,
        ...rest
      }: object & Record<string, unknown>) => rest
      expect([path, head.status, head.text, same(head.headers)]).toEqual([path, status, '', same(headers)])
    }
    expect((await http.send({ method: 'HEAD', path: '/v1/items' })).status).toBe(401)
  })
})

test('differ between partners who wrote equally little', async () => {
  const harness = await startHarness(usualDatabases[0]!)
  const http = await startHttp(harness)
  const { db, sources, strangerScope } = harness
  const theirs = await db.write((tx) => createKey(tx, sources, strangerScope.partner_name, 'sandbox', null))
  const get = (key: string, tag: string) =>
    http.send({ path: '/v1/items', headers: ['X-API-Key', key, 'If-None-Match', tag] })
  const { headers } = await get(harness.key, '"none"')
  expect((await get(harness.key, String(headers.etag))).status).toBe(304)
  expect((await get(theirs.key, String(headers.etag))).status).toBe(200)
  await http.close()
  await harness.close()
})

describe('a condition', () => {
  let harness: Harness
  let http: HttpHarness
  beforeEach(async () => {
    harness = await startHarness(usualDatabases[0]!)
    http = await startHttp(harness)
  })
  afterEach(async () => {
    await http.close()
    await harness.close()
  })
  const get = (path: string, condition: string, ...headers: string[]) =>
    http.send({ path, headers: ['X-API-Key', harness.key, 'If-None-Match', condition, ...headers] })

  test('matches any resource with * (RFC 9110, 13.1.2)', async () => {
    expect((await get('/v1/items', '*')).status).toBe(304)
    const absent = await get('/v1/items/QX-UNKNOWN', '*')
    expect([absent.status, JSON.parse(absent.text).code]).toEqual([404, 'not_found'])
  })

  test.each(['', 'abc', '"abc', '*, "abc"', 'W/abc', '"a" "b"', ','])(
    'of %j is rejected by name',
    async (sent) => {
      const { status, text } = await get('/v1/items', sent)
      expect([status, JSON.parse(text).extra.fields]).toEqual([
        400,
        { 'If-None-Match': ['must be a list of entity tags, or *'] },
      ])
    },
  )

  test('may have empty elements between its tags (RFC 9110, 5.6.1.2)', async () => {
    const { headers } = await get('/v1/items', '"none"')
    expect((await get('/v1/items', `, "a,b",, ${headers.etag} ,`)).status).toBe(304)
  })

  test('matches only one address, one partner, and one representation', async () => {
    const tagOf = async (path: string, key: string, ...headers: string[]) =>
      (await http.send({ path, headers: ['X-API-Key', key, ...headers] })).headers.etag
    const stranger = await startHarness(usualDatabases[0]!, { seed: 2 })
    const other = await startHttp(stranger)
    const tags = [
      await tagOf('/v1/items', harness.key),
      await tagOf('/v1/items?page=1', harness.key),
      await tagOf('/v1/products', harness.key),
      (await other.send({ path: '/v1/items', headers: ['X-API-Key', stranger.key] })).headers.etag,
    ]
    expect(new Set(tags).size).toBe(4)
    expect(await tagOf('/v1/events', harness.key, 'Prefer', 'last=1')).toBeUndefined()
    expect(
      (await get('/v1/events', String(await tagOf('/v1/events', harness.key)), 'Prefer', 'last=1')).status,
    ).toBe(200)
    await other.close()
    await stranger.close()
  })

  test('does not match after another past: after as many writes, a database from a backup has other tags', async () => {
    const tags = []
    for (const ms of [0, 1]) {
      const past = await startHarness(usualDatabases[0]!)
      past.pass(ms)
      await past.client.createProduct({ body: box(`SKU-${ms}`) })
      const { headers } = await past.call({ operation: 'listProducts' })
      tags.push(headers.etag)
      await past.close()
    }
    expect(tags).toEqual([expect.any(String), expect.any(String)])
    expect(tags[0]).not.toBe(tags[1])
  })
})
