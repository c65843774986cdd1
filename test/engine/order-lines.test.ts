import { beforeEach, describe, expect, test } from 'vitest'
import { shelve } from '../support/arrivals.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { usualDatabases } from '../support/harness.ts'
import { boxes, ordering, rejectionOf } from '../support/ordering.ts'
import { address } from '../support/orders.ts'

describe.each(usualDatabases)('orders of several lines over $name (decisions 13)', (database) => {
  const harness = forEachTest(harnessWith(database))
  beforeEach(async () => {
    await shelve(harness, [...Array(9).fill({ sku: 'BOX' }), ...Array(5).fill({ sku: 'CARD' })])
  })

  const { upload, order, orders } = ordering(() => harness)
  const lines = [
    { sku: 'BOX', quantity: 2 },
    { sku: 'CARD', quantity: 1 },
  ]

  test('become one parcel, with SKUs added up and items by QID next to units of their SKU', async () => {
    const [slab] = await shelve(harness, [{ sku: 'BOX' }])
    const { data } = await order({
      lines: [{ sku: 'BOX', quantity: 1 }, { qid: slab?.qid ?? '' }, ...lines],
      external_ref: '#1002',
    })
    expect(data.qids).toHaveLength(5)
    expect(new Set(data.qids).size).toBe(5)
    expect(data.qids).toContain(slab?.qid)
  })

  test('do not count a named item among the units', async () => {
    const [slab] = await shelve(harness, [{ sku: 'NEW' }])
    const rejection = await rejectionOf(
      order({ lines: [{ qid: slab?.qid ?? '' }, { sku: 'NEW', quantity: 1 }] }),
    )
    expect(rejection).toMatchObject({
      status: 409,
      extra: { availability: [{ sku: 'NEW', requested: 1, available: 0 }] },
    })
  })

  test('are recognised by their reference alone: any other line is a conflict', async () => {
    const { data: first } = await order({ lines, external_ref: '#1002' })
    expect(await order({ lines: lines.toReversed(), external_ref: '#1002' })).toMatchObject({
      status: 200,
      repeated: 'true',
      data: { id: first.id },
    })
    for (const other of [lines.slice(1), [...lines, ...lines], [{ sku: 'CARD', quantity: 3 }]]) {
      const rejection = await rejectionOf(order({ lines: other, external_ref: '#1002' }))
      expect(rejection).toMatchObject({
        status: 409,
        message: expect.stringMatching(/in its items\.$/),
        extra: { fulfillment_id: first.id },
      })
    }
    expect(await orders()).toHaveLength(1)
  })

  test('are repeated if their rows were ordered one by one; the oldest parcel is answered', async () => {
    const { created } = await upload([boxes('#1', 2), { sku: 'CARD', quantity: 1, external_ref: '#1' }])
    expect(await order({ lines, external_ref: '#1' })).toMatchObject({
      status: 200,
      repeated: 'true',
      data: { id: created[0]?.id },
    })
    expect(await orders()).toHaveLength(2)
  })

  test('are a conflict that names every order, if only some of their rows were ordered', async () => {
    const { created } = await upload([boxes('#1', 1), { sku: 'CARD', quantity: 1, external_ref: '#1' }])
    const [box, card] = created.map(({ id }) => `order ${id} of 2026-05-01 (pending)`)
    const fieldsOf = async (external_ref: string, city = 'Austin') => {
      const shipping_address = { ...address, city }
      const rejection = await rejectionOf(order({ lines, external_ref, shipping_address }))
      return (rejection as { extra: { fields: object } }).extra.fields
    }
    expect(await fieldsOf('#1')).toEqual({
      external_ref: [
        `is already used by ${card} and ${box}, which together have other items: 1 of "BOX", not 2. Those orders are unchanged: cancel them and give this one another reference, or order only what no order of this reference has, under another one`,
      ],
    })
    await upload([boxes('#2', 2, { city: 'Waco' }), { sku: 'CARD', quantity: 1, external_ref: '#2' }])
    expect(Object.keys(await fieldsOf('#2'))).toEqual(['shipping_address.city'])
    await upload([boxes('#3', 2), { sku: 'CARD', quantity: 1, external_ref: '#3' }])
    const [latest] = await orders()
    await harness.client.cancelFulfillment({ params: { fulfillment_id: latest?.id ?? '' } })
    expect(await fieldsOf('#3')).toMatchObject({
      external_ref: [expect.stringContaining('which has other items: 0 of "CARD", not 1. That order is')],
    })
  })

  test('contain their rows, which are then repeated; any other row is a conflict', async () => {
    const { data } = await order({ lines, external_ref: '#1' })
    const card = { sku: 'CARD', quantity: 1, external_ref: '#1' }
    const { created, errors, repeated } = await upload([boxes('#1', 2), card])
    expect([created, errors]).toEqual([[], []])
    expect(repeated).toMatchObject([
      { row: 1, id: data.id, by: 'reference' },
      { row: 2, id: data.id, by: 'reference' },
    ])
    await shelve(harness, [{ sku: 'NEW' }])
    for (const other of [boxes('#1', 3), { ...card, sku: 'NEW' }, { ...card, city: 'Waco' }])
      expect((await upload([other])).errors).toMatchObject([{ code: 'state_conflict' }])
  })

  test.each([
    [{ lines: [{ sku: 'BOX', quantity: 1 }], sku: 'BOX', quantity: 1 }, ['lines']],
    [{ lines: [{ sku: 'BOX' }] }, ['lines[0].quantity']],
    [{ lines: [{ quantity: 1 }] }, ['lines[0].sku']],
    [{ lines: [{}] }, ['lines[0].qid']],
    [{ lines: [{ qid: 'Q', sku: 'BOX' }] }, ['lines[0].qid']],
    [{ lines: [{ sku: 'NOPE', quantity: 1 }] }, ['lines[0].sku']],
    [{ lines: [] }, ['lines']],
    [{ lines: Array(101).fill({ sku: 'BOX', quantity: 1 }) }, ['lines']],
    [{ lines: Array(2).fill({ sku: 'BOX', quantity: 501 }) }, ['lines']],
  ])('reject %j', async (body, fields) => {
    const rejection = await rejectionOf(order(body))
    expect(rejection).toMatchObject({ status: 400 })
    expect(Object.keys((rejection as { extra: { fields: object } }).extra.fields)).toEqual(fields)
  })
})
