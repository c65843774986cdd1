import { describe, expect, test } from 'vitest'
import type { WebhookEventType } from '../../src/contract/enums.ts'
import { deliveryRangesMax } from '../../src/contract/limits.ts'
import { defaultSettings } from '../../src/engine/context.ts'
import { atScopeTime, readContext } from '../../src/engine/unit-of-work.ts'
import { type LeasedBatch, leaseAttempts, settleBatch } from '../../src/engine/webhooks/delivery-attempts.ts'
import { inScope, sql } from '../../src/store/database.ts'
import {
  deleteRange,
  insertRange,
  listRanges,
  moveRange,
} from '../../src/store/tables/webhooks/delivery-ranges.ts'
import { countEvents } from '../../src/store/tables/webhooks/events.ts'
import { emitEvents, subscribeTo } from '../support/deliveries.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { databases } from '../support/harness.ts'
import { outcomeOf } from '../support/outcome.ts'
import { untilWaitedFor } from '../support/row-waits.ts'
import { withWork } from '../support/with-work.ts'

const start = '2026-05-01T09:00:00.000Z'

describe.each(databases)('the waiting part of the log over $name (decisions 9, 10)', (database) => {
  const harness = forEachTest(harnessWith(database, { startAt: start }))

  const subscribe = (types: WebhookEventType[], active = true) => subscribeTo(harness, { types, active })
  const deliveriesOf = async (of: { params: { subscription_id: string } }, query = {}) =>
    (await harness.client.listDeliveries({ ...of, query })).data

  test('is counted exactly for any range of the log', async () => {
    const types = ['transfer.requested', 'transfer.declined', 'transfer.completed'] as const
    await withWork(harness, async (work) => {
      for (let n = 0; n < 3100; n++) work.emit(types[(n * n) % 3] ?? types[0], '{}')
    })
    const { scope } = harness
    const [some, places] = [types.slice(0, 2), [0, 1, 999, 1000, 1001, 1500, 2000, 2999, 3000, 3099, 3100]]
    await harness.db.read(async (tx) => {
      const rows = await tx.all<{ seq: number; type: WebhookEventType }>(
        sql`select seq, type from events where scope_id = ${scope.id}`,
      )
      const isIn = (after: number, end: number) => rows.filter(({ seq }) => seq > after && seq <= end)
      for (const after of places) {
        for (const end of places) {
          const wanted = isIn(after, end).filter(({ type }) => some.some((one) => one === type))
          expect(await countEvents(inScope(tx, scope.id), { after, end, types: some })).toBe(wanted.length)
        }
      }
    })
  })

  test('merges a replay with a waiting one, from the earlier of both on', async () => {
    const { client } = harness
    const events = await emitEvents(harness, 6)
    const of = await subscribe(['transfer.requested'])
    const replay = async (n: number) => {
      const { data } = await client.replaySubscription({ ...of, body: { starting_after: events[n]?.id } })
      const { total, results } = await deliveriesOf(of)
      return [
        data.queued,
        total,
        results.map(({ event_id }) => events.findIndex(({ id }) => id === event_id)),
      ]
    }
    expect(await replay(3)).toEqual([2, 2, [5, 4]])
    expect(await replay(4)).toEqual([1, 2, [5, 4]])
    expect(await replay(1)).toEqual([4, 4, [5, 4, 3, 2]])
  })

  test('is not held by an expired lease, even if its owner has leased the same again', async () => {
    const of = await subscribe(['transfer.requested'])
    await emitEvents(harness, 4)
    const leaseAt = (second: number) => {
      const [now, until] = [second, second + 60].map((s) =>
        new Date(Date.parse(start) + s * 1000).toISOString(),
      )
      const lease = { owner: 'one', now: now ?? '', until: until ?? '' }
      return withWork(harness, async (work) => {
        const { batch } = await leaseAttempts(work, of.params.subscription_id, lease, { limit: 8, events: 5 })
        if (!batch) throw new Error('nothing was leased')
        return batch
      })
    }
    const settle = (batch: LeasedBatch, count: number) =>
      withWork(harness, (work) => {
        const result = { response_code: 204, error: null, retry_after_ms: null }
        const settled = batch.attempts.slice(0, count).map((attempt) => ({ attempt, result }))
        return settleBatch(work, batch, { settled, underWay: [], putBack: [] })
      })
    const beforeSleep = await leaseAt(0)
    expect(await settle(await leaseAt(70), 2)).toEqual(['delivered', 'delivered'])
    const last = await leaseAt(140)
    // A worker that started nothing would have sent all four again indefinitely; two of them are recorded.
    expect(await settle(beforeSleep, 0)).toEqual([])
    expect(await settle(last, 2)).toEqual(['delivered', 'delivered'])
    expect((await deliveriesOf(of)).results.map(({ status }) => status)).toEqual(Array(4).fill('delivered'))
  })

  test('disappears with a subscription that is deleted while its events are leased', async () => {
    const of = await subscribe(['transfer.requested'])
    await emitEvents(harness, 4)
    const { client, db, scope, sources } = harness
    const lease = { owner: 'one', now: start, until: '2026-05-01T09:01:00.000Z' }
    let deleting: Promise<unknown> = Promise.resolve()
    await db.write(async (tx) => {
      const view = await atScopeTime(readContext(tx, scope, { sources, settings: defaultSettings }))
      await leaseAttempts(view, of.params.subscription_id, lease, { limit: 8, events: 2 })
      deleting = client.deleteSubscription(of)
      await untilWaitedFor(db, tx)
    })
    await deleting
    expect(await db.read((tx) => listRanges(inScope(tx, scope.id)))).toEqual([])
    expect(await harness.findings()).toEqual([])
  })

  test('lists a replay before earlier deliveries, each under a stable id of its own', async () => {
    const of = await subscribe(['transfer.requested'])
    const events = await emitEvents(harness, 2)
    harness.pass(60_000)
    await harness.client.replaySubscription({ ...of, body: { since: start } })
    harness.pass(60_000)
    const [last] = await emitEvents(harness)
    const ids = [last, events[1], events[0], events[1], events[0]].map((event) => event?.id)
    const { results } = await deliveriesOf(of)
    expect(results.map(({ event_id }) => event_id)).toEqual(ids)
    expect(new Set(results.map(({ id }) => id)).size).toBe(5)
    const times = ['09:02', '09:01', '09:01', '09:00', '09:00'].map((time) => `2026-05-01T${time}:00.000Z`)
    expect(results.map(({ created_at }) => created_at)).toEqual(times)
    expect(await deliveriesOf(of)).toMatchObject({ results })
    for (const { id } of results) {
      const again = harness.client.redeliver({ params: { ...of.params, delivery_id: id } })
      await expect(again).rejects.toMatchObject({ status: 409 })
    }
  })

  /** As if the types had changed `count` times, after each `length` of the first events. */
  const cut = (count: number, length: number) =>
    withWork(harness, async ({ tx }) => {
      const [open] = await listRanges(tx)
      if (!open) throw new Error('nothing waits')
      for (let n = 0; n < count; n++) {
        await insertRange(tx, { ...open, id: `one ${n}`, after: n * length, end: (n + 1) * length })
      }
      await moveRange(tx, open, count * length)
    })

  test('lists everything in order, however often the types changed meanwhile', async () => {
    const of = await subscribe(['transfer.requested'])
    const events = await emitEvents(harness, 600)
    await cut(deliveryRangesMax, 10)
    const { total, results } = await deliveriesOf(of, { page: 3, page_size: 250 })
    expect(total).toBe(600)
    expect(results.map(({ event_id }) => event_id)).toEqual(
      events
        .slice(0, 100)
        .map(({ id }) => id)
        .reverse(),
    )
  })

  test('is limited in ranges: more changes and replays are rejected, but none that stops or repairs anything', async () => {
    const of = await subscribe(['transfer.requested'])
    const update = (body: object) => outcomeOf(harness.client.updateSubscription({ ...of, body }))
    const rejected = { status: 429, extra: { limit: 'waiting_stretches', retry_after_seconds: 60 } }
    await emitEvents(harness, deliveryRangesMax)
    await cut(deliveryRangesMax - 2, 1)
    expect(await update({ event_types: ['transfer.declined'] })).toMatchObject({ status: 200 })
    await emitEvents(harness, 1, 'transfer.declined')
    expect(await update({ event_types: ['transfer.requested'] })).toMatchObject(rejected)
    const body = { since: start }
    expect(await outcomeOf(harness.client.replaySubscription({ ...of, body }))).toMatchObject(rejected)
    expect((await update({ url: 'https://hooks.northgate.example/mended' })).status).toBe(200)
    expect((await update({ active: false })).status).toBe(200)
    expect(await update({ active: true })).toMatchObject(rejected)
    expect((await deliveriesOf(of)).total).toBe(deliveryRangesMax + 1)
    await withWork(harness, ({ tx }) =>
      deleteRange(tx, { subscription_id: of.params.subscription_id, id: 'one 0' }),
    )
    expect((await update({ active: true })).status).toBe(200)
  })

  test('excludes what is in progress, however many lease it', async () => {
    const of = await subscribe(['transfer.requested'])
    await emitEvents(harness, deliveryRangesMax)
    await cut(deliveryRangesMax - 1, 1)
    await harness.db.write((tx) =>
      tx.run(
        sql`update delivery_ranges set lease_owner = 'one', lease_until = ${start} where id like 'one %'`,
      ),
    )
    const change = { ...of, body: { event_types: ['transfer.declined' as const] } }
    expect((await harness.client.updateSubscription(change)).status).toBe(200)
  })

  test('lists wanted events of a long range from its end, and leases them from its start', async () => {
    const wanted = ['transfer.requested', 'transfer.declined'] as const
    const of = await subscribe([...wanted])
    await withWork(harness, async (work) => {
      for (let n = 0; n < 2000; n++)
        work.emit([...wanted, 'transfer.completed' as const][n % 3] ?? wanted[0], `${n}`)
    })
    const numbers = Array.from({ length: 2000 }, (_, n) => n).filter((n) => n % 3 < 2)
    const all = await harness.db.read((tx) =>
      tx.all<{ id: string; payload: string }>(
        sql`select id, payload from events where scope_id = ${harness.scope.id}`,
      ),
    )
    const numberOf = new Map(all.map(({ id, payload }) => [id, JSON.parse(payload).data]))
    const { results } = await deliveriesOf(of, { page: 2, page_size: 3 })
    expect(results.map(({ event_id }) => numberOf.get(event_id))).toEqual(numbers.slice(-6, -3).reverse())
    const lease = { owner: 'one', now: start, until: '2026-05-01T09:01:00.000Z' }
    const { batch } = await withWork(harness, (work) =>
      leaseAttempts(work, of.params.subscription_id, lease, { limit: 8, events: 5 }),
    )
    expect(batch?.attempts.map(({ eventId }) => numberOf.get(eventId))).toEqual(numbers.slice(0, 5))
  })

  test('stays one range if a change wants the same events', async () => {
    const of = await subscribe(['transfer.requested', 'transfer.declined'])
    await emitEvents(harness)
    const ranges = () => harness.db.read((tx) => listRanges(inScope(tx, harness.scope.id)))
    const before = await ranges()
    const url = 'https://hooks.northgate.example/moved'
    const others = ['transfer.declined', 'transfer.requested', 'transfer.declined'] as const
    for (const body of [{ url }, { active: true }, { event_types: [...others] }])
      await harness.client.updateSubscription({ ...of, body })
    expect(await ranges()).toEqual(before)
  })

  test('matches the types wanted when it was written', async () => {
    const of = await subscribe(['transfer.requested'])
    const update = (body: object) => harness.client.updateSubscription({ ...of, body })
    const types = ['transfer.requested', 'transfer.declined', 'transfer.completed'] as const
    const emit = async () => {
      for (const type of types) await emitEvents(harness, 1, type)
    }
    await emit()
    await update({ event_types: ['transfer.declined'] })
    await emit()
    await update({ active: false })
    await emit()
    await update({ active: true, event_types: ['transfer.completed'] })
    await emit()
    const waiting = (await deliveriesOf(of, { status: 'pending' })).results
    expect(waiting.map(({ event_type }) => event_type)).toEqual([
      'transfer.completed',
      'transfer.declined',
      'transfer.requested',
    ])
  })
})
