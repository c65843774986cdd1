import { DatabaseSync, StatementSync } from 'node:sqlite'
import pg from 'pg'
import { expect } from 'vitest'
import type { OperationId } from '../../src/contract/operations.ts'
import { operations } from '../../src/contract/operations.ts'
import { fulfillmentCsv } from './fulfillment-csv.ts'
import type { Harness } from './harness.ts'
import { address } from './orders.ts'

/**
 * `calls`: of the driver. `trips`: how often a request used an idle connection and waited; SQLite has none. `cpuMs`: CPU of
 * this process.
 */
export type Cost = { calls: number; trips: number; cpuMs: number }

const counted = { calls: 0, trips: 0 }
let isWatched = false

/**
 * The cost of each operation on a warm database with some data, called once through the typed client: the least of three
 * rounds after a first one, because timed jobs may run in between. Throws if an operation has no call here.
 */
export async function costsOf(harness: Harness): Promise<Map<OperationId, Cost>> {
  watch()
  await play(harness, 1, () => {})
  const costs = new Map<OperationId, Cost>()
  for (const round of [2, 3, 4])
    await play(harness, round, (id, cost) => {
      const { calls, trips, cpuMs } = costs.get(id) ?? cost
      const least = { calls: Math.min(calls, cost.calls), trips: Math.min(trips, cost.trips) }
      costs.set(id, { ...least, cpuMs: Math.min(cpuMs, cost.cpuMs) })
    })
  const missing = (Object.keys(operations) as OperationId[]).filter((id) => !costs.has(id))
  if (missing.length > 0) throw new Error(`never called: ${missing.join(', ')}`)
  return costs
}

/** One call of each operation, each in a state that allows it. */
async function play(
  { client: given }: Harness,
  round: number,
  note: (id: OperationId, cost: Cost) => void,
): Promise<void> {
  // biome-ignore lint/suspicious/noExplicitAny: requests are judged by the service
  const client = given as any
  const call: Call = async (id, request = {}) => {
    const before = { ...counted }
    const began = process.cpuUsage()
    try {
      return (await client[id](request)).data
    } finally {
      const { user, system } = process.cpuUsage(began)
      const [calls, trips] = [counted.calls - before.calls, counted.trips - before.trips]
      note(id, { calls, trips, cpuMs: (user + system) / 1000 })
    }
  }
  await goods(call, `SKU-${round}`, round)
  await shipments(call, `SKU-${round}`, round)
  await webhooks(call, round)
  await call('listEvents')
  await call('getClock')
  await call('advanceClock', { body: { seconds: 60 } })
  await call('getOpenApi')
}

// biome-ignore lint/suspicious/noExplicitAny: answers are judged by other tests
type Call = (id: OperationId, request?: object) => Promise<any>

async function goods(call: Call, sku: string, round: number): Promise<void> {
  const own = { unit: 'in', length: 10, width: 10, height: 10 }
  const product = { name: `Box ${round}`, dimensions: own, weight: { value: 5, unit: 'oz' } }
  const { product_id } = await call('createProduct', { body: { ...product, sku } })
  await call('importProductsCsv', csv(`${productHeader}\nBox 2,${sku}-2,10,10,10,in,5,oz`))
  await call('getProduct', { params: { product_id } })
  await call('listProducts')

  const line = { description: 'Charizard', grader: 'PSA', cert_number: `${round}0000001`, quantity: 1 }
  const lines = [line, { description: product.name, sku, quantity: 20 }]
  const manifest = { reference: `PO-${round}`, source: 'card_show' }
  const { id: manifest_id } = await call('submitManifest', { body: { ...manifest, lines } })
  await call(
    'submitManifestCsv',
    csv(`description,sku,quantity\nBox,${sku},1`, { ...manifest, reference: `PO-${round}-2` }),
  )
  await call('receiveManifest', { params: { manifest_id }, body: { outcome: 'complete' } })
  const { intakes } = await call('createIntakes', {
    body: { items: [{ type: 'product', sku, name: product.name }] },
  })
  for (const id of ['getManifest', 'getManifestReport', 'closeManifest'] as const)
    await call(id, { params: { manifest_id } })
  await call('listManifests')
  await call('listIntakes')

  const items = (await call('listItems', { query: { sku } })).results as Array<{ qid: string }>
  for (const { qid } of items.slice(0, 8))
    await call('advanceItem', { params: { qid }, body: { to_status: 'available' } })
  const { qid } = intakes[0].item
  await call('getItem', { params: { qid } })
  await call('findSlabs', { query: { cert_numbers: `["${round}0000001"]` } })
  await call('getItemSummary')
  await call('listInventory')
}

