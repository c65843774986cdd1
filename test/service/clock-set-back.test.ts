import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLeader } from '../../src/service/jobs/scheduler.ts'
import { createClockWatch } from '../../src/service/jobs/upkeep.ts'
import { sql } from '../../src/store/database.ts'
import { emitEvents } from '../support/deliveries.ts'
import { type Delivering, startDelivering } from '../support/delivering.ts'
import { usualDatabases } from '../support/harness.ts'

const second = 1000
const day = 86_400 * second

describe.each(usualDatabases)('a machine whose clock is set back, over $name', (database) => {
  let delivering: Delivering
  beforeEach(async () => {
    delivering = await startDelivering(database)
  })
  afterEach(() => delivering.close())

  /** The machine was ten days ahead, something happened, and its clock was corrected. */
  const setBack = async (answer: Parameters<Delivering['receiver']['answer']>[0] = 500) => {
    const { harness, receiver, worker } = delivering
    harness.pass(10 * day)
    receiver.answer(answer)
    const of = await delivering.subscribe()
    await emitEvents(harness)
    await worker.idle()
    harness.pass(-10 * day)
    return of
  }
  const clock = async () => Date.parse((await delivering.harness.client.getClock({})).data.now)

  test("the scope's time passes at half speed, and never back, until the machine has caught up", async () => {
    const { harness } = delivering
    const real = () => harness.sources.clock()
    await setBack()
    const last = real() + 10 * day
    expect(await clock()).toBe(last)
    harness.pass(2000)
    expect(await clock()).toBe(last + 1000)
    await emitEvents(harness)
    for (let n = 0; n < 10; n++) {
      harness.pass(1)
      await emitEvents(harness)
    }
    expect(await clock()).toBe(last + 1005)
    harness.pass(20 * day - 2010 - 2)
    expect(await clock()).toBe(real() + 1)
    harness.pass(4)
    expect(await clock()).toBe(real())
    harness.pass(day)
    expect(await clock()).toBe(real())
    const events = await harness.events()
    const ids = events.map(({ id }) => id)
    expect(ids).toEqual([...ids].sort())
  })

  test('each scope continues from its own time, also one less far ahead', async () => {
    const { harness } = delivering
    const clocks = () =>
      Promise.all(
        [harness.client, harness.stranger].map(
          async (client) => Date.parse((await client.getClock({})).data.now) - harness.sources.clock(),
        ),
      )
    harness.pass(10 * day)
    await emitEvents(harness)
    harness.pass(-5 * day)
    await emitEvents({ ...harness, scope: harness.strangerScope })
    harness.pass(-5 * day)
    expect(await clocks()).toEqual([10 * day, 5 * day])
    harness.pass(2000)
    expect(await clocks()).toEqual([10 * day - 1000, 5 * day - 1000])
  })

  test('a waiting delivery is retried within twice its time, not when the clock has caught up', async () => {
    await setBack()
    const { receiver } = delivering
    await delivering.later(0)
    expect(receiver.received).toHaveLength(1)
    receiver.answer(204)
    await delivering.later(13 * second)
    expect(receiver.received).toHaveLength(2)
  })

  test('a delivery paused by Retry-After is retried in the same way', async () => {
    await setBack({ status: 503, headers: { 'retry-after': '60' } })
    const { receiver } = delivering
    receiver.answer(204)
    await delivering.later(0)
    await delivering.later(119 * second)
    expect(receiver.received).toHaveLength(1)
    await delivering.later(second)
    expect(receiver.received).toHaveLength(2)
  })

  test('another process takes over what a dead one held within a quarter of an hour', async () => {
    const { harness, receiver } = delivering
    const of = await delivering.subscribe()
    const died = createLeader(harness.db, () => harness.sources.clock() + 10 * day)
    const name = `work of scope ${harness.scope.id}`
    await died.only(name, 30_000, async () => {})
    const until = new Date(harness.sources.clock() + 10 * day).toISOString()
    await delivering.worker.stop(0)
    await emitEvents(harness)
    await harness.db.write((tx) =>
      tx.run(sql`update deliveries set lease_owner = 'died', lease_until = ${until}
        where scope_id = ${harness.scope.id} and subscription_id = ${of.params.subscription_id}`),
    )
    let isDone = false
    await createLeader(harness.db, harness.sources.clock).only(name, 30_000, async () => {
      isDone = true
    })
    expect(isDone).toBe(true)
    const another = delivering.makeWorker()
    another.start()
    await another.idle()
    expect(receiver.received).toHaveLength(1)
    await another.stop(0)
  })

  test('a service warns once, with the partner’s name, and again when it happens again', async () => {
    const { harness } = delivering
    const { db, sources, scope } = harness
    const warned: unknown[] = []
    let jumps = 0
    const look = createClockWatch({
      db,
      sources,
      environment: scope.environment,
      warn: (_message, details) => {
        if (details.partner === undefined) jumps += 1
        if (details.partner === scope.partner_name) warned.push(details)
      },
    })
    await look()
    // A clock that its partner advanced is not ahead.
    await harness.client.advanceClock({ body: { seconds: 100 } })
    await look()
    expect(warned).toEqual([])
    await setBack()
    harness.pass(10 * day - 60 * second)
    await look()
    expect(warned).toEqual([])
    harness.pass(-second)
    await look()
    await look()
    expect(warned).toEqual([{ partner: scope.partner_name, ahead_seconds: 61 }])
    expect(jumps).toBe(1)
    harness.pass(2 * second)
    await look()
    harness.pass(-2 * second)
    await look()
    expect(warned).toHaveLength(2)
  })
})
