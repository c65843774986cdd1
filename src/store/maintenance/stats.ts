import { inScope, sql, type Tx } from '../database.ts'
import type { Documents } from '../tables/documents.ts'
import type { Scope } from '../tables/scopes.ts'
import { countQueued, listRanges } from '../tables/webhooks/delivery-ranges.ts'

type Counted = keyof Documents | 'events' | 'subscriptions' | 'deliveries_pending'

export type ScopeStats = Record<Counted, number> & {
  partner: string
  environment: string
  last_write_at: string
}

/** Sizes of a scope, from the maintained counters: fast for any size. */
export async function readStats(whole: Tx, scope: Scope): Promise<ScopeStats> {
  const tx = inScope(whole, scope.id)
  const row = await tx.get<{ last_seq: number; last_at: string }>(
    sql`select last_seq, last_at from scopes where id = ${scope.id}`,
  )
  const rows = await tx.all<{ kind: string; pending: number; n: number }>(sql`
    select kind, case when key like '%|pending' then 1 else 0 end as pending, sum(n) as n from counts
    where scope_id = ${scope.id} and kind not in ('words', 'items_by_intake', 'items_by_update', 'events') group by kind, pending order by kind, pending`)
  const of = (kind: string): number =>
    rows.filter((found) => found.kind === kind).reduce((sum, { n }) => sum + Number(n), 0)
  const pending = rows.find(({ kind, pending }) => kind === 'deliveries' && pending === 1)
  return {
    partner: scope.partner_name,
    environment: scope.environment,
    items: of('items'),
    products: of('products'),
    manifests: of('manifests'),
    fulfillments: of('fulfillments'),
    transfers: of('transfers'),
    events: row?.last_seq ?? 0,
    subscriptions: of('subscriptions'),
    deliveries_pending: Number(pending?.n ?? 0) + (await countQueued(tx, await listRanges(tx))),
    last_write_at: row?.last_at ?? '',
  }
}
