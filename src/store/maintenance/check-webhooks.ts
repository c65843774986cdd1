import { sql, type Tx } from '../database.ts'
import { subscriptionColumns } from '../tables/webhooks/subscriptions.ts'
import { checkDocuments, type Finding } from './check-findings.ts'

/** Every delivery needs an existing event, but its subscription may be deleted (delivery-upkeep.ts). Also checks ranges. */
export async function checkWebhooks(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings = await checkDocuments(tx, scopeId, 'webhook_subscriptions', subscriptionColumns)
  const orphans = await tx.all<{ id: string; seq: number | null }>(sql`
    select d.id, d.seq from deliveries d
    where d.scope_id = ${scopeId} and (
      (d.seq is null and d.payload is null)
      or (d.seq is not null and not exists (
        select 1 from events e where e.scope_id = ${scopeId} and e.seq = d.seq and e.id = d.event_id)))
    order by d.subscription_id, d.id`)
  for (const { id } of orphans) {
    findings.push({ table: 'deliveries', key: id, problem: 'its event is missing' })
  }
  return [...findings, ...(await checkRanges(tx, scopeId))]
}

/** An active subscription has one open range, an inactive one has none; no range extends beyond the log. */
async function checkRanges(tx: Tx, scopeId: number): Promise<Finding[]> {
  const following = await tx.all<{ id: string; active: number; n: number }>(sql`
    select w.id, w.active, (
      select count(*) from delivery_ranges r
      where r.scope_id = w.scope_id and r.subscription_id = w.id and r.end_seq is null) as n
    from webhook_subscriptions w where w.scope_id = ${scopeId} order by w.id`)
  const astray = await tx.all<{ id: string }>(sql`
    select r.id from delivery_ranges r join scopes s on s.id = r.scope_id
    where r.scope_id = ${scopeId} and (
      r.after_seq > s.last_seq or r.end_seq > s.last_seq
      or not exists (select 1 from webhook_subscriptions w where w.scope_id = ${scopeId} and w.id = r.subscription_id))
    order by r.subscription_id, r.id`)
  return [
    ...following
      .filter(({ active, n }) => active !== Number(n))
      .map(({ id, n }) => ({
        table: 'delivery_ranges',
        key: id,
        problem: `its subscription reads the log from ${n} positions`,
      })),
    ...astray.map(({ id }) => ({
      table: 'delivery_ranges',
      key: id,
      problem: 'its subscription is missing, or the range extends beyond the log',
    })),
  ]
}
