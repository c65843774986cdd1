import { type Finding, miscount } from './check-findings.ts'
import type { Tx } from './database.ts'
import { sql } from './sql.ts'

type Counted = { kind: string; key: string; n: number }

/** Recounts every kept count over all rows (store/counts.ts says what each counts). */
export async function checkCounts(tx: Tx, scopeId: number): Promise<Finding[]> {
  const kept = await tx.all<Counted>(sql`
    select kind, key, n from counts where scope_id = ${scopeId} order by kind, key`)
  const counted = new Map<string, number>()
  for (const { kind, key, n } of await recount(tx, scopeId)) counted.set(`${kind} ${key}`, Number(n))
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
    select 'items' as kind, status || '|' || coalesce(grader_key, '') as key, count(*) as n
      from items where scope_id = ${scopeId} group by status, grader_key
    union all select 'products', '', count(*) from products where scope_id = ${scopeId}
    union all select 'stock', '', count(*) from stock where scope_id = ${scopeId}
    union all select 'intakes', '', count(*) from intakes where scope_id = ${scopeId}
    union all select 'subscriptions', '', count(*) from webhook_subscriptions where scope_id = ${scopeId}
    union all select 'manifests', status, count(*) from manifests where scope_id = ${scopeId} group by status
    union all select 'fulfillments', status, count(*) from fulfillments where scope_id = ${scopeId} group by status
    union all select 'transfers', status, count(*) from transfers where scope_id = ${scopeId} group by status
    union all select 'words', word, count(*) from line_words where scope_id = ${scopeId} group by word
    union all select 'deliveries', subscription_id || '|' || status, count(*)
      from deliveries where scope_id = ${scopeId} group by subscription_id, status`)
}
