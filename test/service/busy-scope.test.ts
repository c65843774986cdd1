import { expect, inject, test } from 'vitest'
import { defaultSettings } from '../../src/engine/context.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import { createService } from '../../src/service/service.ts'
import { inScope } from '../../src/store/database.ts'
import { openPostgres } from '../../src/store/postgres/pg.ts'
import { claimScope } from '../../src/store/tables/scopes.ts'
import { clientWith } from '../support/harness.ts'
import { outcomeOf } from '../support/outcome.ts'
import { inSchema, makeSchema } from '../support/postgres-schema.ts'
import { share } from '../support/shared-database.ts'

test('a write that waits too long for another process over PostgreSQL is a 503, and succeeds later', async () => {
  const [url, schema] = [inject('postgresUrl'), await makeSchema()]
  const shared = await share({ url, schema })
  const own = await openPostgres(inSchema(schema, url), { poolSize: 1, waitMs: 50 })
  const { scope, key } = await shared.partner('Busy')
  const service = createService({
    db: own,
    environment: 'sandbox',
    sources: runtime,
    settings: defaultSettings,
  })
  const client = clientWith(service, key, runtime)
  const body = { url: 'https://hooks.example/in', event_types: ['item.status.changed' as const] }
  const subscribe = (idempotencyKey: string) => outcomeOf(client.createSubscription({ body, idempotencyKey }))
  // Its statements are prepared, so a query is sent at once.
  await subscribe('first')
  await shared.db.write(async (tx) => {
    await claimScope(inScope(tx, scope.id))
    const { status, headers } = await subscribe('second')
    expect([status, headers['retry-after']]).toEqual([503, '1'])
  })
  expect((await subscribe('second')).status).toBe(201)
  await own.close()
  await shared.close()
})
