import { afterEach, describe, expect, test } from 'vitest'
import { slowMs } from '../../src/service/webhooks/concurrency-limiter.ts'
import type { Database } from '../../src/store/database.ts'
import { emitEvents } from '../support/deliveries.ts'
import { type Delivering, startDelivering } from '../support/delivering.ts'
import { usualDatabases } from '../support/harness.ts'
import { heldBack } from '../support/held-back.ts'
import type { Receiver } from '../support/webhook-receiver.ts'

/** How long a delivery belongs to one process (ruling 9). */
const leaseMs = 60_000

describe.each(usualDatabases)('delivery workers over $name (decisions 9)', (database) => {
  let delivering: Delivering
  const start = async (worker: Parameters<typeof startDelivering>[1] = {}) => {
    delivering = await startDelivering(database, worker)
    return delivering
  }
  afterEach(() => delivering.close())

  /** Holds back answers on one path; on the others they come at once. */
  const heldAt = (receiver: Receiver, path: string) => {
    const { held, answer, letGo } = heldBack()
    receiver.answer((response) => {
      if (response.req.url === path) answer(response)
      else response.writeHead(200).end()
    })
    return {
      held,
      letGo: (status: number): void => {
        receiver.answer(status)
        letGo(status)
      },
    }
  }

  test('deliver each event once if two share a database', async () => {
    const { harness, receiver, worker, makeWorker } = await start()
    const other = makeWorker()
    other.start()
    for (const name of ['a', 'b', 'c']) await delivering.subscribe({ url: receiver.url(name) })
    await emitEvents(harness, 50)
    await Promise.all([worker.idle(), other.idle()])
    const got = receiver.received.map(({ headers }) => `${headers.host} ${headers['webhook-id']}`)
    expect(got).toHaveLength(150)
    expect(new Set(got).size).toBe(150)
    await other.stop(0)
  })

  test('give a receiver eight at once, without delaying another at the same host', async () => {
    const { harness, receiver } = await start()
    const { held, letGo } = heldAt(receiver, '/slow')
    await delivering.subscribe({ url: receiver.url('', '/slow') })
    await emitEvents(harness, 30)
    await receiver.arrived(8)
    await delivering.subscribe({ url: receiver.url('', '/fast') })
    const body = { url: receiver.url('', '/theirs'), event_types: ['transfer.requested' as const] }
    await harness.stranger.createSubscription({ body })
    await emitEvents(harness, 10)
    await emitEvents(harness, 10, 'transfer.requested', harness.strangerScope)
    await receiver.arrived(28)
    expect(held).toHaveLength(8)
    letGo(200)
    await delivering.worker.idle()
    expect(receiver.received).toHaveLength(60)
  })

  test('let no number of slow receivers delay another of the same partner', async () => {
    const { harness, receiver } = await start()
    const { held, letGo } = heldAt(receiver, '/slow')
    for (const name of ['a', 'b', 'c', 'd']) await delivering.subscribe({ url: receiver.url(name, '/slow') })
    await emitEvents(harness, 10)
    await receiver.arrived(32)
    await delivering.subscribe()
    await emitEvents(harness, 10)
    await receiver.arrived(42)
    expect(held).toHaveLength(32)
    letGo(200)
    await delivering.worker.idle()
    expect(receiver.received).toHaveLength(90)
  })

  test('give a receiver slower than two seconds one at a time until it answers in time', async () => {
    const { harness, receiver, timers } = await start()
    const { held, answer, letGo } = heldBack()
    receiver.answer(answer)
    await delivering.subscribe()
    await emitEvents(harness)
    await receiver.arrived(1)
    timers.ring(slowMs)
    await emitEvents(harness, 20)
    letGo(200)
    await receiver.arrived(2)
    timers.ring(slowMs)
    letGo(200)
    await receiver.arrived(3)
    expect(held).toHaveLength(1)
    letGo(200)
    await receiver.arrived(11)
    expect(held).toHaveLength(8)
    receiver.answer(200)
    letGo(200)
    await delivering.worker.idle()
    expect(receiver.received).toHaveLength(21)
  })

  test('give a failing receiver one at a time until it succeeds', async () => {
    const { harness, receiver } = await start()
    await delivering.subscribe()
    receiver.answer(500)
    await emitEvents(harness)
    await delivering.worker.idle()
    const { held, answer, letGo } = heldBack()
    receiver.answer(answer)
    await emitEvents(harness, 20)
    await receiver.arrived(2)
    expect(held).toHaveLength(1)
    letGo(200)
    await receiver.arrived(10)
    expect(held).toHaveLength(8)
    receiver.answer(200)
    letGo(200)
    await delivering.worker.idle()
    expect(receiver.received).toHaveLength(21)
  })

  test('respect the limits of one partner and of all, and give a free place to the next that waits', async () => {
    const limits = { overall: 5, reserve: 1, scope: 2, subscription: 2 }
    const { harness, receiver, timers } = await start({ worker: { limits } })
    const { held, answer, letGo } = heldBack()
    receiver.answer(answer)
    for (const name of ['a', 'b', 'c']) await delivering.subscribe({ url: receiver.url(name) })
    for (const name of ['d', 'e', 'f']) {
      const body = { url: receiver.url(name), event_types: ['transfer.requested' as const] }
      await harness.stranger.createSubscription({ body })
    }
    await emitEvents(harness, 4)
    await receiver.arrived(4)
    await emitEvents(harness, 4, 'transfer.requested', harness.strangerScope)
    await receiver.arrived(5)
    expect(held).toHaveLength(5)
    timers.ring(slowMs)
    await receiver.arrived(7)
    expect(new Set(receiver.received.map(({ headers }) => headers.host?.[0]))).toEqual(new Set('abcdef'))
    receiver.answer(200)
    letGo(200)
    await delivering.worker.idle()
    expect(receiver.received).toHaveLength(24)
  })

  test('delay no partner by another’s deliveries: each has its own leased, for eight subscriptions at a time', async () => {
    const { harness, receiver, worker, makeWorker } = await start()
    await worker.stop(0)
    const held = Promise.withResolvers<void>()
    let leases = 0
    const db: Database = {
      ...harness.db,
      async write(fn, how) {
        if (how?.scope === harness.scope.id) leases += 1
        if (how?.scope === harness.scope.id) await held.promise
        return harness.db.write(fn, how)
      },
    }
    const next = makeWorker({ db })
    next.start()
    await next.idle()
    for (let n = 0; n < 20; n++) await delivering.subscribe()
    const body = { url: receiver.url('theirs'), event_types: ['transfer.requested' as const] }
    await harness.stranger.createSubscription({ body })
    await emitEvents(harness)
    await emitEvents(harness, 1, 'transfer.requested', harness.strangerScope)
    await receiver.arrived(1)
    expect(receiver.received[0]?.headers.host).toContain('theirs')
    held.resolve()
    await next.idle()
    expect([receiver.received.length, leases]).toEqual([21, 3])
    await next.stop(0)
  })

  test('give running deliveries three seconds on a stop, then return them unchanged', async () => {
    const { harness, receiver, worker, timers, makeWorker } = await start()
    const of = await delivering.subscribe()
    receiver.answer(() => {})
    const [event] = await emitEvents(harness)
    await receiver.arrived(1)
    const stopped = worker.stop()
    timers.ring(3000)
    await stopped
    expect(timers.set()).toEqual([])
    expect(delivering.log).toMatchObject([{ verdict: 'put_back', attempt: 1, response_code: null }])
    expect(await delivering.deliveries(of)).toMatchObject([
      { status: 'pending', attempts: 0, last_error: null },
    ])
    receiver.answer(200)
    const next = makeWorker()
    next.start()
    await next.idle()
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([event?.id, event?.id])
    await next.stop(0)
  })

  test('record what ends during a stop, and begin nothing new', async () => {
    const { harness, receiver, worker } = await start()
    const of = await delivering.subscribe()
    const { answer, letGo } = heldBack()
    receiver.answer(answer)
    await emitEvents(harness)
    await receiver.arrived(1)
    const stopped = worker.stop()
    await emitEvents(harness)
    letGo(200)
    await stopped
    expect(await delivering.deliveries(of)).toMatchObject([{ status: 'delivered' }, { status: 'pending' }])
    expect(receiver.received).toHaveLength(1)
  })

  test('repeat an attempt that could not be recorded once its lease has expired', async () => {
    let failing = 0
    const { harness, receiver, makeWorker } = await start()
    await delivering.worker.stop(0)
    const db: Database = {
      ...harness.db,
      write: (fn) => {
        failing -= 1
        return failing === 0 ? Promise.reject(new Error('the disk is full')) : harness.db.write(fn)
      },
    }
    const worker = makeWorker({ db })
    worker.start()
    await worker.idle()
    const of = await delivering.subscribe()
    failing = 2
    await emitEvents(harness)
    await worker.idle()
    expect(delivering.errors).toEqual([new Error('the disk is full')])
    expect(await delivering.deliveries(of)).toMatchObject([{ status: 'pending', attempts: 0 }])
    harness.pass(leaseMs)
    harness.service.signal.notify(harness.scope.id)
    await worker.idle()
    expect(receiver.received).toHaveLength(2)
    expect(await delivering.deliveries(of)).toMatchObject([{ status: 'delivered', attempts: 1 }])
    await worker.stop(0)
  })
})
