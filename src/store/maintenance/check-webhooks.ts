import type { Subscription } from '../../contract/resources/event.ts'
import type { Tx } from '../database.ts'
import { sql } from '../sql.ts'
import { differences, documentOf, type Finding, type Row, rowsOf } from './check-findings.ts'

/** Subscriptions, and deliveries that belong to one and to an event of the log. */
export async function checkWebhooks(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const row of rowsOf<Row>(
    tx,
    scopeId,
    'webhook_subscriptions',
    ['id', 'active', 'doc'],
    ['id'],
  )) {
    const key = String(row.id)
    const subscription = documentOf<Subscription>('webhook_subscriptions', key, row.doc ?? '', findings)
    if (!subscription) continue
    const expected = { id: subscription.id, active: subscription.active ? 1 : 0 }
    findings.push(...differences('webhook_subscriptions', key, row, expected))
  }
  const orphans = await tx.all<{ id: string; seq: number | null }>(sql`
    select d.id, d.seq from deliveries d
    where d.scope_id = ${scopeId} and (
      not exists (select 1 from webhook_subscriptions w where w.scope_id = ${scopeId} and w.id = d.subscription_id)
      or (d.seq is null and d.payload is null)
      or (d.seq is not null and not exists (
        select 1 from events e where e.scope_id = ${scopeId} and e.seq = d.seq and e.id = d.event_id)))
    order by d.subscription_id, d.id`)
  for (const { id } of orphans) {
    findings.push({ table: 'deliveries', key: id, problem: 'its subscription or its event is not there' })
  }
  return findings
}
