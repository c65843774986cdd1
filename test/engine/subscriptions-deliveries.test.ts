import { describe, expect, test } from 'vitest'
import type { WebhookEventType } from '../../src/contract/enums.ts'
import { sql } from '../../src/store/database.ts'
import { emitEvents, subscribeTo } from '../support/deliveries.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { databases } from '../support/harness.ts'
import { withWork } from '../support/with-work.ts'

const start = '2026-05-01T09:00:00.000Z'

describe.each(databases)('queued deliveries over $name (decisions 9, 10)', (database) => {
  const harness = forEachTest(harnessWith(database, { startAt: start }))

  const subscribe = (types: WebhookEventType[], active = true) => subscribeTo(harness, { types, active })
  const deliveriesOf = async (of: { params: { subscription_id: string } }, query = {}) =>
    (await harness.client.listDeliveries({ ...of, query })).data

  test('exist for every active subscription that wants the type, and for no other', async () => {
    const wants = await subscribe(['transfer.requested', 'transfer.declined'])
    const wantsToo = await subscribe(['transfer.requested'])
    const wantsOther = await subscribe(['transfer.completed'])
    const isOff = await subscribe(['transfer.requested'], false)
    const [event] = await emitEvents(harness)
    const queued = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event_id: event?.id,
      event_type: 'transfer.requested',
      status: 'pending',
      attempts: 0,
      response_code: null,
      last_error: null,
      last_attempt_at: null,
      next_attempt_at: start,
      created_at: start,
    }
    expect((await deliveriesOf(wants)).results).toEqual([queued])
    expect((await deliveriesOf(wantsToo)).results).toEqual([queued])
    expect((await deliveriesOf(wantsOther)).results).toEqual([])
    expect((await deliveriesOf(isOff)).results).toEqual([])
  })

  test('do not include another partner’s events', async () => {
    const of = await subscribe(['transfer.requested'])
    await emitEvents(harness, 1, 'transfer.requested', harness.strangerScope)
    expect((await deliveriesOf(of)).total).toBe(0)
  })

  test('do not exist for what rolls back', async () => {
    const of = await subscribe(['transfer.requested'])
    const failing = withWork(harness, async (work) => {
      work.emit('transfer.requested', '{}')
      await work.flush()
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect((await deliveriesOf(of)).total).toBe(0)
  })

  test('exist once for each of thousands of events, without a row', async () => {
    const of = await subscribe(['transfer.requested'])
    await emitEvents(harness, 2100)
    const { total, results } = await deliveriesOf(of, { page: 9, page_size: 250 })
    expect({ total, count: results.length }).toEqual({ total: 2100, count: 100 })
    const rows = await harness.db.read((tx) => tx.all(sql`select id from deliveries limit 1`))
    expect(rows).toEqual([])
  })

  test('are listed newest first, in pages, and by status', async () => {
    const of = await subscribe(['transfer.requested'])
    const events = await emitEvents(harness, 5)
    const page = await deliveriesOf(of, { page: 2, page_size: 2 })
    expect(page.results.map((one) => one.event_id)).toEqual([events[2]?.id, events[1]?.id])
    expect(page.total).toBe(5)
    expect(await deliveriesOf(of, { status: 'pending', page_size: 1 })).toMatchObject({ total: 5, count: 1 })
    expect(await deliveriesOf(of, { status: 'dead' })).toMatchObject({ total: 0, results: [] })
    await expect(deliveriesOf(of, { status: 'lost' })).rejects.toMatchObject({ status: 400 })
  })

  test('are not queued again if queued already or inactive: 409', async () => {
    const of = await subscribe(['transfer.requested'])
    await emitEvents(harness)
    const delivery_id = (await deliveriesOf(of)).results[0]?.id ?? ''
    const again = () => harness.client.redeliver({ params: { ...of.params, delivery_id } })
    await expect(again()).rejects.toMatchObject({ status: 409, message: 'This delivery is already queued.' })
    await harness.client.updateSubscription({ ...of, body: { active: false } })
    const inactive = { status: 409, message: 'This subscription is not active; activate it first.' }
    await expect(again()).rejects.toMatchObject(inactive)
    await expect(harness.client.testSubscription(of)).rejects.toMatchObject(inactive)
    const replay = harness.client.replaySubscription({ ...of, body: { since: start } })
    await expect(replay).rejects.toMatchObject(inactive)
    expect((await deliveriesOf(of)).total).toBe(1)
  })

  test('are replayed from exactly the given time, also if the machine’s clock was moved', async () => {
    for (const ms of [0, 1, 3_600_000, -7_200_000, 1, 0, 86_400_000, -90_000_000, 60_000, 180_000_000]) {
      harness.pass(ms)
      await emitEvents(harness)
    }
    const of = await subscribe(['transfer.requested'])
    const times = (await harness.events()).map((event) => event.created_at)
    expect(times).toEqual([...times].sort())
    for (const since of times) {
      const from = times.filter((time) => time >= since).length
      const later = times.filter((time) => time > since).length
      const replay = async (body: object) =>
        (await harness.client.replaySubscription({ ...of, body })).data.queued
      expect([await replay({ since }), await replay({ since: since.replace('Z', '1Z') })]).toEqual([
        from,
        later,
      ])
    }
  })

  test("report a replay's faults before looking for its subscription, whose absence has one answer", async () => {
    const mine = await subscribe(['transfer.requested'])
    const body = { url: 'https://hooks.harbor.example/x', event_types: ['transfer.requested' as const] }
    const { data: theirs } = await harness.stranger.createSubscription({ body })
    const answer = (id: string, request: object) =>
      harness.call({
        operation: 'replaySubscription',
        params: { subscription_id: id },
        headers: { 'idempotency-key': `replay ${id}`, 'x-request-id': 'same' },
        body: async () => ({ kind: 'json', text: JSON.stringify(request) }),
      })
    const gone = '019de2c4-2a80-7000-8000-00000000dead'
    for (const id of [theirs.id, gone]) {
      for (const bad of [{}, { since: start, starting_after: gone }, { starting_after: gone }, { more: 1 }]) {
        expect(await answer(id, bad)).toMatchObject({ status: 400 })
      }
    }
    const foreign = await answer(theirs.id, { since: start })
    expect(foreign.status).toBe(404)
    expect(foreign.body).toBe((await answer(gone, { since: start })).body)
    expect((await answer(mine.params.subscription_id, { since: start })).status).toBe(200)
  })
})
