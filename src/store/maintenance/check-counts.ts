import { sql, type Tx } from '../database.ts'
import type { CountKind } from '../tables/counts.ts'
import { type Finding, miscount } from './check-findings.ts'
import { pagesOf, within } from './scoped-rows.ts'

type Counted = { kind: string; key: string; n: number }

/** Recounts all counters (store/tables/counts.ts) except those of items, which `checkItems` recounts. */
export async function checkCounts(tx: Tx, scopeId: number): Promise<Finding[]> {
  const kept = await tx.all<Counted>(sql`
    select kind, key, n from counts
    where scope_id = ${scopeId} and kind not in ('words', 'items', 'items_by_intake', 'items_by_update')
    order by kind, key`)
  return [...compareCounts(kept, await recount(tx, scopeId)), ...(await checkWordCounts(tx, scopeId))]
}

export async function checkItemCounts(
  tx: Tx,
  scopeId: number,
  kind: CountKind,
  counted: ReadonlyMap<string, number>,
): Promise<Finding[]> {
  const kept = await tx.all<Counted>(sql`
    select kind, key, n from counts where scope_id = ${scopeId} and kind = ${kind} order by key`)
  return compareCounts(
    kept,
    [...counted].map(([key, n]) => ({ kind, key, n })),
  )
}

/** Page by page: a partner has one of these counts per distinct word. */
async function checkWordCounts(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings: Finding[] = []
  const ofWords = { where: sql`kind = 'words'`, key: ['key'] }
  for await (const page of pagesOf<Counted>(tx, scopeId, 'counts', ofWords)) {
    const counted = await tx.all<Counted>(sql`
      select 'words' as kind, word as key, count(*) as n from phrase_words
      where scope_id = ${scopeId} ${within('word', page.part)} group by word`)
    findings.push(...compareCounts(page.rows, counted))
  }
  return findings
}

function compareCounts(kept: readonly Counted[], recounted: readonly Counted[]): Finding[] {
  const counted = new Map(recounted.map(({ kind, key, n }) => [`${kind} ${key}`, Number(n)]))
  const findings: Finding[] = []
  for (const { kind, key, n } of kept) {
    const name = `${kind} ${key}`
    findings.push(...miscount('counts', name, n, counted.get(name) ?? 0))
    counted.delete(name)
  }
  for (const [name, n] of counted) findings.push(...miscount('counts', name, 0, n))
  return findings
}

async function recount(tx: Tx, scopeId: number): Promise<Counted[]> {
  return tx.all<Counted>(sql`
    select 'products' as kind, '' as key, count(*) as n from products where scope_id = ${scopeId}
    union all select 'stock', '', count(*) from stock where scope_id = ${scopeId}
    union all select 'intakes', '', count(*) from intakes where scope_id = ${scopeId}
    union all select 'subscriptions', '', count(*) from webhook_subscriptions where scope_id = ${scopeId}
    union all select 'manifests', status, count(*) from manifests where scope_id = ${scopeId} group by status
    union all select 'fulfillments', status, count(*) from fulfillments where scope_id = ${scopeId} group by status
    union all select 'transfers', status, count(*) from transfers where scope_id = ${scopeId} group by status
    union all select 'deliveries', subscription_id || '|' || status, count(*)
      from deliveries where scope_id = ${scopeId} and subscription_id in (
        select id from webhook_subscriptions where scope_id = ${scopeId}) group by subscription_id, status
    union all select 'events', type || '|' || substr(cast(10000000000 + seq / 1000 as text), 2), count(*)
      from events where scope_id = ${scopeId} group by type, seq / 1000`)
}
