import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AttemptResult } from '../../src/domain/webhooks/webhook-schedule.ts'
import type { UnitOfWork } from '../../src/engine/context.ts'
import {
  type LeasedBatch,
  leaseAttempts,
  settleAttempt,
  settleBatch,
  type Verdict,
} from '../../src/engine/webhooks/delivery-attempts.ts'
import { sql } from '../../src/store/database.ts'
import { emitEvents, queueDelivered, queueRow, type Subscribed, subscribeTo } from '../support/deliveries.ts'
import { databases, type Harness, startHarness, usualTest } from '../support/harness.ts'
import { withWork } from '../support/with-work.ts'

const lease = { owner: 'one', now: '2026-05-01T09:00:00.000Z', until: '2026-05-01T09:01:00.000Z' }
const delivered: AttemptResult = { response_code: 204, error: null, retry_after_ms: null }
const failed: AttemptResult = { response_code: 500, error: null, retry_after_ms: null }
const gone: AttemptResult = { response_code: 410, error: null, retry_after_ms: null }
const minute = 60_000
const day = 86_400_000

describe.each(databases)('attempts, leased and recorded, over $name (decisions 9)', (database) => {
  const usual = usualTest(database)
  let harness: Harness
  let of: Subscribed
  beforeEach(async () => {
    harness = await startHarness(database)
    of = await subscribeTo(harness)
  })
  afterEach(async () => {
    expect(await harness.findings()).toEqual([])
    await harness.close()
  })

  const update = (body: object) => harness.client.updateSubscription({ ...of, body })
  const leaseIn = (work: UnitOfWork, room = { limit: 8, events: 5 }) =>
    leaseAttempts(work, of.params.subscription_id, lease, room)
  const leased = (room?: { limit: number; events: number }) =>
    withWork(harness, (work) => leaseIn(work, room))
  const batchOf = async (room?: { limit: number; events: number }): Promise<LeasedBatch> => {
    const { batch } = await leased(room)
    if (!batch) throw new Error('nothing was leased')
    return batch
  }
  const settle = (batch: LeasedBatch, ...results: AttemptResult[]) =>
    withWork(harness, (work) => {
      const settled = batch.attempts
        .slice(0, results.length)
        .map((attempt, at) => ({ attempt, result: results[at] ?? delivered }))
      return settleBatch(work, batch, { settled, underWay: [], putBack: [] })
    })
  const settleRow = async (result: AttemptResult, random?: number[]): Promise<Verdict> => {
    const [attempt] = (await leased()).attempts
    if (!attempt) throw new Error('no row was leased')
    return withWork(harness, (work) => {
      const rigged = random ? { ...work, random: () => Uint8Array.from(random) } : work
      return settleAttempt(rigged, lease.owner, { attempt, result })
    })
  }
  const listed = async (query = {}) =>
    (await harness.client.listDeliveries({ ...of, query: { page_size: 250, ...query } })).data
  const rowCount = async () => {
    const rows = await harness.db.read((tx) =>
      tx.all(sql`select 1 from deliveries where scope_id = ${harness.scope.id}`),
    )
    return rows.length
  }

  usual('are not leased from a subscription that is inactive, paused, or deleted', async () => {
    const nothing = { attempts: [], batch: undefined }
    await emitEvents(harness, 3)
    expect(
      await settle(await batchOf({ limit: 8, events: 1 }), { ...failed, retry_after_ms: minute }),
    ).toEqual(['retry'])
    expect(await leased()).toEqual(nothing)
    await update({ event_types: ['transfer.requested', 'transfer.declined'] })
    expect(await leased()).toEqual(nothing)
    harness.pass(minute - 1)
    expect(await leased()).toEqual(nothing)
    harness.pass(1)
    expect((await leased()).attempts).toHaveLength(1)
    await update({ active: false })
    expect(await leased()).toEqual(nothing)
    await harness.client.deleteSubscription(of)
    expect(await leased()).toEqual(nothing)
  })

  usual('resume after a new address or a reactivation', async () => {
    await emitEvents(harness, 3)
    const pause = async () =>
      settle(await batchOf({ limit: 8, events: 1 }), { ...failed, retry_after_ms: day })
    await pause()
    await update({ active: true })
    expect((await leased()).batch).toBeUndefined()
    await update({ url: 'https://hooks.northgate.example/y' })
    await pause()
    await update({ active: false })
    await update({ active: true })
    expect((await leased()).batch?.attempts).toHaveLength(1)
  })

  usual('respect a pause requested by an already failing receiver', async () => {
    await emitEvents(harness, 3)
    await settle(await batchOf({ limit: 8, events: 1 }), failed)
    await settle(await batchOf({ limit: 8, events: 1 }), { ...failed, retry_after_ms: minute })
    expect((await leased()).batch).toBeUndefined()
  })

  usual('are leased in batches of 256 KiB, at least one event, and the rest follows in order', async () => {
    const emit = (sizes: number[]) =>
      withWork(harness, async (work) => {
        for (const size of sizes)
          work.emit('transfer.requested', JSON.stringify({ x: 'x'.repeat(Math.max(size - 6, 0)) }))
      })
    await emit([300_000, 300_000, 100_000, 100_000, 100_000, 10])
    const sizes = []
    for (let n = 0; n < 5; n++) sizes.push((await leased()).batch?.attempts.map(({ seq }) => seq))
    expect(sizes).toEqual([[1], [2], [3, 4], [5, 6], undefined])
    const events = await harness.events()
    const head = Buffer.byteLength(JSON.stringify(events[5])) - 10
    await emit([131_072 - head, 131_072 - head, 10])
    expect((await leased()).batch?.attempts.map(({ seq }) => seq)).toEqual([7, 8])
  })

  usual('are leased from an ended range too, with what the last batch had no room for', async () => {
    await withWork(harness, async (work) => {
      for (const size of [300_000, 300_000, 1, 1, 1, 1])
        work.emit('transfer.requested', JSON.stringify({ x: 'x'.repeat(Math.max(size - 6, 0)) }))
    })
    await update({ event_types: ['transfer.declined'] })
    const batches = []
    for (let n = 0; n < 5; n++)
      batches.push((await leased({ limit: 8, events: 2 })).batch?.attempts.map(({ seq }) => seq))
    expect(batches).toEqual([[1], [2], [3, 4], [5, 6], undefined])
  })

  usual("are leased without a batch if rows take all the room; a row brings its event's bytes", async () => {
    const [event] = await emitEvents(harness, 2)
    await queueRow(harness)
    const { attempts, batch } = await leased({ limit: 1, events: 5 })
    expect(batch).toBeUndefined()
    expect(attempts).toMatchObject([
      { eventId: event?.id, payload: JSON.stringify(event), trace: null, seq: 1, number: 1 },
    ])
    expect(await leased({ limit: 1, events: 5 })).toMatchObject({ attempts: [], batch: {} })
  })

  usual("send a sample in its own bytes, signed with both secrets during a rotation's grace", async () => {
    const secrets = async (grace_seconds: number) => {
      const { data } = await harness.client.rotateSubscriptionSecret({ ...of, body: { grace_seconds } })
      await harness.client.testSubscription(of)
      harness.pass(1000)
      const [sample] = (await leased()).attempts
      expect(sample).toMatchObject({ seq: null, trace: null, eventType: 'transfer.requested', number: 1 })
      expect(JSON.parse(sample?.payload ?? '')).toMatchObject({ id: sample?.eventId })
      return { fresh: data.secret, used: sample?.secrets }
    }
    await harness.client.testSubscription(of)
    expect((await leased()).attempts.map((each) => each.secrets)).toEqual([[of.secret]])
    const first = await secrets(1)
    expect(first.used).toEqual([first.fresh])
    const second = await secrets(2)
    expect(second.used).toEqual([second.fresh, first.fresh])
    const third = await secrets(0)
    expect(third.used).toEqual([third.fresh])
  })

  usual('skip a range without wanted events, however many there are before the next event', async () => {
    for (let n = 0; n < 25; n++) {
      await emitEvents(harness, 1, 'transfer.completed')
      await update({ event_types: n % 2 === 0 ? ['transfer.declined'] : ['transfer.requested'] })
    }
    const [event] = await emitEvents(harness, 1, 'transfer.declined')
    const found = []
    for (let n = 0; n < 3; n++) found.push((await leased()).batch?.attempts.map(({ eventId }) => eventId))
    expect(found).toEqual([undefined, [event?.id], undefined])
  })

  test('are lost if their lease expired or their subscription is gone', async () => {
    await emitEvents(harness)
    await queueRow(harness)
    const { attempts, batch } = await leased()
    const [attempt] = attempts
    if (!attempt || !batch) throw new Error('nothing was leased')
    const record = (owner: string) =>
      withWork(harness, (work) => settleAttempt(work, owner, { attempt, result: delivered }))
    expect(await record('another')).toBe('lost')
    expect(await settle({ ...batch, lease: { ...lease, owner: 'another' } }, delivered)).toEqual(['lost'])
    await harness.client.deleteSubscription(of)
    expect(await record('one')).toBe('lost')
    expect(await settle(batch, delivered)).toEqual(['lost'])
  })

  test('are due at the new address at once if they failed at an earlier one, and start again', async () => {
    await emitEvents(harness)
    const id = await queueRow(harness)
    const [attempt] = (await leased()).attempts
    if (!attempt) throw new Error('no row was leased')
    await update({ url: 'https://hooks.example/new' })
    expect(
      await withWork(harness, (work) => settleAttempt(work, lease.owner, { attempt, result: gone })),
    ).toBe('retry')
    expect((await listed()).results.find((each) => each.id === id)).toMatchObject({ attempts: 0 })
    expect((await leased()).attempts).toMatchObject([{ url: 'https://hooks.example/new', number: 1 }])
    expect((await harness.client.getSubscription(of)).data.active).toBe(true)
  })

  test('are retried at a random time, and end on success or with the receiver', async () => {
    await emitEvents(harness)
    const id = await queueRow(harness)
    const next = async () => (await listed()).results.find((each) => each.id === id)
    expect(await settleRow(failed, [0, 0, 0, 0])).toBe('retry')
    expect(await next()).toMatchObject({ attempts: 1, next_attempt_at: '2026-05-01T09:00:04.000Z' })
    harness.pass(4000)
    await harness.db.write((tx) => tx.run(sql`update deliveries set attempts = 8 where id = ${id}`))
    expect(await settleRow(failed, [128, 64, 32, 255])).toBe('retry')
    const chance = 0x804020ff / 2 ** 32
    const at = Math.floor(Date.parse('2026-05-01T09:00:04.000Z') + day * (0.8 + 0.4 * chance))
    expect(await next()).toMatchObject({ attempts: 9, next_attempt_at: new Date(at).toISOString() })
    harness.pass(2 * day)
    expect(await settleRow(delivered)).toBe('delivered')
    expect(await next()).toMatchObject({ status: 'delivered', attempts: 10 })
    await harness.client.redeliver({ params: { ...of.params, delivery_id: id } })
    expect(await settleRow(failed, [0, 0, 0, 0])).toBe('retry')
    expect(await next()).toMatchObject({ attempts: 11, next_attempt_at: '2026-05-03T09:00:08.000Z' })
    harness.pass(4000)
    expect(await settleRow(gone)).toBe('dead')
    expect(await next()).toMatchObject({ status: 'dead', attempts: 12, next_attempt_at: null })
    expect((await harness.client.getSubscription(of)).data.active).toBe(false)
  })

  usual('are recorded one by one in a batch, and those that did not begin wait as before', async () => {
    await emitEvents(harness, 5)
    const batch = await batchOf()
    const [a, b, c, d] = batch.attempts
    if (!(a && b && c && d)) throw new Error('too few were leased')
    const settled = [
      { attempt: a, result: delivered },
      { attempt: b, result: failed },
    ]
    const ended = { settled, underWay: [c], putBack: [d] }
    expect(await withWork(harness, (work) => settleBatch(work, batch, ended))).toEqual(['delivered', 'retry'])
    expect((await listed()).results.map(({ status, attempts }) => [status, attempts])).toEqual([
      ['pending', 0],
      ['pending', 0],
      ['pending', 0],
      ['pending', 1],
      ['delivered', 1],
    ])
    const rest = await leased()
    expect(rest.attempts.map(({ id }) => id)).toEqual([d.id])
    expect(rest.batch?.attempts.map(({ seq }) => seq)).toEqual([5])
  })

  test('keep rows of the last thousand deliveries, trimmed by 250', async () => {
    await emitEvents(harness, 4)
    await withWork(harness, (work) => queueDelivered(work, of.params.subscription_id, 1248))
    const one = { limit: 8, events: 1 }
    expect(await settle(await batchOf(one), delivered)).toEqual(['delivered'])
    expect(await settle(await batchOf(one), gone)).toEqual(['dead'])
    await update({ active: true })
    expect(await rowCount()).toBe(1250)
    expect(await settle(await batchOf(one), delivered)).toEqual(['delivered'])
    expect((await listed({ status: 'delivered' })).total).toBe(1000)
    expect(await rowCount()).toBe(1001)
    await harness.client.deleteSubscription(of)
    expect(await rowCount()).toBe(1)
  })
})
