import { describe, expect, test } from 'vitest'
import { createKey, endKey } from '../../src/engine/partners.ts'
import { createService } from '../../src/service/service.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { clientWith, usualDatabases } from '../support/harness.ts'
import { slab } from '../support/manifests.ts'

describe.each(usualDatabases)('GET /events with a wait, over $name (decisions 9)', (database) => {
  const harness = forEachTest(harnessWith(database, { service: { eventPollMs: 60_000 } }))

  const wait = (seconds: number) => ({ prefer: `wait=${seconds}` })

  test('answers an empty page once an event is committed, and says that it waited', async () => {
    const { client } = harness
    const waiting = client.listEvents({ headers: wait(30) })
    await client.createIntakes({ body: { items: [slab('11112222')] } })
    const { data, headers } = await waiting
    expect(data.results.map((event) => event.type)).toEqual(['item.intake.completed'])
    expect(headers['preference-applied']).toBe('wait=30')
  })

  test("never ends with anything of another partner's event", async () => {
    const abort = new AbortController()
    const waiting = harness.client.listEvents({ headers: wait(30), signal: abort.signal })
    await harness.stranger.createIntakes({ body: { items: [slab('11112222')] } })
    abort.abort()
    expect((await waiting).data).toEqual({ has_more: false, next_starting_after: null, results: [] })
  })

  test('tells a key revoked meanwhile nothing of what happened since', async () => {
    const { client, db, sources, service, scope } = harness
    const { key, row } = await db.write((tx) => createKey(tx, sources, scope.partner_name, 'sandbox', null))
    const waiting = clientWith(service, key, sources).listEvents({ headers: wait(30) })
    const rejected = expect(waiting).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' })
    await db.write((tx) => endKey(tx, sources, row.id))
    await client.createIntakes({ body: { items: [slab('11112222')] } })
    await rejected
  })

  test("finds another process's commit by polling", async () => {
    const { db, sources, key, service } = harness
    const settings = { servedCountries: new Set(['US']), closeGraceDays: 7, repeatsDays: 400 }
    const looking = createService({ db, environment: 'sandbox', sources, settings, eventPollMs: 5 })
    const waiting = clientWith(looking, key, sources).listEvents({ headers: wait(30) })
    await clientWith(service, key, sources).createIntakes({ body: { items: [slab('11112222')] } })
    expect((await waiting).data.results).toHaveLength(1)
  })
})
