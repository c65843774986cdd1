import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyEvent } from '../support/every-event.ts'
import { type Fleet, startFleet } from '../support/fleet.ts'
import { eventually, pause, sendAgain, startLoad } from '../support/load.ts'
import { type SharedDatabase, sharedDatabases } from '../support/shared-database.ts'
import { chanceOf, scale, seed } from '../support/soak.ts'
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts'

/** How long a delivery belongs to one process (ruling 9). */
const leaseMs = 60_000

const processes = 4
const kills = scale(2, 20)
/** The processes' clocks run faster, so that the leases of killed ones expire soon. */
const speed = scale(60, 10)

describe.each(sharedDatabases)(`kill -9 under load, over $name (seed ${seed})`, ({ make }) => {
  let shared: SharedDatabase
  let fleet: Fleet
  let receiver: Receiver
  beforeAll(async () => {
    shared = await make()
    receiver = await startReceiver()
    fleet = await startFleet(shared.place, processes, { delivers: true, speed })
  })
  afterAll(async () => {
    await fleet.stop()
    await receiver.close()
    await shared.close()
  })

  test('loses no acknowledged write, every delivery is made, and leases pass on in time', async () => {
    const { key } = await shared.partner('Killed')
    const client = () => fleet.client(0, key)
    const event_types = ['item.intake.completed' as const]
    const { id } = (await client().createSubscription({ body: { url: receiver.url(), event_types } })).data
    const chance = chanceOf(seed)
    const load = startLoad(fleet, key, 8, chance)
    for (let kill = 0; kill < kills; kill++) {
      const before = load.acknowledged.length
      await eventually('writes are acknowledged', async () => load.acknowledged.length > before + 10, 60_000)
      await pause(chance() * 200)
      const victim = Math.floor(chance() * processes)
      await fleet.kill(victim)
      await pause(chance() * 100)
      await fleet.replace(victim)
    }
    await load.stop()
    const params = { subscription_id: id }
    const pending = async () =>
      (await client().listDeliveries({ params, query: { status: 'pending' } })).data.total
    // The lease expires, a worker checks, and delivers the rest.
    await eventually('every delivery is made', async () => (await pending()) === 0, leaseMs / speed + 10_000)

    const events = await everyEvent(client())
    const delivered = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
    expect(events.filter((event) => !delivered.has(event.id))).toEqual([])
    expect(delivered.size).toBe(events.length)
    expect(events).toHaveLength(load.acknowledged.length)
    for (const write of load.acknowledged) {
      const again = await sendAgain(client(), write)
      expect([again.headers['idempotency-replayed'], again.text]).toEqual(['true', write.text])
    }
    expect(await shared.findings()).toEqual([])
  })
})
