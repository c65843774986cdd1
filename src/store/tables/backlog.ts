import type { Environment } from '../../contract/enums.ts'
import type { Tx } from '../database.ts'
import { sql } from '../sql.ts'
import type { ScopeClock } from './scopes.ts'

/** The oldest delivery at a subscription that was never attempted, in the time of its scope; null where there is none. */
export type OldestRow = ScopeClock & { oldest: string | null }

/**
 * For each active subscription of an environment, when the oldest delivery without a first attempt was queued. A receiver
 * that fails is left out: what it makes wait is no fault of this service.
 */
export async function listOldestUnattempted(tx: Tx, environment: Environment): Promise<OldestRow[]> {
  return tx.all<OldestRow>(sql`
    select s.partner_id, s.environment, s.last_at, s.clock_offset_ms, (
        select d.created_at from deliveries d
        where d.scope_id = w.scope_id and d.subscription_id = w.id and d.status = 'pending' and d.attempts = 0
        order by d.id limit 1) as oldest
    from scopes s join webhook_subscriptions w on w.scope_id = s.id
    where s.environment = ${environment} and s.active_subscriptions > 0 and w.active = 1 and w.failing_since is null
    order by s.id, w.id`)
}

/** How many deliveries wait in an environment: the sum of the kept counts. */
export async function countPending(tx: Tx, environment: Environment): Promise<number> {
  const row = await tx.get<{ n: number }>(sql`
    select coalesce(sum(c.n), 0) as n from scopes s join counts c on c.scope_id = s.id
    where s.environment = ${environment} and c.kind = 'deliveries' and c.key like '%pending'`)
  return Number(row?.n ?? 0)
}
