import { afterEach, describe, expect, test, vi } from 'vitest'
import { defaultSettings, type UnitOfWork } from '../../src/engine/context.ts'
import { createAttemptRecorder } from '../../src/service/webhooks/attempt-recorder.ts'
import { slowMs } from '../../src/service/webhooks/concurrency-limiter.ts'
import { emitEvents } from '../support/deliveries.ts'
import { type Delivering, startDelivering } from '../support/delivering.ts'
import { databases } from '../support/harness.ts'
import { heldBack } from '../support/held-back.ts'
import { withWork } from '../support/with-work.ts'

describe.each(databases)('batches of the log over $name (decisions 9)', (database) => {
  let delivering: Delivering
  const start = async () => {
    delivering = await startDelivering(database)
    return delivering
  }
  afterEach(() => delivering.close())

  test.runIf(database.name === 'PostgreSQL')(
    'are recorded for one partner while another’s write is running',
    async () => {
      const { harness, receiver } = await start()
      await delivering.subscribe()
      const body = { url: receiver.url('theirs'), event_types: ['transfer.requested' as const] }
      const { data } = await harness.stranger.createSubscription({ body })
      await emitEvents(harness)
      await withWork(harness, async () => {
        await receiver.arrived(1)
        await emitEvents(harness, 1, 'transfer.requested', harness.strangerScope)
        await vi.waitFor(async () => {
          const of = { params: { subscription_id: data.id }, query: { status: 'delivered' as const } }
          expect((await harness.stranger.listDeliveries(of)).data.total).toBe(1)
        }, 10_000)
      })
      await delivering.worker.idle()
    },
  )

  test('return on a stop what had not begun, and each event is delivered once more at most', async () => {
    const { harness, receiver, worker, timers, makeWorker } = await start()
    const of = await delivering.subscribe()
    receiver.answer(() => {})
    const events = await emitEvents(harness, 30)
    await receiver.arrived(8)
    const stopped = worker.stop()
    timers.ring(3000)
    await stopped
    const waiting = await delivering.deliveries(of)
    expect(waiting.map(({ status, attempts }) => [status, attempts])).toEqual(Array(30).fill(['pending', 0]))
    receiver.answer(200)
    const next = makeWorker()
    next.start()
    await next.idle()
    const again = receiver.received.slice(8).map(({ headers }) => headers['webhook-id'])
    expect(again.sort()).toEqual(events.map(({ id }) => id).sort())
    expect((await delivering.deliveries(of)).map(({ id }) => id)).toEqual(waiting.map(({ id }) => id))
    await next.stop(0)
  })

  test('continue alone if one takes long, and the others are recorded and continue', async () => {
    const { harness, receiver, timers, worker } = await start()
    const of = await delivering.subscribe()
    const { held, answer, letGo } = heldBack()
    let first = true
    receiver.answer((response) => {
      if (first) answer(response)
      else response.writeHead(200).end()
      first = false
    })
    await emitEvents(harness, 20)
    await receiver.arrived(20)
    expect(held).toHaveLength(1)
    timers.ring(slowMs)
    await vi.waitFor(async () => {
      const statuses = (await delivering.deliveries(of)).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([...Array(19).fill('delivered'), 'pending'])
    }, 10_000)
    letGo(500)
    await worker.idle()
    const slow = (await delivering.deliveries(of)).filter(({ status }) => status === 'pending')
    expect(slow).toMatchObject([
      { attempts: 1, response_code: 500, last_error: 'The receiver answered 500.' },
    ])
  })

  test('wait their turn one at a time after a failure', async () => {
    const { harness, receiver, worker } = await start()
    const of = await delivering.subscribe()
    const { held, answer, letGo } = heldBack()
    receiver.answer(answer)
    await emitEvents(harness, 30)
    await receiver.arrived(8)
    letGo(500)
    await receiver.arrived(9)
    expect(held).toHaveLength(1)
    receiver.answer(200)
    letGo(200)
    await worker.idle()
    const deliveries = await delivering.deliveries(of)
    expect(deliveries.map(({ attempts }) => attempts)).toEqual(Array(30).fill(1))
    expect(deliveries.filter(({ status }) => status === 'pending')).toHaveLength(8)
  })

  test('begin nothing more after one failure, while their running deliveries continue', async () => {
    const { harness, receiver, worker } = await start()
    await delivering.subscribe()
    const { held, answer, letGo } = heldBack()
    receiver.answer(answer)
    await emitEvents(harness, 30)
    await receiver.arrived(8)
    held.shift()?.writeHead(500).end()
    // Another subscription gets its turn meanwhile: one more delivery of the batch would have come before its event.
    await delivering.subscribe({ types: ['transfer.completed'] })
    await emitEvents(harness, 1, 'transfer.completed')
    await receiver.arrived(9)
    expect(receiver.received[8]?.body).toContain('transfer.completed')
    expect(held).toHaveLength(8)
    receiver.answer(200)
    letGo(200)
    await worker.idle()
  })

  test("record together what ended meanwhile, a few milliseconds' worth of rows, in order", async () => {
    const { harness } = await start()
    const recorder = createAttemptRecorder({ ...harness, settings: defaultSettings })
    const done: Array<{ at: number; work: UnitOfWork }> = []
    const rows = [100, 100, 100, ...Array<number>(10).fill(1), 300]
    await Promise.all(
      rows.map((count, at) =>
        recorder.record(harness.scope.id, count, async (work) => void done.push({ at, work })),
      ),
    )
    expect(done.map(({ at }) => at)).toEqual([...rows.keys()])
    const starts = done.filter(({ work }, at) => work !== done[at - 1]?.work).map(({ at }) => at)
    expect(starts).toEqual([0, 1, 3, 11, 13])
  })
})
