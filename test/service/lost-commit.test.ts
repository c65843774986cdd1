import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { defaultSettings } from '../../src/engine/context.ts'
import { createService } from '../../src/service/service.ts'
import { openPostgres, type PgDatabase } from '../../src/store/postgres/pg.ts'
import { box } from '../support/box.ts'
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts'
import { clientWith } from '../support/harness.ts'
import { outcomeOf } from '../support/outcome.ts'
import { inSchema, makeSchema } from '../support/postgres-schema.ts'
import { type SharedDatabase, share } from '../support/shared-database.ts'

describe('a connection lost while committing (decisions 4)', () => {
  let shared: SharedDatabase
  let proxy: CuttingProxy
  let cut: PgDatabase
  beforeAll(async () => {
    const [url, schema] = [inject('postgresUrl'), await makeSchema()]
    shared = await share({ url, schema })
    proxy = await startCuttingProxy(url)
    cut = await openPostgres(inSchema(schema, proxy.url))
  })
  afterAll(async () => {
    await cut.close()
    await proxy.close()
    await shared.close()
  })

  const enter = async (name: string) => {
    const { key } = await shared.partner(name)
    const sources = {
      clock: () => Date.now(),
      uptime: () => performance.now(),
      random: (n: number) => crypto.getRandomValues(new Uint8Array(n)),
    }
    const service = createService({ db: cut, environment: 'sandbox', sources, settings: defaultSettings })
    return clientWith(service, key, sources)
  }
  const product = box('TOP')

  test.each(['before', 'after'] as const)(
    'a POST is answered as usual if it was lost %s the server received it, and is done once',
    async (when) => {
      const client = await enter(`Lost ${when}`)
      // An existing connection; nothing waits for the commit of a read, which would otherwise be cut.
      await client.createProduct({ body: { ...product, sku: 'BEFORE' } })
      proxy.cutAt('commit\0', when)
      const idempotencyKey = 'once'
      const made = await client.createProduct({ body: product, idempotencyKey })
      expect([made.status, proxy.cuts()]).toEqual([201, when === 'before' ? 1 : 2])
      const again = await client.createProduct({ body: product, idempotencyKey })
      expect(again.text).toBe(made.text)
      expect((await client.listProducts({})).data.total).toBe(2)
    },
  )

  test('a DELETE, which has no key, is a 503 with an unknown outcome, and gone when repeated', async () => {
    const client = await enter('Lost delete')
    const body = { url: 'https://hooks.example/custody', event_types: ['item.status.changed' as const] }
    const params = { subscription_id: (await client.createSubscription({ body })).data.id }
    proxy.cutAt('commit\0', 'after')
    const lost = await outcomeOf(client.deleteSubscription({ params }))
    expect([lost.status, lost.headers['retry-after']]).toEqual([503, '1'])
    expect(lost.text).toContain('It is not known whether the change was made')
    expect(lost.extra).toMatchObject({ outcome: 'unknown' })
    expect((await outcomeOf(client.deleteSubscription({ params }))).status).toBe(404)
  })
})
