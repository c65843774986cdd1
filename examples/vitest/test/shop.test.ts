import { type Custody, startCustody, type Webhook } from 'custody/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OrderStatuses, offers, ship } from '../src/shop.ts'

let custody: Custody
let onWebhook: (webhook: Webhook) => void

beforeEach(async () => {
  onWebhook = () => {}
  custody = await startCustody({ onWebhook: (webhook) => onWebhook(webhook) })
})
afterEach(() => custody.close())

const to = {
  recipient_name: 'Ada Park',
  street: '500 Congress Ave',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
  country: 'US',
}

/** A slab that was bought, has arrived and can be sold. */
async function stock(cert_number: string): Promise<string> {
  const line = { description: 'Charizard Holo', grader: 'PSA', cert_number }
  await custody.client.submitManifest({ body: { reference: `BUY-${cert_number}`, lines: [line] } })
  const [arrived] = await custody.receive(`BUY-${cert_number}`)
  const { qid } = arrived!.item
  await custody.client.advanceItem({ params: { qid }, body: { to_status: 'available' } })
  return qid
}

test('what arrived is offered until it is sold', async () => {
  const qid = await stock('65936798')
  expect([...(await offers(custody.client)).keys()]).toEqual([qid])
  await ship(custody.client, { number: '1001', qid, to })
  expect((await offers(custody.client)).size).toBe(0)
})

test('an order that is sent twice is shipped once, and a slab is sold once', async () => {
  const qid = await stock('65936798')
  const first = await ship(custody.client, { number: '1001', qid, to })
  expect(await ship(custody.client, { number: '1001', qid, to })).toBe(first)
  expect(await ship(custody.client, { number: '1002', qid, to })).toBeUndefined()
})

test('the customer sees what became of the order', async () => {
  const { data } = await custody.client.createSubscription({
    body: { url: 'https://shop.example/hooks', event_types: ['fulfillment.status.changed'] },
  })
  const orders = new OrderStatuses(data.secret)
  onWebhook = ({ headers, body }) => orders.receive(headers, body)

  const fulfillment_id = await ship(custody.client, { number: '1001', qid: await stock('65936798'), to })
  await custody.delivered()
  expect(orders.statuses.get('1001')).toBe('pending')

  await custody.client.advanceFulfillment({
    params: { fulfillment_id: fulfillment_id! },
    body: { to_status: 'delivered' },
  })
  await custody.delivered()
  expect(orders.statuses.get('1001')).toBe('delivered')
})

test('a week after its arrival window a manifest is closed, and what is missing is known', async () => {
  const { data: manifest } = await custody.client.submitManifest({
    body: {
      reference: 'BUY-2',
      expected_arrival_start: '2026-01-02',
      expected_arrival_end: '2026-01-05',
      lines: [{ description: 'Blastoise Holo', grader: 'PSA', cert_number: '11112222' }],
    },
  })
  await custody.advance({ days: 14 })
  const { data: report } = await custody.client.getManifestReport({ params: { manifest_id: manifest.id } })
  expect([report.status, report.totals.missing]).toEqual(['reconciled', 1])
})
