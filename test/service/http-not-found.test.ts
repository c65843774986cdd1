import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { type OperationId, operation, operations, pathOf } from '../../src/contract/operations.ts'
import { makeQid } from '../../src/domain/items/qid.ts'
import { ensureScope, issueKey } from '../../src/engine/partners.ts'
import { sql } from '../../src/store/database.ts'
import { box } from '../support/box.ts'
import { clientWith, type Harness, startHarness, usualDatabases } from '../support/harness.ts'
import { type HttpHarness, type Response, startHttp } from '../support/http.ts'
import { address } from '../support/orders.ts'

const byId = (Object.keys(operations) as OperationId[]).filter((id) => operation(id).params)
const lists = (Object.keys(operations) as OperationId[]).filter(
  (id) => operation(id).paged && !operation(id).params,
)
const uuid = '019aa000-0000-7000-8000-000000000000'

type Ids = Record<string, string>

/** Well-formed identifiers of nothing. */
const absent: Ids = {
  product_id: uuid,
  manifest_id: uuid,
  qid: makeQid(new Uint8Array(11).fill(7)),
  fulfillment_id: uuid,
  transfer_id: uuid,
  subscription_id: uuid,
  delivery_id: uuid,
}

/** Bodies that would have an effect if the resource existed. */
const bodies: Partial<Record<OperationId, unknown>> = {
  advanceItem: { to_status: 'available' },
  receiveManifest: { outcome: 'complete' },
  advanceFulfillment: { to_status: 'processing' },
  resolveTransfer: { to_status: 'completed' },
  updateSubscription: { active: false },
  replaySubscription: { since: '2026-01-01T00:00:00.000Z' },
}

describe.each(usualDatabases)(
  'resources that do not exist for this key, over $name (part 5, rule 4; part 7)',
  (database) => {
    let harness: Harness
    let http: HttpHarness
    let foreign: Ids
    let elsewhere: Ids
    beforeAll(async () => {
      harness = await startHarness(database)
      foreign = await fill(harness.stranger)
      elsewhere = await fillProduction(harness)
      http = await startHttp(harness, { strangers: { rate_per_s: 1, burst: 1000 } })
    })
    afterAll(async () => {
      await http.close()
      await harness.close()
    })

    let requests = 0
    const ask = (id: OperationId, params: Ids, key = harness.key): Promise<Response> => {
      requests += 1
      const { method } = operation(id)
      const post = method === 'POST' ? ['Idempotency-Key', `k-${requests}`] : []
      const headers = ['X-API-Key', key, ...post, 'Content-Type', 'application/json']
      const body = method === 'GET' ? undefined : JSON.stringify(bodies[id] ?? {})
      return http.send({ method, path: `/v1${pathOf(id, params)}`, headers, ...(body && { body }) })
    }

    test.each(byId)(
      '%s: foreign, in the other environment, and absent ones are one and the same 404',
      async (id) => {
        const nothing = visible(await ask(id, absent))
        expect(nothing.status).toBe(404)
        expect(JSON.parse(nothing.text)).toEqual({
          code: 'not_found',
          message: 'No such resource.',
          extra: {},
        })
        expect(visible(await ask(id, foreign))).toEqual(nothing)
        expect(visible(await ask(id, elsewhere))).toEqual(nothing)
      },
    )

    test.each(lists)('%s: another partner and the other environment add nothing', async (id) => {
      const { total, results } = JSON.parse((await ask(id, {})).text)
      expect({ total, results }).toEqual({ total: 0, results: [] })
    })

    test.each(byId)('%s: a caller without a key learns nothing from an identifier', async (id) => {
      const nothing = visible(await ask(id, absent, 'sk_sandbox_unknown'))
      expect(nothing.status).toBe(401)
      expect(visible(await ask(id, foreign, 'sk_sandbox_unknown'))).toEqual(nothing)
      expect(visible(await ask(id, elsewhere, 'sk_sandbox_unknown'))).toEqual(nothing)
    })

    test.each(byId.filter((id) => Object.values(operation(id).params ?? {}).includes('opaque')))(
      '%s: a malformed identifier is the same 404',
      async (id) => {
        const nothing = visible(await ask(id, absent))
        for (const text of ['x', '-', "' or 1=1", '%', '☂', 'q'.repeat(300), '\0', '..']) {
          const params = Object.fromEntries(
            Object.keys(operation(id).params ?? {}).map((name) => [name, text]),
          )
          expect(visible(await ask(id, params)), text).toEqual(nothing)
        }
      },
    )

    test("another partner's delivery under an own subscription is the same 404", async () => {
      const own = await harness.client.createSubscription({ body: hook })
      const subscription_id = own.data.id
      const nothing = visible(await ask('redeliver', { ...absent, subscription_id }))
      expect(nothing.status).toBe(404)
      expect(visible(await ask('redeliver', { ...foreign, subscription_id }))).toEqual(nothing)
    })

    test('a foreign and an absent item in a body get the same words', async () => {
      const order = async (qid: string) => {
        requests += 1
        const body = JSON.stringify({ qids: [qid], shipping_address: address })
        const headers = [
          'X-API-Key',
          harness.key,
          'Idempotency-Key',
          `k-${requests}`,
          'Content-Type',
          'application/json',
        ]
        const { status, text } = await http.send({ method: 'POST', path: '/v1/fulfillments', headers, body })
        return { status, text: text.replaceAll(qid, 'QID') }
      }
      const nothing = await order(absent.qid ?? '')
      expect(nothing.status).toBeGreaterThanOrEqual(400)
      expect(await order(foreign.qid ?? '')).toEqual(nothing)
      expect(await order(elsewhere.qid ?? '')).toEqual(nothing)
    })

    test('another partner’s filter or cursor finds the same as nobody’s', async () => {
      const list = async (query: string, id: string) => {
        const { status, text } = await http.send({
          path: `/v1/${query}${id}`,
          headers: ['X-API-Key', harness.key],
        })
        return { status, text: text.replaceAll(id, 'ID') }
      }
      const [event] = (await harness.stranger.listEvents({})).data.results
      expect(await list('events?starting_after=', event?.id ?? '')).toEqual(
        await list('events?starting_after=', uuid),
      )
      for (const query of ['items?manifest_id=', 'intakes?manifest_id=']) {
        expect(await list(query, foreign.manifest_id ?? '')).toEqual(await list(query, uuid))
      }
    })
  },
)

