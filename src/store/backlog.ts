import type { Environment } from '../contract/enums.ts'
import type { Tx } from './database.ts'
import { sql } from './sql.ts'

/** The oldest delivery that waits at a subscription, in the time of its scope; null where none does. */
export type OldestRow = { last_at: string; clock_offset_ms: number; oldest: string | null }

/** For each active subscription of an environment, when the oldest delivery that waits was queued. */
export async function listOldestPending(tx: Tx, environment: Environment): Promise<OldestRow[]> {
  return tx.all<OldestRow>(sql`
    select s.last_at, s.clock_offset_ms, (
        select d.created_at from deliveries d
        where d.scope_id = w.scope_id and d.subscription_id = w.id and d.status = 'pending'
        order by d.id limit 1) as oldest
    from scopes s join webhook_subscriptions w on w.scope_id = s.id
    where s.environment = ${environment} and s.active_subscriptions > 0 and w.active = 1
    order by s.id, w.id`)
}

/** How many deliveries wait in an environment: the sum of the kept counts. */
export async function countPending(tx: Tx, environment: Environment): Promise<number> {
  const row = await tx.get<{ n: number }>(sql`
    select coalesce(sum(c.n), 0) as n from scopes s join counts c on c.scope_id = s.id
    where s.environment = ${environment} and c.kind = 'deliveries' and c.key like '%pending'`)
  return Number(row?.n ?? 0)
}
