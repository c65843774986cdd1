import { issueKey } from '../../src/engine/partners.ts'
import { queueRow } from './deliveries.ts'
import type { Harness } from './harness.ts'
import { slab } from './manifests.ts'
import { orderOf } from './orders.ts'

export const box = {
  name: 'Product “BOX” \\ ü',
  sku: 'BOX',
  dimensions: { length: 1.5, width: 1, height: 1, unit: 'cm' },
  weight: { value: 0.1, unit: 'g' },
} as const

/** Something in every table, and of every kind of count. */
export async function live(harness: Harness): Promise<void> {
  const { client, sources, scope, db } = harness
  await client.createProduct({ body: box, idempotencyKey: 'the box' })
  const event_types = ['item.intake.completed' as const]
  await client.createSubscription({ body: { url: 'https://hooks.example/in', event_types } })
  const lines = [
    { description: 'Rare card of long ago', quantity: 2 },
    { description: 'Charizard', cert_number: '10000004', grader: 'PSA', quantity: 1 },
    { description: 'Box', sku: 'BOX', quantity: 2 },
  ]
  await client.submitManifest({ body: { reference: 'PO-1', lines } })
  const items = ['10000001', '10000002', '10000003'].map((cert) => slab(cert, { name: 'Charizard' }))
  const { intakes } = (await client.createIntakes({ body: { items } })).data
  for (const { qid } of intakes)
    await client.advanceItem({ params: { qid }, body: { to_status: 'available' } })
  await client.createFulfillment({ body: orderOf(intakes.slice(0, 1)) })
  await client.requestTransfer({ body: { qids: intakes.slice(1, 2).map(({ qid }) => qid) } })
  await db.write(async (tx) => void (await issueKey(tx, sources, scope)))
  await queueRow(harness)
}