async function shipments(call: Call, sku: string, round: number): Promise<void> {
  const order = { sku, quantity: 1, shipping_address: address, external_ref: `WEB-${round}` }
  const { id: fulfillment_id } = await call('createFulfillment', { body: order })
  const file = fulfillmentCsv([{ sku, quantity: 1, external_ref: `CSV-${round}` }])
  const { created } = await call('importFulfillmentsCsv', { form: { file } })
  await call('cancelFulfillment', { params: { fulfillment_id: created[0].id } })
  await call('advanceFulfillment', { params: { fulfillment_id }, body: { to_status: 'shipped' } })
  await call('getFulfillment', { params: { fulfillment_id } })
  await call('listFulfillments')

  const free = (await call('listItems', { query: { sku, status: 'available' } })).results as Array<{
    qid: string
  }>
  const transfer = async (at: number) =>
    (await call('requestTransfer', { body: { qids: [free[at]?.qid] } })).id
  const transfer_id = await transfer(0)
  await call('getTransfer', { params: { transfer_id } })
  await call('resolveTransfer', { params: { transfer_id }, body: { to_status: 'completed' } })
  await call('cancelTransfer', { params: { transfer_id: await transfer(1) } })
  await call('listTransfers')
}

async function webhooks(call: Call, round: number): Promise<void> {
  const subscription = { url: `https://receiver.example/${round}`, event_types: ['item.status.changed'] }
  const { id: subscription_id } = await call('createSubscription', { body: subscription })
  const params = { subscription_id }
  await call('listSubscriptions')
  await call('getSubscription', { params })
  await call('updateSubscription', { params, body: { url: `${subscription.url}/2` } })
  await call('rotateSubscriptionSecret', { params })
  await call('testSubscription', { params })
  const { results } = await call('listDeliveries', { params })
  await call('replaySubscription', { params, body: { since: '2026-01-01T00:00:00.000Z' } })
  // A waiting delivery is a conflict, which covers the whole way and back.
  await expect(call('redeliver', { params: { ...params, delivery_id: results[0].id } })).rejects.toThrow()
  await call('deleteSubscription', { params })
}

const productHeader = 'name,sku,length,width,height,dimension_unit,weight,weight_unit'

function csv(text: string, fields: object = {}): object {
  return { form: { ...fields, file: Buffer.from(text) } }
}

/** From now on, every driver call in this process is counted. */
function watch(): void {
  if (isWatched) return
  isWatched = true
  for (const name of ['run', 'get', 'all', 'iterate'] as const) countCalls(StatementSync.prototype, name)
  countCalls(DatabaseSync.prototype, 'exec')
  const { query } = pg.Client.prototype
  const waiting = new WeakMap<object, number>()
  // biome-ignore lint/suspicious/noExplicitAny: one wrapper for all of its forms
  pg.Client.prototype.query = function (this: object, ...args: any[]): any {
    const text: string = args[0]?.text ?? args[0]
    counted.calls += 1
    if (!waiting.get(this) && !isUnawaited(this, text)) counted.trips += 1
    waiting.set(this, (waiting.get(this) ?? 0) + 1)
    const asked = Reflect.apply(query, this, args)
    const ended = (): void => void waiting.set(this, (waiting.get(this) ?? 1) - 1)
    if (typeof asked?.then === 'function') asked.then(ended, ended)
    else ended()
    return asked
  } as typeof query
}

const reading = new WeakSet<object>()

/** No request waits for the end of a read or for the notification of others. */
function isUnawaited(client: object, text: string): boolean {
  if (text.includes('read only')) reading.add(client)
  else if (text === 'commit' && reading.delete(client)) return true
  return text.includes('pg_notify')
}

function countCalls<T extends object>(prototype: T, name: keyof T): void {
  const real = prototype[name] as (...args: unknown[]) => unknown
  prototype[name] = function (this: unknown, ...args: unknown[]) {
    counted.calls += 1
    return Reflect.apply(real, this, args)
  } as T[keyof T]
}
