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
import type { WebhookEvent } from '../../contract/resources/event.ts'
import { type Database, join, raw, sql, type Tx } from '../database.ts'
import { openRules } from '../postgres/pg-rules.ts'
import { countKinds } from '../tables/counts.ts'
import { intakeColumns } from '../tables/intakes.ts'
import { compared, type Finding, miscount } from './check-findings.ts'
import { type Row, rowsOf, scopedTables } from './scoped-rows.ts'

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

/** Items and intakes are numbered without gaps and never deleted, so the scope's counters must equal their counts. */
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

export async function checkEvents(tx: Tx, scopeId: number): Promise<Finding[]> {
  const columnsOf = ({ id, type, created_at }: WebhookEvent) => ({ id, type, created_at })
  const columns = ['created_at', 'payload'] as const
  const { findings, last } = await checkSequence(tx, scopeId, 'events', columns, columnsOf)
  const scope = await tx.get<{ last_seq: number }>(sql`select last_seq from scopes where id = ${scopeId}`)
  if (last !== scope?.last_seq) {
    const problem = `last_seq is ${scope?.last_seq}, the last event is ${last}`
    findings.push({ table: 'scopes', key: String(scopeId), problem })
  }
  return findings
}

export async function checkIntakes(tx: Tx, scopeId: number): Promise<Finding[]> {
  return (await checkSequence(tx, scopeId, 'intakes', ['intake_at', 'doc'], intakeColumns)).findings
}

/** Rows are numbered from 1 without gaps, times never go back, and documents match their columns. */
async function checkSequence<T>(
  tx: Tx,
  scopeId: number,
  table: 'events' | 'intakes',
  [timeColumn, docColumn]: readonly [string, string],
  columnsOf: (document: T) => Row,
): Promise<{ findings: Finding[]; last: number }> {
  const findings: Finding[] = []
  let [last, lastTime] = [0, '']
  for await (const row of rowsOf(tx, scopeId, table)) {
    const [number, time] = [Number(row[scopedTables[table][0]]), String(row[timeColumn])]
    const key = String(number)
    if (number !== last + 1) findings.push({ table, key, problem: `follows ${last}: ${table} are missing` })
    if (time < lastTime) {
      findings.push({ table, key, problem: `is older than the ${table.slice(0, -1)} before it` })
    }
    findings.push(...compared(table, key, { ...row, doc: row[docColumn]! }, columnsOf))
    ;[last, lastTime] = [number, time]
  }
  return { findings, last }
}

/** Finds rows older than a constraint, which PostgreSQL checks only when they change. Other checks compare documents. */
export async function checkRules(db: Database): Promise<Finding[]> {
  if (db.dialect === 'sqlite') return []
  return db.read(async (tx) => {
    const rules = (await openRules(tx)).filter(({ table, name }) => name !== `${table}_document`)
    const findings: Finding[] = []
    for (const { table, name, condition } of rules) {
      const row = await tx.get<{ n: number }>(
        sql`select count(*) as n from ${raw(table)} where not (${raw(condition)})`,
      )
      if (row?.n) findings.push({ table, key: name, problem: `${row.n} existing rows break this rule` })
    }
    return findings
  })
}

/** Columns with a fixed vocabulary. No CHECK lists the words, so that a new word needs no migration. */
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
