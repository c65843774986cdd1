import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { attemptDelaysMs } from '../support/attempt-delays.ts'
import { emitEvents, type Subscribed } from '../support/deliveries.ts'
import { type Delivering, startDelivering } from '../support/delivering.ts'
import { usualDatabases } from '../support/harness.ts'
import { withWork } from '../support/with-work.ts'

const second = 1000
const day = 86_400 * second

describe.each(usualDatabases)('the attempt schedule over $name (decisions 9)', (database) => {
  let delivering: Delivering
  beforeEach(async () => {
    delivering = await startDelivering(database)
  })
  afterEach(() => delivering.close())

  const millisecondsToNext = async (of: Subscribed): Promise<number> => {
    const [waiting] = await delivering.deliveries(of)
    return Date.parse(waiting?.next_attempt_at ?? '') - delivering.harness.sources.clock()
  }
  const isActive = async (params: { subscription_id: string }) =>
    (await delivering.harness.client.getSubscription({ params })).data.active

  test('makes ten attempts, each within 20 % of its delay, and then the delivery is dead', async () => {
    const { harness, receiver, worker } = delivering
    const of = await delivering.subscribe()
    receiver.answer(500)
    await emitEvents(harness)
    await worker.idle()
    for (const [made, delay] of attemptDelaysMs.entries()) {
      if (made === 0) continue
      const [waiting] = await delivering.deliveries(of)
      expect(waiting).toMatchObject({
        status: 'pending',
        attempts: made,
        response_code: 500,
        last_error: 'The receiver answered 500.',
      })
      const wait = await millisecondsToNext(of)
      expect(Math.abs(wait - delay)).toBeLessThanOrEqual(delay * 0.2)
      await delivering.later(wait - 1)
      expect(receiver.received).toHaveLength(made)
      await delivering.later(1)
      expect(receiver.received).toHaveLength(made + 1)
    }
    expect(await delivering.deliveries(of)).toMatchObject([
      { status: 'dead', attempts: 10, next_attempt_at: null },
    ])
    await delivering.later(30 * day)
    expect(receiver.received).toHaveLength(10)
    expect(await isActive(of.params)).toBe(true)
  })

  test('gives a dead delivery ten more attempts by redeliver', async () => {
    const { harness, receiver, worker } = delivering
    const of = await delivering.subscribe()
    receiver.answer(500)
    await emitEvents(harness)
    await worker.idle()
    for (let n = 0; n < 9; n++) await delivering.later(await millisecondsToNext(of))
    const [dead] = await delivering.deliveries(of)
    expect(dead).toMatchObject({ status: 'dead', attempts: 10 })
    await harness.client.redeliver({ params: { ...of.params, delivery_id: dead?.id ?? '' } })
    await worker.idle()
    expect(await delivering.deliveries(of)).toMatchObject([{ status: 'pending', attempts: 11 }])
    receiver.answer(200)
    await delivering.later(6 * second)
    expect(await delivering.deliveries(of)).toMatchObject([{ status: 'delivered', attempts: 12 }])
  })

  test.each([301, 302, 307, 308])(
    'treats a redirect (%i) as a failure and does not follow it',
    async (status) => {
      const { harness, receiver, worker } = delivering
      const of = await delivering.subscribe()
      receiver.answer({ status, headers: { location: receiver.url('', '/elsewhere') } })
      await emitEvents(harness)
      await worker.idle()
      expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
      expect(await delivering.deliveries(of)).toMatchObject([
        { status: 'pending', response_code: status, last_error: `The receiver answered ${status}.` },
      ])
    },
  )

  test('delays the delivery and all others of the receiver after Retry-After', async () => {
    const { harness, receiver, worker } = delivering
    const of = await delivering.subscribe()
    receiver.answer({ status: 429, headers: { 'retry-after': '90' } })
    await emitEvents(harness)
    await worker.idle()
    expect(await delivering.deliveries(of)).toMatchObject([{ next_attempt_at: '2026-05-01T09:01:30.000Z' }])
    receiver.answer(204)
    await emitEvents(harness)
    const until = { next_attempt_at: '2026-05-01T09:01:30.000Z' }
    expect((await harness.client.testSubscription(of)).data).toMatchObject(until)
    expect(await delivering.deliveries(of)).toMatchObject([until, until, until])
    await delivering.later(89 * second)
    expect(receiver.received).toHaveLength(1)
    await delivering.later(second)
    expect(receiver.received).toHaveLength(4)
    const delivered = { status: 'delivered', next_attempt_at: null }
    expect(await delivering.deliveries(of)).toMatchObject([delivered, delivered, delivered])
  })

  test('makes the delivery dead and the subscription inactive on a 410, with nothing more queued or sent', async () => {
    const { harness, receiver, worker } = delivering
    const of = await delivering.subscribe()
    receiver.answer(410)
    await emitEvents(harness)
    await worker.idle()
    expect(await delivering.deliveries(of)).toMatchObject([
      { status: 'dead', response_code: 410, attempts: 1 },
    ])
    expect(await isActive(of.params)).toBe(false)
    await emitEvents(harness)
    await delivering.later(day)
    expect(receiver.received).toHaveLength(1)
    expect(await delivering.deliveries(of)).toHaveLength(1)
    await harness.client.updateSubscription({ ...of, body: { active: true } })
    receiver.answer(204)
    await emitEvents(harness)
    await worker.idle()
    expect(receiver.received).toHaveLength(2)
  })

  test('deactivates after five days without a success, counted again after each success', async () => {
    const { harness, receiver, worker } = delivering
    const of = await delivering.subscribe()
    const fail = async (ms: number): Promise<void> => {
      receiver.answer(503)
      harness.pass(ms)
      await emitEvents(harness)
      await worker.idle()
    }
    await fail(0)
    await fail(4 * day)
    receiver.answer(204)
    await delivering.later(6 * second)
    await fail(day)
    await fail(5 * day - second)
    expect(await isActive(of.params)).toBe(true)
    await fail(second)
    expect(await isActive(of.params)).toBe(false)
    const count = receiver.received.length
    await delivering.later(2 * day)
    expect(receiver.received).toHaveLength(count)
  })

  test('follows the scope’s clock, so an advance makes waiting deliveries due', async () => {
    const { harness, receiver, worker } = delivering
    const of = await delivering.subscribe()
    receiver.answer(500)
    await emitEvents(harness)
    await worker.idle()
    receiver.answer(204)
    await harness.client.advanceClock({ body: { seconds: 3 } })
    await worker.idle()
    expect(receiver.received).toHaveLength(1)
    await harness.client.advanceClock({ body: { seconds: 3 } })
    await worker.idle()
    expect(receiver.received).toHaveLength(2)
    expect(receiver.received[1]?.headers['webhook-timestamp']).toBe(
      String(Math.floor(harness.sources.clock() / 1000)),
    )
    expect(await delivering.deliveries(of)).toMatchObject([
      { status: 'delivered', last_attempt_at: '2026-05-01T09:00:06.000Z' },
    ])
  })

  test('sets an alarm for what is due soon, which wakes the worker', async () => {
    const { harness, receiver, worker, timers } = delivering
    const of = await delivering.subscribe()
    receiver.answer(500)
    await emitEvents(harness)
    await worker.idle()
    expect(timers.set()).toEqual([1000])
    await delivering.later((await millisecondsToNext(of)) - 400)
    expect(timers.set()).toEqual([400, 1000])
    harness.pass(400)
    timers.ring(400)
    await worker.idle()
    expect(receiver.received).toHaveLength(2)
  })

  test("finds another process's commit by polling every second", async () => {
    const { harness, receiver, worker, timers } = delivering
    await delivering.subscribe()
    await withWork(harness, async (work) => work.emit('transfer.requested', '{}'))
    expect(timers.set()).toEqual([1000])
    timers.ring(1000)
    await worker.idle()
    expect(receiver.received).toHaveLength(1)
    expect(timers.set()).toEqual([1000])
  })
})
