import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyEvent } from '../support/every-event.ts'
import { type Fleet, startFleet } from '../support/fleet.ts'
import { eventually, pause, persist, sendAgain, startLoad } from '../support/load.ts'
import { type RestartablePostgres, startOwnPostgres } from '../support/postgres.ts'
import { type SharedDatabase, share } from '../support/shared-database.ts'
import { chanceOf, scale, seed } from '../support/soak.ts'
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts'

const restarts = scale(2, 20)

describe(`PostgreSQL restarted under load (seed ${seed})`, () => {
  let server: RestartablePostgres
  let shared: SharedDatabase
  let fleet: Fleet
  let receiver: Receiver
  beforeAll(async () => {
    server = await startOwnPostgres()
    receiver = await startReceiver()
    shared = await share({ url: server.url, schema: 'public' })
    fleet = await startFleet(shared.place, 4, { delivers: true, speed: 60 })
  })
  afterAll(async () => {
    await fleet.stop()
    await receiver.close()
    await shared.close()
    await server.stop()
  })

  test('clients get a 503 or wait, nothing acknowledged is lost, and the processes recover by themselves', async () => {
    const { key } = await shared.partner('Restarted')
    const client = () => fleet.client(0, key)
    const event_types = ['item.intake.completed' as const]
    const { id } = (await client().createSubscription({ body: { url: receiver.url(), event_types } })).data
    const chance = chanceOf(seed)
    const load = startLoad(fleet, key, 8, chance)
    for (let i = 0; i < restarts; i++) {
      const before = load.acknowledged.length
      await eventually('writes are acknowledged', async () => load.acknowledged.length > before + 10, 60_000)
      await pause(chance() * 100)
      await server.restart(i % 2 === 0 ? 'stopped' : 'crashed')
    }
    const before = load.acknowledged.length
    await eventually('writes are acknowledged', async () => load.acknowledged.length > before + 10, 60_000)
    await load.stop()
    const params = { subscription_id: id }
    const pending = () =>
      persist(
        async () => (await client().listDeliveries({ params, query: { status: 'pending' } })).data.total,
      )
    await eventually('every delivery is made', async () => (await pending()) === 0, 30_000)

    const events = await everyEvent(client())
    const delivered = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
    expect(events.filter((event) => !delivered.has(event.id))).toEqual([])
    expect(events).toHaveLength(load.acknowledged.length)
    for (const write of load.acknowledged) {
      const again = await sendAgain(client(), write)
      expect([again.headers['idempotency-replayed'], again.text]).toEqual(['true', write.text])
    }
    expect(await shared.findings()).toEqual([])
  })
})
