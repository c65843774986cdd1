import type { Environment } from '../../../contract/enums.ts'
import { sql, type Tx } from '../../database.ts'
import type { ScopeClock } from '../scopes.ts'

/** `oldest`: when the oldest delivery with a row and no attempt was queued. */
export type BacklogRow = ScopeClock & {
  scope_id: number
  subscription_id: string
  /** Active and not failing: a backlog caused by the receiver is not this service's fault. */
  is_healthy: number
  oldest: string | null
}

export async function listBacklogs(tx: Tx, environment: Environment): Promise<BacklogRow[]> {
  return tx.all<BacklogRow>(sql`
    select s.id as scope_id, s.partner_id, s.environment, s.last_at, s.clock_offset_ms, w.id as subscription_id,
      case when w.active = 1 and w.failing_since is null then 1 else 0 end as is_healthy, (
        select d.created_at from deliveries d
        where d.scope_id = w.scope_id and d.subscription_id = w.id and d.status = 'pending' and d.attempts = 0
        order by d.id limit 1) as oldest
    from scopes s join webhook_subscriptions w on w.scope_id = s.id
    where s.environment = ${environment} order by s.id, w.id`)
}

export async function countPending(tx: Tx, environment: Environment): Promise<number> {
  const row = await tx.get<{ n: number }>(sql`
    select coalesce(sum(c.n), 0) as n from scopes s join counts c on c.scope_id = s.id
    where s.environment = ${environment} and c.kind = 'deliveries' and c.key like '%pending'`)
  return Number(row?.n ?? 0)
}
