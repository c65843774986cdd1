import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Backlog, measureBacklog } from '../../src/engine/webhooks/backlog.ts'
import { createMetrics } from '../../src/service/observe/metrics.ts'
import { emitEvents } from '../support/deliveries.ts'
import { type Delivering, startDelivering } from '../support/delivering.ts'
import { usualDatabases } from '../support/harness.ts'

describe.each(usualDatabases)("the backlog's metrics, over $name", (database) => {
  let delivering: Delivering
  beforeEach(async () => {
    delivering = await startDelivering(database)
  })
  afterEach(() => delivering.close())

  const backlog = (): Promise<Backlog> =>
    measureBacklog(delivering.harness.db, delivering.harness.sources, 'sandbox')

  test('the lag is the age of the oldest event without a first attempt', async () => {
    const { harness, worker, receiver } = delivering
    await delivering.subscribe()
    expect(await backlog()).toEqual({ pending: 0, lagSeconds: 0 })
    await worker.stop(0)
    await emitEvents(harness)
    harness.pass(90_000)
    await emitEvents(harness)
    expect(await backlog()).toEqual({ pending: 2, lagSeconds: 90 })
    expect(receiver.received).toEqual([])
  })

  test('an attempt is logged with its partner, like a request', async () => {
    const { harness, worker, log } = delivering
    await delivering.subscribe()
    await emitEvents(harness)
    await worker.idle()
    expect(log).toMatchObject([{ partner: harness.scope.partner_name, verdict: 'delivered', attempt: 1 }])
  })

  test('a failing receiver is not behind, however long its retries wait', async () => {
    const { harness, receiver, worker } = delivering
    await delivering.subscribe()
    receiver.answer(500)
    await emitEvents(harness, 3)
    await worker.idle()
    await worker.stop(0)
    await emitEvents(harness)
    harness.pass(90_000)
    expect(await backlog()).toEqual({ pending: 4, lagSeconds: 0 })
  })

  test('a recovered receiver is not behind for deliveries that are merely retried', async () => {
    const { harness, receiver, worker } = delivering
    await delivering.subscribe()
    receiver.answer(500)
    await emitEvents(harness)
    await worker.idle()
    receiver.answer(200)
    await emitEvents(harness)
    await worker.idle()
    harness.pass(90_000)
    expect(await backlog()).toEqual({ pending: 1, lagSeconds: 0 })
  })
})

describe('metrics while the database is unreachable', () => {
  test.each<[string, () => Promise<Backlog>]>([
    ['gone', () => Promise.reject(new Error('gone'))],
    ['standing still', () => new Promise(() => {})],
  ])('%s: include all that does not need it, and the rest once it is back', async (_, away) => {
    let ask = away
    const metrics = createMetrics(() => ask(), 'test', 20)
    metrics.request({ request_id: 'r', operation: 'listItems', status: 503, duration_ms: 1 })
    const without = await metrics.text()
    expect(without).toContain('custody_requests_total{operation="listItems",status="503"} 1\n')
    expect(without).toContain('custody_database_up 0\n')
    expect(without).not.toMatch(/^custody_(event_lag|webhook_queue)/m)
    ask = async () => ({ pending: 3, lagSeconds: 2 })
    expect(await metrics.text()).toMatch(/database_up 1\n.*queue_depth 3\n.*event_lag_seconds 2\n/s)
  })
})
