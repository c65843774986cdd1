import { describe, expect, test } from 'vitest'
import type { BodyInput } from '../../src/contract/operations.ts'
import { emitEvents } from '../support/deliveries.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { usualDatabases } from '../support/harness.ts'

const url = 'https://hooks.northgate.example/custody'
const event_types: BodyInput<'createSubscription'>['event_types'] = [
  'item.intake.completed',
  'transfer.requested',
]

describe.each(usualDatabases)('webhook subscriptions over $name (2.11, 4.7, decisions 10)', (database) => {
  const harness = forEachTest(harnessWith(database))

  const create = async (body: Partial<BodyInput<'createSubscription'>> = {}) =>
    (await harness.client.createSubscription({ body: { url, event_types, ...body } })).data
  const withId = (id: string) => ({ params: { subscription_id: id } })

  test('are gone after DELETE answers 204, with their deliveries and counts', async () => {
    const { client } = harness
    const { id } = await create()
    await emitEvents(harness, 3)
    const { status, text } = await client.deleteSubscription(withId(id))
    expect({ status, text }).toEqual({ status: 204, text: '' })
    for (const ask of [
      () => client.getSubscription(withId(id)),
      () => client.deleteSubscription(withId(id)),
      () => client.listDeliveries(withId(id)),
      () => client.updateSubscription({ ...withId(id), body: { active: false } }),
    ]) {
      await expect(ask()).rejects.toMatchObject({ status: 404, code: 'not_found' })
    }
    expect((await client.listSubscriptions({})).data.total).toBe(0)
    await emitEvents(harness)
    const again = await create()
    expect((await client.listDeliveries(withId(again.id))).data.total).toBe(0)
  })

  test('get a new secret by rotation, and keep the old one unless no grace is wanted', async () => {
    const made = await create()
    const rotate = async (body: BodyInput<'rotateSubscriptionSecret'>) =>
      (await harness.client.rotateSubscriptionSecret({ ...withId(made.id), body })).data
    const rotated = await rotate({})
    expect(rotated).toEqual({ ...made, secret: expect.stringMatching(/^whsec_/) })
    expect(rotated.secret).not.toBe(made.secret)
    await expect(rotate({ grace_seconds: 7 * 86_400 + 1 })).rejects.toMatchObject({ status: 400 })
  })

  test('are limited to a hundred', async () => {
    for (let n = 0; n < 100; n++) await create()
    await expect(create()).rejects.toMatchObject({
      status: 400,
      extra: { fields: { url: ['cannot be added: there are 100 subscriptions; delete one first'] } },
    })
  })
})
