import { sql } from '../database.ts'
import type { CountKind } from '../tables/counts.ts'
import { type Checked, compareCount, type Report } from './check-findings.ts'
import { pagesOf, within } from './scoped-rows.ts'

type Counted = { kind: string; key: string; n: number }

/** Recounts all counters (store/tables/counts.ts) except those of items, which `checkItems` recounts. */
export async function checkCounts(at: Checked): Promise<void> {
  const { tx, report } = at
  const kept = await tx.all<Counted>(sql`
    select kind, key, n from counts
    where scope_id = ${tx.scope} and kind not in ('words', 'items', 'items_by_intake', 'items_by_update')
    order by kind, key`)
  compareCounts(report, kept, await recount(at))
  await checkWordCounts(at)
}

export async function checkItemCounts(
  { tx, report }: Checked,
  kind: CountKind,
  counted: ReadonlyMap<string, number>,
): Promise<void> {
  const kept = await tx.all<Counted>(sql`
    select kind, key, n from counts where scope_id = ${tx.scope} and kind = ${kind} order by key`)
  const recounted = [...counted].map(([key, n]) => ({ kind, key, n }))
  compareCounts(report, kept, recounted)
}

/** Page by page: a partner has one of these counts per distinct word. */
async function checkWordCounts(at: Checked): Promise<void> {
  const ofWords = { where: sql`kind = 'words'`, key: ['key'] }
  for await (const page of pagesOf<Counted>(at.tx, 'counts', ofWords)) {
    const counted = await at.tx.all<Counted>(sql`
      select 'words' as kind, word as key, count(*) as n from phrase_words
      where scope_id = ${at.tx.scope} ${within('word', page.part)} group by word`)
    compareCounts(at.report, page.rows, counted)
  }
}

function compareCounts(report: Report, kept: readonly Counted[], recounted: readonly Counted[]): void {
  const counted = new Map(recounted.map(({ kind, key, n }) => [`${kind} ${key}`, Number(n)]))
  for (const { kind, key, n } of kept) {
    const name = `${kind} ${key}`
    compareCount(report, 'counts', name, n, counted.get(name) ?? 0)
    counted.delete(name)
  }
  for (const [name, n] of counted) compareCount(report, 'counts', name, 0, n)
}

async function recount({ tx }: Checked): Promise<Counted[]> {
  return tx.all<Counted>(sql`
    select 'products' as kind, '' as key, count(*) as n from products where scope_id = ${tx.scope}
    union all select 'stock', '', count(*) from stock where scope_id = ${tx.scope}
    union all select 'intakes', '', count(*) from intakes where scope_id = ${tx.scope}
    union all select 'subscriptions', '', count(*) from webhook_subscriptions where scope_id = ${tx.scope}
    union all select 'manifests', status, count(*) from manifests where scope_id = ${tx.scope} group by status
    union all select 'fulfillments', status, count(*) from fulfillments where scope_id = ${tx.scope} group by status
    union all select 'transfers', status, count(*) from transfers where scope_id = ${tx.scope} group by status
    union all select 'deliveries', subscription_id || '|' || status, count(*)
      from deliveries where scope_id = ${tx.scope} and subscription_id in (
        select id from webhook_subscriptions where scope_id = ${tx.scope}) group by subscription_id, status
    union all select 'events', type || '|' || substr(cast(10000000000 + seq / 1000 as text), 2), count(*)
      from events where scope_id = ${tx.scope} group by type, seq / 1000`)
}
