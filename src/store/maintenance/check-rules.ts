import {
  deliveryStatuses,
  environments,
  fulfillmentStatuses,
  itemStatuses,
  itemTypes,
  manifestStatuses,
  matchKeys,
  processingStages,
  transferStatuses,
  webhookEventTypes,
} from '../../contract/enums.ts'
import type { Database, Tx } from '../database.ts'
import { openRules } from '../postgres/pg-rules.ts'
import { join, raw, sql } from '../sql.ts'
import { countKinds } from '../tables/counts.ts'
import type { Finding } from './check-findings.ts'

/**
 * Rows that are older than the rules of their table and break one: PostgreSQL accepts them until they are changed. Rules about
 * documents are left out, because documents are compared anyway. On SQLite, the check of the file covers every row.
 */
export async function checkRules(db: Database): Promise<Finding[]> {
  if (db.dialect === 'sqlite') return []
  return db.read(async (tx) => {
    const rules = (await openRules(tx)).filter(({ table, name }) => name !== `${table}_document`)
    const findings: Finding[] = []
    for (const { table, name, condition } of rules) {
      const row = await tx.get<{ n: number }>(
        sql`select count(*) as n from ${raw(table)} where not (${raw(condition)})`,
      )
      if (row?.n) findings.push({ table, key: name, problem: `${row.n} rows of before break this rule` })
    }
    return findings
  })
}

/** The columns that hold words of a vocabulary. No CHECK lists the words, so that a new one needs no migration. */
const vocabularies: ReadonlyArray<[table: string, column: string, words: readonly string[]]> = [
  ['scopes', 'environment', environments],
  ['counts', 'kind', countKinds],
  ['manifests', 'status', manifestStatuses],
  ['manifest_lines', 'match_key', matchKeys],
  ['items', 'type', itemTypes],
  ['items', 'status', itemStatuses],
  ['fulfillments', 'status', fulfillmentStatuses],
  ['fulfillments', 'interrupted_stage', processingStages],
  ['transfers', 'status', transferStatuses],
  ['events', 'type', webhookEventTypes],
  ['deliveries', 'status', deliveryStatuses],
  ['deliveries', 'event_type', webhookEventTypes],
]

/** Words that no vocabulary of this version has. */
export async function checkWords(tx: Tx): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [table, column, words] of vocabularies) {
    const rows = await tx.all<{ word: string; n: number }>(sql`
      select ${raw(column)} as word, count(*) as n from ${raw(table)}
      where ${raw(column)} not in (${join(words)}) group by ${raw(column)} order by ${raw(column)} limit 10`)
    for (const { word, n } of rows)
      findings.push({ table, key: column, problem: `${n} rows have the unknown word "${word}"` })
  }
  return findings
}
