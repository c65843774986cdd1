import { beforeEach, describe, expect, test } from 'vitest'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import { shelve } from '../support/arrivals.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { fulfillmentCsv } from '../support/fulfillment-csv.ts'
import { usualDatabases } from '../support/harness.ts'
import { boxes, ordering, rejectionOf } from '../support/ordering.ts'

const day = 86_400_000

describe.each(usualDatabases)('repeats of orders over $name (decisions 13)', (database) => {
  const harness = forEachTest(harnessWith(database))
  beforeEach(async () => {
    await shelve(harness, [...Array(9).fill({ sku: 'BOX' }), ...Array(5).fill({ sku: 'CARD' })])
  })

  const { upload, order, orders } = ordering(() => harness)
  const cancel = ({ id }: { id: string }) =>
    harness.client.cancelFulfillment({ params: { fulfillment_id: id } })

  test('find an order whose letters are written in the other Unicode form', async () => {
    await shelve(harness, Array(4).fill({ sku: 'BOX' }))
    const rows = [boxes('Café-1'), boxes(undefined, 1, { recipient_name: 'Zoë Park' })]
    await upload(rows)
    const again = await upload(rows.map((row) => JSON.parse(JSON.stringify(row).normalize('NFD'))))
    expect(again.repeated?.map(({ row, by }) => [row, by])).toEqual([
      [1, 'reference'],
      [2, 'content'],
    ])
    const whole = { external_ref: 'Café-2', lines: [{ sku: 'BOX', quantity: 1 }] }
    const first = await order(whole)
    const external_ref = 'Café-2'.normalize('NFD')
    expect((await order({ ...whole, external_ref })).data).toEqual(first.data)
    const changed = { external_ref, lines: [{ sku: 'BOX', quantity: 2 }] }
    expect(await rejectionOf(order(changed))).toMatchObject({ code: 'state_conflict' })
  })

  test('are recognised for an order placed without the header', async () => {
    await order({ sku: 'BOX', quantity: 1, external_ref: 'W-1' }, 'allow')
    expect((await upload([boxes('W-1')])).repeated).toHaveLength(1)
  })

  test('do not include another item under the same reference', async () => {
    await upload([boxes('W-1')])
    const { created } = await upload([{ sku: 'CARD', quantity: 1, external_ref: 'W-1' }])
    expect(created).toHaveLength(1)
  })

  test.each(['cancelled', 'returned'] as const)(
    'fail for an order that was %s, and name it',
    async (status) => {
      const { created } = await upload([boxes('W-1')])
      const [first] = created as [Fulfillment]
      const params = { fulfillment_id: first.id }
      await harness.client.advanceFulfillment({ params, body: { to_status: status } })
      const { errors, totals } = await upload([boxes('W-1')])
      expect(totals).toEqual({ created: 0, failed: 1, repeated: 0, submitted: 1 })
      expect(errors[0]).toMatchObject({
        code: 'state_conflict',
        fields: {
          external_ref: [
            `is already used by order ${first.id} of 2026-05-01 (${status}): to order it again, give it another one`,
          ],
        },
      })
      expect((await upload([boxes('W-1b')])).created).toHaveLength(1)
    },
  )

  test('are decided by the live order of two under one reference, not by the cancelled one', async () => {
    const { data: first } = await order({ sku: 'BOX', quantity: 1, external_ref: 'W-1' }, 'allow')
    const { data: second } = await order({ sku: 'BOX', quantity: 1, external_ref: 'W-1' }, 'allow')
    await cancel(second)
    expect((await upload([boxes('W-1')])).repeated).toMatchObject([{ id: first.id, status: 'pending' }])
    await cancel(first)
    expect((await upload([boxes('W-1')])).errors[0]?.message).toContain(second.id)
  })

  test('are recognised by equal content for 400 days if they have no reference', async () => {
    const { created } = await upload([boxes(undefined, 2)])
    harness.pass(399 * day)
    expect((await upload([boxes(undefined, 2)])).repeated).toMatchObject([
      { row: 1, id: created[0]?.id, by: 'content' },
    ])
    expect((await upload([boxes(undefined, 3), boxes(undefined, 2, { city: 'Waco' })])).created).toHaveLength(
      2,
    )
    harness.pass(2 * day)
    expect((await upload([boxes(undefined, 2)])).created).toHaveLength(1)
  })

  test('are recognised by reference however old the order is', async () => {
    await upload([boxes('W-1')])
    harness.pass(3000 * day)
    expect((await upload([boxes('W-1')])).repeated).toHaveLength(1)
  })

  test('are recognised once their deliver_by has passed, for which a new order fails', async () => {
    const due = { deliver_by: '2026-05-01' }
    const rows = [boxes('W-1', 1, due), boxes(undefined, 2, due)]
    const { created } = await upload(rows)
    const whole = { external_ref: 'W-2', lines: [{ sku: 'BOX', quantity: 1 }], ...due }
    const { data: earlier } = await order(whole)
    harness.pass(2 * day)
    const again = await upload([...rows, boxes('W-3', 1, due), boxes('W-1', 2, due)])
    expect(again.repeated?.map(({ row, id }) => [row, id])).toEqual([[2, created[1]?.id]])
    expect(again.errors.map(({ row, code }) => [row, code])).toEqual(
      [1, 3, 4].map((row) => [row, 'validation_error']),
    )
    expect((await upload(rows)).repeated).toHaveLength(2)
    expect(await order(whole)).toMatchObject({ status: 200, data: earlier, repeated: 'true' })
    expect(await rejectionOf(order({ ...whole, external_ref: 'W-4' }))).toMatchObject({ status: 400 })
    expect(await orders()).toHaveLength(3)
  })

  test('fail and ask for a reference if a cancelled order had none', async () => {
    const { created } = await upload([boxes(undefined)])
    await cancel(created[0] as Fulfillment)
    expect((await upload([boxes(undefined)])).errors[0]?.message).toContain(
      '(cancelled): to order it again, give it an external_ref',
    )
  })

  test('do not include a row that failed for lack of stock, so sending the file again orders it', async () => {
    const { errors } = await upload([boxes('W-1', 8), boxes('W-2', 2)])
    expect(errors).toHaveLength(1)
    await shelve(harness, [{ sku: 'BOX' }])
    const { created, repeated } = await upload([boxes('W-1', 8), boxes('W-2', 2)])
    expect([created.length, repeated?.length]).toEqual([1, 1])
  })

  test('are ordered once by two processes that send one file at once', async () => {
    const rows = ['A', 'B', 'C', 'D'].map((ref) => boxes(ref))
    const [one, other] = await Promise.all([upload(rows), upload(rows)])
    expect((one?.totals.created ?? 0) + (other?.totals.created ?? 0)).toBe(4)
    expect((one?.totals.repeated ?? 0) + (other?.totals.repeated ?? 0)).toBe(4)
    expect(await orders()).toHaveLength(4)
  })

  test('do not concern another partner', async () => {
    await upload([boxes('W-1')])
    await shelve(harness, [{ sku: 'BOX' }], harness.strangerScope)
    const form = { file: fulfillmentCsv([boxes('W-1')]) }
    const { data } = await harness.stranger.importFulfillmentsCsv({ form, repeats: 'skip' })
    expect(data.totals).toMatchObject({ created: 1, repeated: 0 })
  })

  test('are ordered once of a file that cron sends unchanged for 30 nights, and reported each night', async () => {
    const form = { file: fulfillmentCsv([boxes('W-1'), boxes(undefined)]) }
    const told: string[] = []
    for (let night = 0; night < 30; night++) {
      // The tool sends the same key for the same bytes, whose result is forgotten after 7 days.
      const idempotencyKey = `nightly-${Math.floor(night / 7)}`
      const { data } = await harness.client.importFulfillmentsCsv({ form, repeats: 'skip', idempotencyKey })
      const { created, failed, repeated = 0 } = data.totals
      told.push(`${created}, ${failed}, ${repeated}`)
      harness.pass(day)
    }
    expect(new Set(told)).toEqual(new Set(['2, 0, 0', '0, 0, 2']))
    expect(told[29]).toBe('0, 0, 2')
    expect(await orders()).toHaveLength(2)
  })

  test('find a closed manifest by its reference in either Unicode form and its lines in any order', async () => {
    const submit = (form: string, ...lines: string[]) =>
      harness.client.submitManifest({
        body: {
          reference: 'Café-1'.normalize(form),
          lines: lines.map((description) => ({ description })),
        },
        repeats: 'skip',
      })
    const { data } = await submit('NFC', 'Two', 'One')
    await harness.client.closeManifest({ params: { manifest_id: data.id } })
    const again = await submit('NFD', 'One', 'Two')
    expect([again.status, again.data.id, again.data.status]).toEqual([200, data.id, 'reconciled'])
    for (const form of ['NFC', 'NFD']) {
      const { data } = await harness.client.listManifests({ query: { reference: 'Café-1'.normalize(form) } })
      expect(data.total).toBe(1)
    }
    expect(await rejectionOf(submit('NFD', 'Three'))).toMatchObject({
      code: 'state_conflict',
      extra: { manifest_id: data.id },
    })
    expect((await harness.client.listManifests({})).data.total).toBe(1)
  })
})
