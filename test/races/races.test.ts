import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { box } from '../support/box.ts'
import { everyEvent } from '../support/every-event.ts'
import { type Fleet, startFleet } from '../support/fleet.ts'
import { slab } from '../support/manifests.ts'
import { orderOf } from '../support/orders.ts'
import { type Outcome, outcomeOf, statusesOf } from '../support/outcome.ts'
import { type SharedDatabase, sharedDatabases } from '../support/shared-database.ts'
import { chanceOf, isLong, scale, seed } from '../support/soak.ts'

const processes = 4
const rounds = scale(4, 250)

describe.each(sharedDatabases)(`races of ${processes} processes over $name (seed ${seed})`, ({ make }) => {
  let shared: SharedDatabase
  let fleet: Fleet
  let clients: Client[]
  beforeAll(async () => {
    shared = await make()
    fleet = await startFleet(shared.place, processes)
  }, 60_000)
  afterAll(async () => {
    await fleet.stop()
    await shared.close()
  })

  /** A client through each process, for a partner of this test alone. */
  const enter = async (name: string): Promise<Client> => {
    const { key } = await shared.partner(name)
    clients = Array.from({ length: processes }, (_, i) => fleet.client(i, key))
    return at(0)
  }
  const at = (process: number): Client => clients[process % processes] as Client
  /** The same at once through every process. */
  const everywhere = (call: (client: Client) => Promise<Outcome>) => statusesOf(clients.map(call))

  test('1,000 keys with 20 duplicates each have one effect and one answer', async () => {
    const first = await enter('Duplicates')
    const keys = scale(20, 1000)
    const chance = chanceOf(seed)
    const answers: Outcome[][] = []
    const send = (key: number): Promise<Outcome> => {
      const client = at(Math.floor(chance() * processes))
      const idempotencyKey = `duplicate ${key}`
      return outcomeOf(
        key % 2 === 0
          ? client.createProduct({ body: box(`SKU-${key}`), idempotencyKey })
          : client.createIntakes({ body: { items: [slab(`${10_000_000 + key}`)] }, idempotencyKey }),
      )
    }
    const all = Array.from({ length: keys }, (_, key) => key)
    const sendDuplicates = async (key: number): Promise<void> => {
      answers.push(await Promise.all(Array.from({ length: 20 }, () => send(key))))
    }
    // Several keys at a time, so that duplicates of one meet writers of others.
    await Promise.all(Array.from({ length: 3 }, () => inTurn(all, sendDuplicates)))
    for (const outcomes of answers) {
      expect(outcomes.map(({ status }) => status)).toEqual(Array(20).fill(201))
      expect(new Set(outcomes.map(({ text }) => text)).size).toBe(1)
      expect(outcomes.filter(({ headers }) => headers['idempotency-replayed'])).toHaveLength(19)
    }
    expect(answers).toHaveLength(keys)
    expect((await first.listProducts({})).data.total).toBe(keys / 2)
    expect((await first.listItems({})).data.total).toBe(keys / 2)
  })

  test('one of several simultaneous cancels succeeds, and the others learn of it', async () => {
    const client = await enter('Double cancel')
    await repeat(async () => {
      const id = await order(client, 2)
      const params = { fulfillment_id: id }
      expect(await everywhere((one) => outcomeOf(one.cancelFulfillment({ params })))).toEqual([
        200, 409, 409, 409,
      ])
    })
    const { data } = await client.listItems({ query: { status: 'available' } })
    expect(data.total).toBe(rounds * 2)
    expect(await changesTo(client, 'cancelled')).toBe(rounds)
  })

  test('either a cancel or the pick happens, and the other is rejected', async () => {
    const client = await enter('Cancel and pick')
    let cancelled = 0
    await repeat(async (round) => {
      const params = { fulfillment_id: await order(client, 1) }
      const [one, other] = [at(round), at(round + 1)]
      const pick = { to_status: 'processing', to_stage: 'picked' } as const
      const [cancel, advance] = await Promise.all([
        outcomeOf(one.cancelFulfillment({ params })),
        outcomeOf(other.advanceFulfillment({ params, body: pick })),
      ])
      expect([cancel.status, advance.status]).toEqual(cancel.status === 200 ? [200, 400] : [409, 200])
      const { status, processing_stage } = (await client.getFulfillment({ params })).data
      expect([status, processing_stage]).toEqual(
        cancel.status === 200 ? ['cancelled', null] : ['processing', 'picked'],
      )
      if (cancel.status === 200) cancelled += 1
    })
    expect((await client.listItems({ query: { status: 'available' } })).data.total).toBe(cancelled)
    expectBothWays(cancelled)
  })

  test('simultaneous imports of the same SKUs create each once, and the other rows fail one by one', async () => {
    const client = await enter('Imports')
    const rows = 40
    const importRounds = scale(1, rounds)
    await repeat(async (round) => {
      const file = new TextEncoder().encode(catalog(rows, `R${round}`))
      const imports = await Promise.all(clients.map((one) => one.importProductsCsv({ form: { file } })))
      const totals = imports.map(({ data }) => data.totals)
      expect(totals.map(({ created }) => created).sort((a, b) => a - b)).toEqual([0, 0, 0, rows])
      for (const { data } of imports) {
        expect(data.totals.created + data.totals.failed).toBe(rows)
        expect(new Set(data.errors.map(({ code }) => code))).toEqual(
          new Set(data.totals.created === rows ? [] : ['state_conflict']),
        )
      }
    }, importRounds)
    expect((await client.listProducts({})).data.total).toBe(rows * importRounds)
  })

  test('one of several orders for the last item gets it, and the others learn what is left', async () => {
    const client = await enter('Last item')
    await client.createProduct({ body: box('LAST') })
    await repeat(async () => {
      await client.createIntakes({ body: { items: [{ type: 'product', sku: 'LAST' }] } })
      await advanceAll(client)
      const { shipping_address } = orderOf([])
      const body = { sku: 'LAST', quantity: 1, shipping_address }
      const outcomes = await Promise.all(clients.map((one) => outcomeOf(one.createFulfillment({ body }))))
      expect(outcomes.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
      for (const { status, extra } of outcomes) {
        if (status === 409) expect(JSON.stringify(extra)).toContain('"available":0')
      }
    })
    const inventory = (await client.listInventory({ query: { sku: 'LAST' } })).data.results
    expect(inventory).toMatchObject([{ on_hand: rounds, available: 0, allocated: rounds }])
  })

  test('a close and a receipt at once match what came before and reject what comes after', async () => {
    const client = await enter('Close and receive')
    await client.createProduct({ body: box('BOX') })
    let received = 0
    await repeat(async (round) => {
      const body = { reference: `PO-${round}`, lines: [{ description: 'Box', sku: 'BOX', quantity: 5 }] }
      const params = { manifest_id: (await client.submitManifest({ body })).data.id }
      const [close, receive] = await Promise.all([
        outcomeOf(at(round).closeManifest({ params })),
        outcomeOf(at(round + 1).receiveManifest({ params, body: { outcome: 'complete' } })),
      ])
      expect(close.status).toBe(200)
      const { totals } = (await client.getManifestReport({ params })).data
      expect([receive.status, totals.matched, totals.missing]).toEqual(
        receive.status === 201 ? [201, 5, 0] : [409, 0, 5],
      )
      if (receive.status === 201) received += 1
    })
    expectBothWays(received)
    expect(await everyEvent(client, 'manifest.reconciliation.completed')).toHaveLength(rounds)
  })

  test('everything stored twice agrees afterwards', async () => {
    expect(await shared.findings()).toEqual([])
  })
})

/** A race that one side always wins is not a race; in a few rounds it may be chance. */
function expectBothWays(wins: number): void {
  if (!isLong) return
  expect(wins).toBeGreaterThan(0)
  expect(wins).toBeLessThan(rounds)
}

async function repeat(task: (round: number) => Promise<void>, times = rounds): Promise<void> {
  for (let round = 0; round < times; round++) await task(round)
}

/** Takes from a shared list until it is empty. */
async function inTurn<T>(list: T[], task: (one: T) => Promise<void>): Promise<void> {
  for (let one = list.pop(); one !== undefined; one = list.pop()) await task(one)
}

/** Creates a fulfillment of that many new items; returns its id. */
async function order(client: Client, count: number): Promise<string> {
  const items = Array.from({ length: count }, () => slab(String(Math.floor(Math.random() * 2 ** 40))))
  const { intakes } = (await client.createIntakes({ body: { items } })).data
  for (const { qid } of intakes) await advance(client, qid)
  return (await client.createFulfillment({ body: orderOf(intakes) })).data.id
}

async function advanceAll(client: Client): Promise<void> {
  const { results } = (await client.listItems({ query: { status: 'received' } })).data
  for (const { qid } of results) await advance(client, qid)
}

async function advance(client: Client, qid: string): Promise<void> {
  await client.advanceItem({ params: { qid }, body: { to_status: 'available' } })
}

async function changesTo(client: Client, status: string): Promise<number> {
  const events = await everyEvent(client, 'fulfillment.status.changed')
  return events.filter(({ data }) => 'status' in data && data.status === status).length
}

function catalog(rows: number, maker: string): string {
  const head = 'name,sku,length,width,height,dimension_unit,weight,weight_unit'
  return [head, ...Array.from({ length: rows }, (_, i) => `Box ${i},${maker}-${i},1,1,1,cm,1,g`)].join('\n')
}
