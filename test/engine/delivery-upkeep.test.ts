import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { WebhookEventType } from '../../src/contract/enums.ts'
import type { UnitOfWork } from '../../src/engine/context.ts'
import { measureBacklog } from '../../src/engine/webhooks/backlog.ts'
import { forgetDeliveries } from '../../src/engine/webhooks/delivery-upkeep.ts'
import {
  redeliver,
  replaySubscription,
  testSubscription,
  updateSubscription,
} from '../../src/engine/webhooks/subscriptions.ts'
import { sql } from '../../src/store/database.ts'
import { emitEvents, queueDelivered, queueRow, type Subscribed, subscribeTo } from '../support/deliveries.ts'
import { type Harness, startHarness, usualDatabases } from '../support/harness.ts'
import { withWork } from '../support/with-work.ts'

const minute = 60_000
const day = 86_400_000

describe.each(usualDatabases)('waiting and finished deliveries, over $name', (database) => {
  let harness: Harness
  let of: Subscribed
  beforeEach(async () => {
    harness = await startHarness(database)
    of = await subscribeTo(harness)
  })
  afterEach(async () => {
    expect(await harness.findings()).toEqual([])
    // If harnesses share a database, its backlog includes all of them.
    const { data } = await harness.client.listSubscriptions({})
    for (const { id } of data.results)
      await harness.client.deleteSubscription({ params: { subscription_id: id } })
    await harness.close()
  })

  const totalOf = async (status?: 'pending' | 'delivered' | 'dead') =>
    (await harness.client.listDeliveries({ ...of, query: { ...(status && { status }) } })).data.total
  const delivered = (count: number, { params }: Subscribed = of) =>
    withWork(harness, (work) => queueDelivered(work, params.subscription_id, count))
  const backlog = () => measureBacklog(harness.db, harness.sources, 'sandbox')
  const change = (set: string, { params }: Subscribed = of) =>
    harness.db.write((tx) =>
      tx.run(
        sql`update webhook_subscriptions set failing_since = ${set} where id = ${params.subscription_id}`,
      ),
    )

  test('form a backlog of rows and log, as old as the oldest event of a healthy receiver', async () => {
    expect(await backlog()).toEqual({ pending: 0, lagSeconds: 0 })
    const failing = await subscribeTo(harness)
    await emitEvents(harness)
    await change('2026-05-01T09:00:00.000Z', failing)
    harness.pass(minute)
    expect(await backlog()).toEqual({ pending: 2, lagSeconds: 60 })
    await emitEvents(harness, 1, 'transfer.completed')
    harness.pass(minute)
    expect(await backlog()).toEqual({ pending: 2, lagSeconds: 120 })
    await change('2026-05-01T09:00:00.000Z')
    expect(await backlog()).toEqual({ pending: 2, lagSeconds: 0 })
    expect(await measureBacklog(harness.db, harness.sources, 'production')).toEqual({
      pending: 0,
      lagSeconds: 0,
    })
  })

  test('form a backlog as old as the oldest of two receivers, even the younger one', async () => {
    await subscribeTo(harness, { types: ['transfer.declined'] })
    await emitEvents(harness, 1, 'transfer.declined')
    harness.pass(minute)
    await emitEvents(harness)
    harness.pass(minute)
    expect(await backlog()).toEqual({ pending: 2, lagSeconds: 120 })
  })

  test('have no oldest event in a range in which nothing was wanted', async () => {
    await emitEvents(harness, 1, 'transfer.completed')
    harness.pass(minute)
    expect(await backlog()).toEqual({ pending: 0, lagSeconds: 0 })
  })

  test('include unattempted rows at their own age, whatever waits in the log', async () => {
    await emitEvents(harness, 1, 'transfer.completed')
    await queueRow(harness)
    harness.pass(minute)
    await emitEvents(harness)
    harness.pass(minute)
    expect(await backlog()).toEqual({ pending: 2, lagSeconds: 120 })
    await harness.db.write((tx) => tx.run(sql`update deliveries set attempts = 1 where status = 'pending'`))
    expect(await backlog()).toEqual({ pending: 2, lagSeconds: 60 })
  })

  test('form a backlog as old as the oldest of all partners', async () => {
    const body = { url: 'https://hooks.harbor.example/x', event_types: ['transfer.requested' as const] }
    const { data } = await harness.stranger.createSubscription({ body })
    await emitEvents(harness)
    harness.pass(minute)
    await emitEvents(harness, 1, 'transfer.requested', harness.strangerScope)
    harness.pass(minute)
    expect(await backlog()).toEqual({ pending: 2, lagSeconds: 120 })
    await harness.stranger.deleteSubscription({ params: { subscription_id: data.id } })
    expect(await backlog()).toEqual({ pending: 1, lagSeconds: 120 })
  })

  test('are deleted after thirty days, some at a time, across all subscriptions', async () => {
    await emitEvents(harness)
    const other = await subscribeTo(harness)
    await delivered(3)
    await delivered(3, other)
    harness.pass(30 * day)
    expect(await withWork(harness, (work) => forgetDeliveries(work))).toBe(0)
    harness.pass(1)
    const forget = (limit?: number) => withWork(harness, (work) => forgetDeliveries(work, limit))
    expect([await forget(4), await totalOf('delivered'), await forget(4), await forget()]).toEqual([
      4, 0, 2, 0,
    ])
  })

  test('are deleted with their subscription, a thousand at once and the rest later, and nobody else’s', async () => {
    await emitEvents(harness)
    const other = await subscribeTo(harness)
    await delivered(1, other)
    await delivered(2001)
    expect([await totalOf(), await totalOf('delivered'), await totalOf('pending')]).toEqual([2002, 2001, 1])
    await harness.client.deleteSubscription(of)
    const rows = async () =>
      (
        await harness.db.read((tx) =>
          tx.all(sql`select 1 from deliveries where scope_id = ${harness.scope.id}`),
        )
      ).length
    expect([await rows(), (await backlog()).pending]).toEqual([1002, 0])
    expect(await harness.findings()).toEqual([])
    const forget = (limit: number) => withWork(harness, (work) => forgetDeliveries(work, limit))
    expect([await forget(1000), await forget(1000), await rows()]).toEqual([1000, 1, 1])
  })

  test('are counted by status if they have a row, and can be queued again once finished', async () => {
    await emitEvents(harness)
    await delivered(2)
    const { results } = (await harness.client.listDeliveries({ ...of, query: { status: 'delivered' } })).data
    const params = { ...of.params, delivery_id: results[0]?.id ?? '' }
    const { data } = await harness.client.redeliver({ params })
    expect(data).toEqual({ ...results[0], status: 'pending', next_attempt_at: data.created_at })
    expect((await harness.client.listDeliveries(of)).data.results).toContainEqual(data)
    expect([await totalOf(), await totalOf('delivered'), await totalOf('pending')]).toEqual([3, 1, 2])
    await expect(harness.client.redeliver({ params })).rejects.toMatchObject({
      status: 409,
      extra: { status: 'pending' },
    })
    await harness.client.updateSubscription({ ...of, body: { active: false } })
    await expect(harness.client.testSubscription(of)).rejects.toMatchObject({ extra: { active: false } })
  })

  test('wake workers for a test, a redelivery, and a change of the subscription', async () => {
    await emitEvents(harness)
    await delivered(1)
    const { results } = (await harness.client.listDeliveries({ ...of, query: { status: 'delivered' } })).data
    const wakes = (task: (work: UnitOfWork) => Promise<unknown>) =>
      withWork(harness, async (work) => {
        await task(work)
        return work.wakes
      })
    const params = { ...of.params, delivery_id: results[0]?.id ?? '' }
    expect(await wakes((work) => testSubscription(work, of))).toBe(true)
    expect(await wakes((work) => redeliver(work, { params }).then((rest) => rest(work)))).toBe(true)
    const since = '2026-05-01T09:00:00.000Z'
    expect(
      await wakes((work) => replaySubscription(work, { ...of, body: { since } }).then((rest) => rest(work))),
    ).toBe(true)
    const later = { since: '2026-05-02T09:00:00.000Z' }
    expect(
      await wakes((work) => replaySubscription(work, { ...of, body: later }).then((rest) => rest(work))),
    ).toBe(false)
    expect(await wakes((work) => updateSubscription(work, { ...of, body: { active: true } }))).toBe(true)
  })

  test('are not merged with a waiting replay of other types', async () => {
    await emitEvents(harness)
    await emitEvents(harness, 1, 'transfer.completed')
    await emitEvents(harness, 1, 'transfer.declined')
    const since = '2026-05-01T09:00:00.000Z'
    const replay = async (event_types: WebhookEventType[]) => {
      await harness.client.updateSubscription({ ...of, body: { event_types } })
      return (await harness.client.replaySubscription({ ...of, body: { since } })).data.queued
    }
    expect(await replay(['transfer.requested', 'transfer.completed'])).toBe(2)
    expect(await replay(['transfer.completed', 'transfer.declined'])).toBe(2)
    expect(await totalOf()).toBe(1 + 2 + 2)
  })
})