const hook = { url: 'https://hooks.example/a', event_types: ['item.status.changed' as const] }

/** One of each resource. */
async function fill(client: Client): Promise<Ids> {
  const product = await client.createProduct({
    body: box('BOX-1'),
  })
  const manifest = await client.submitManifest({ body: { reference: 'PO', lines: [{ description: 'Box' }] } })
  const item = { type: 'product' as const, name: 'Box', sku: 'BOX-1' }
  const intakes = await client.createIntakes({ body: { items: [item, item, item] } })
  const [sold, sent, kept] = intakes.data.intakes.map(({ qid }) => qid) as [string, string, string]
  for (const qid of [sold, sent])
    await client.advanceItem({ params: { qid }, body: { to_status: 'available' } })
  const transfer = await client.requestTransfer({ body: { qids: [sold] } })
  const fulfillment = await client.createFulfillment({ body: { qids: [sent], shipping_address: address } })
  const subscription = await client.createSubscription({ body: hook })
  const subscription_id = subscription.data.id
  const delivery = await client.testSubscription({ params: { subscription_id } })
  return {
    product_id: product.data.product_id,
    manifest_id: manifest.data.id,
    qid: kept,
    transfer_id: transfer.data.id,
    fulfillment_id: fulfillment.data.id,
    subscription_id,
    delivery_id: delivery.data.id,
  }
}

/** The first partner's production scope, with one of each resource: filled as a sandbox, where everything can be created. */
async function fillProduction({ db, service, sources, scope }: Harness): Promise<Ids> {
  const made = await db.write(async (tx) => {
    const twin = await ensureScope(tx, sources, 'Twin', 'sandbox')
    return { twin, key: (await issueKey(tx, sources, twin)).key }
  })
  const ids = await fill(clientWith(service, made.key, sources))
  await db.write((tx) =>
    tx.run(sql`
      update scopes set environment = 'production', partner_id = ${scope.partner_id} where id = ${made.twin.id}`),
  )
  return ids
}

/** An answer without what differs from request to request. */
function visible({ status, headers, text }: Response) {
  const { date, 'x-request-id': _, ...rest } = headers
  expect(date).toBeDefined()
  return { status, headers: rest, text }
}
