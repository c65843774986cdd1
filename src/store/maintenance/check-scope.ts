import type { Tx } from '../database.ts'
import { sql } from '../sql.ts'
import { type Finding, miscount } from './check-findings.ts'

type Counters = {
  last_item_no: number
  items: number
  last_intake_no: number
  intakes: number
  active_subscriptions: number
  active: number
  stored_results: number
  results: number
}

/** The counters in the scope's row. Items and intakes are numbered without gaps and never deleted, so their counts must match. */
export async function checkScope(tx: Tx, scopeId: number): Promise<Finding[]> {
  const row = await tx.get<Counters>(sql`
    select last_item_no, last_intake_no, active_subscriptions, stored_results,
      (select count(*) from idempotency where scope_id = ${scopeId}) as results,
      (select count(*) from items where scope_id = ${scopeId}) as items,
      (select count(*) from intakes where scope_id = ${scopeId}) as intakes,
      (select count(*) from webhook_subscriptions where scope_id = ${scopeId} and active = 1) as active
    from scopes where id = ${scopeId}`)
  if (!row) return []
  return [
    ...miscount('scopes', 'last_item_no', row.last_item_no, row.items),
    ...miscount('scopes', 'last_intake_no', row.last_intake_no, row.intakes),
    ...miscount('scopes', 'active_subscriptions', row.active_subscriptions, row.active),
    ...miscount('scopes', 'stored_results', row.stored_results, row.results),
  ]
}
