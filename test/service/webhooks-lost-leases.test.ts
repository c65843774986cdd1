import { afterEach, describe, expect, test } from 'vitest'
import { createEventSignal } from '../../src/service/jobs/event-signal.ts'
import type { Database } from '../../src/store/database.ts'
import { emitEvents } from '../support/deliveries.ts'
import { type Delivering, startDelivering } from '../support/delivering.ts'
import { databases, type Harness } from '../support/harness.ts'
import { heldBack } from '../support/held-back.ts'

/** How long a delivery belongs to one process (ruling 9). */
const leaseMs = 60_000
/** A clock three weeks ahead. */
const aheadOf = (sources: Harness['sources']): Harness['sources'] => ({
  ...sources,
  clock: () => sources.clock() + 21 * 86_400_000,
})

describe.each(databases)('delivery workers that lose a lease, over $name (decisions 9)', (database) => {
  let delivering: Delivering
  const start = async () => {
    delivering = await startDelivering(database)
    return delivering
  }
  afterEach(() => delivering.close())

  test('stay away for a minute; then another gets the delivery, and the loser rejoins after a poll', async () => {
    const { harness, receiver, worker, makeWorker } = await start()
    const of = await delivering.subscribe()
    const { answer, letGo } = heldBack()
    receiver.answer(answer)
    await emitEvents(harness)
    await receiver.arrived(1)
    receiver.answer(200)
    const signal = createEventSignal()
    const other = makeWorker({ signal })
    harness.pass(leaseMs - 1)
    other.start()
    await other.idle()
    expect(receiver.received).toHaveLength(1)
    harness.pass(1)
    signal.notify(harness.scope.id)
    await other.idle()
    expect(receiver.received).toHaveLength(2)
    letGo(200)
    await worker.idle()
    expect(delivering.log.map(({ verdict }) => verdict)).toEqual(['delivered', 'lost'])
    expect(await delivering.deliveries(of)).toMatchObject([{ status: 'delivered', attempts: 1 }])
    await other.stop(0)
    await emitEvents(harness)
    await worker.idle()
    expect(receiver.received).toHaveLength(2)
    await delivering.later(1000)
    expect(receiver.received).toHaveLength(3)
  })

  test('record nothing of an attempt whose lease has passed to another', async () => {
    const { harness, receiver, worker, makeWorker } = await start()
    const of = await delivering.subscribe()
    const [late, holder] = [heldBack(), heldBack()]
    receiver.answer(late.answer)
    await emitEvents(harness)
    await receiver.arrived(1)
    receiver.answer(holder.answer)
    harness.pass(leaseMs)
    const other = makeWorker()
    other.start()
    await receiver.arrived(2)
    late.letGo(500)
    await worker.idle()
    expect(delivering.log.map(({ verdict }) => verdict)).toEqual(['lost'])
    expect(await delivering.deliveries(of)).toMatchObject([{ status: 'pending', attempts: 0 }])
    holder.letGo(200)
    await other.idle()
    expect(await delivering.deliveries(of)).toMatchObject([{ status: 'delivered', attempts: 1 }])
    await other.stop(0)
  })

  test('send an event no more than once each, even if one takes leases by a clock weeks ahead', async () => {
    const { harness, receiver, worker, makeWorker } = await start()
    const of = await delivering.subscribe()
    const [first, second] = [heldBack(), heldBack()]
    receiver.answer(first.answer)
    await emitEvents(harness)
    await receiver.arrived(1)
    receiver.answer(second.answer)
    const other = makeWorker({ sources: aheadOf(harness.sources) })
    other.start()
    await receiver.arrived(2)
    receiver.answer(200)
    first.letGo(200)
    await worker.idle()
    harness.service.signal.notify(harness.scope.id)
    await worker.idle()
    expect(delivering.log.map(({ verdict }) => verdict)).toEqual(['lost'])
    expect(receiver.received).toHaveLength(2)
    second.letGo(200)
    await other.idle()
    expect(delivering.log.map(({ verdict }) => verdict)).toEqual(['lost', 'delivered'])
    expect(await delivering.deliveries(of)).toMatchObject([{ status: 'delivered', attempts: 1 }])
    await other.stop(0)
  })

  test('do not lose a lease that is requested again meanwhile', async () => {
    const { harness, receiver, makeWorker } = await start()
    await delivering.worker.stop(0)
    const [asked, allowed, lost] = [0, 1, 2].map(() => Promise.withResolvers<void>())
    let isHeld = false
    const db: Database = {
      ...harness.db,
      write: async (fn) => {
        if (isHeld) {
          isHeld = false
          asked?.resolve()
          await allowed?.promise
        }
        return harness.db.write(fn)
      },
    }
    const worker = makeWorker({ db, log: () => lost?.resolve() })
    worker.start()
    await worker.idle()
    const of = await delivering.subscribe()
    const [first, second] = [heldBack(), heldBack()]
    receiver.answer(first.answer)
    await emitEvents(harness)
    await receiver.arrived(1)
    receiver.answer(second.answer)
    isHeld = true
    const other = makeWorker({ sources: aheadOf(harness.sources) })
    other.start()
    await receiver.arrived(2)
    harness.service.signal.notify(harness.scope.id)
    await asked?.promise
    receiver.answer(200)
    first.letGo(200)
    await lost?.promise
    allowed?.resolve()
    await worker.idle()
    expect(receiver.received).toHaveLength(2)
    second.letGo(200)
    await other.idle()
    expect(await delivering.deliveries(of)).toMatchObject([{ status: 'delivered', attempts: 1 }])
    await Promise.all([worker.stop(0), other.stop(0)])
  })
})
