import { sql } from '../database.ts'
import { subscriptionColumns } from '../tables/webhooks/subscriptions.ts'
import { type Checked, checkDocuments } from './check-findings.ts'

/** Every delivery needs an existing event, but its subscription may be deleted (delivery-upkeep.ts). Also checks ranges. */
export async function checkWebhooks(at: Checked): Promise<void> {
  const { tx, report } = at
  await checkDocuments(at, 'webhook_subscriptions', subscriptionColumns)
  const orphans = await tx.all<{ id: string; seq: number | null }>(sql`
    select d.id, d.seq from deliveries d
    where d.scope_id = ${tx.scope} and (
      (d.seq is null and d.payload is null)
      or (d.seq is not null and not exists (
        select 1 from events e where e.scope_id = ${tx.scope} and e.seq = d.seq and e.id = d.event_id)))
    order by d.subscription_id, d.id`)
  for (const { id } of orphans) report('deliveries', id, 'its event is missing')
  await checkRanges(at)
}

/** An active subscription has one open range, an inactive one has none; no range extends beyond the log. */
async function checkRanges({ tx, report }: Checked): Promise<void> {
  const following = await tx.all<{ id: string; active: number; n: number }>(sql`
    select w.id, w.active, (
      select count(*) from delivery_ranges r
      where r.scope_id = w.scope_id and r.subscription_id = w.id and r.end_seq is null) as n
    from webhook_subscriptions w where w.scope_id = ${tx.scope} order by w.id`)
  const astray = await tx.all<{ id: string }>(sql`
    select r.id from delivery_ranges r join scopes s on s.id = r.scope_id
    where r.scope_id = ${tx.scope} and (
      r.after_seq > s.last_seq or r.end_seq > s.last_seq
      or not exists (select 1 from webhook_subscriptions w where w.scope_id = ${tx.scope} and w.id = r.subscription_id))
    order by r.subscription_id, r.id`)
  for (const { id, active, n } of following) {
    if (active !== Number(n))
      report('delivery_ranges', id, `its subscription reads the log from ${n} positions`)
  }
  for (const { id } of astray)
    report('delivery_ranges', id, 'its subscription is missing, or the range extends beyond the log')
}
