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
import { empty, join, raw, sql, type Tx } from '../database.ts'
import { openRules } from '../postgres/pg-rules.ts'
import { countKinds } from '../tables/counts.ts'
import { intakeColumns } from '../tables/intakes.ts'
import { type Checked, compareCount, compareDocument, type Report } from './check-findings.ts'
import { type Row, rowsOf, scopedTables } from './scoped-rows.ts'

/** A scope's counters and the rows that each one counts. Items and intakes are numbered without gaps and never deleted. */
const counters = [
  ['last_item_no', 'items', empty],
  ['last_intake_no', 'intakes', empty],
  ['active_subscriptions', 'webhook_subscriptions', sql`and active = 1`],
  ['stored_results', 'idempotency', empty],
] as const

export async function checkScope({ tx, report }: Checked): Promise<void> {
  for (const [counter, table, which] of counters) {
    const counted = sql`select count(*) from ${raw(table)} where scope_id = ${tx.scope} ${which}`
    const found = await tx.get<{ kept: number; counted: number }>(sql`
      select ${raw(counter)} as kept, (${counted}) as counted from scopes where id = ${tx.scope}`)
    if (found) compareCount(report, 'scopes', counter, found.kept, found.counted)
  }
}

export async function checkEvents(at: Checked): Promise<void> {
  const columnsOf = ({ id, type, created_at }: WebhookEvent) => ({ id, type, created_at })
  const last = await checkSequence(at, 'events', ['created_at', 'payload'], columnsOf)
  const { tx, report } = at
  const noted = await tx.value<number>(sql`select last_seq from scopes where id = ${tx.scope}`)
  if (last !== noted) report('scopes', tx.scope, `last_seq is ${noted}, the last event is ${last}`)
}

export async function checkIntakes(at: Checked): Promise<void> {
  await checkSequence(at, 'intakes', ['intake_at', 'doc'], intakeColumns)
}

/** Rows are numbered from 1 without gaps, times never go back, and documents match their columns. Returns the last number. */
async function checkSequence<T>(
  at: Checked,
  table: 'events' | 'intakes',
  [timeColumn, docColumn]: readonly [string, string],
  columnsOf: (document: T) => Row,
): Promise<number> {
  const { report } = at
  let [last, lastTime] = [0, '']
  for await (const row of rowsOf(at.tx, table)) {
    const [number, time] = [Number(row[scopedTables[table][0]]), String(row[timeColumn])]
    if (number !== last + 1) report(table, number, `follows ${last}: ${table} are missing`)
    if (time < lastTime) report(table, number, `is older than the ${table.slice(0, -1)} before it`)
    compareDocument(report, table, number, { ...row, doc: row[docColumn]! }, columnsOf)
    ;[last, lastTime] = [number, time]
  }
  return last
}

/** Finds rows older than a constraint, which PostgreSQL checks only when they change. Other checks compare documents. */
export async function checkRules(tx: Tx, report: Report): Promise<void> {
  if (tx.dialect === 'sqlite') return
  const rules = (await openRules(tx)).filter(({ table, name }) => name !== `${table}_document`)
  for (const { table, name, condition } of rules) {
    const broken = sql`select count(*) as n from ${raw(table)} where not (${raw(condition)})`
    const count = await tx.number(broken)
    if (count > 0) report(table, name, `${count} existing rows break this rule`)
  }
}

/** Columns with a fixed vocabulary. No CHECK lists the words, so that a new word needs no migration. */
export const vocabularies: ReadonlyArray<[table: string, column: string, words: readonly string[]]> = [
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

export async function checkWords(tx: Tx, report: Report): Promise<void> {
  for (const [table, column, words] of vocabularies) {
    const rows = await tx.all<{ word: string; n: number }>(sql`
      select ${raw(column)} as word, count(*) as n from ${raw(table)}
      where ${raw(column)} not in (${join(words)}) group by ${raw(column)} order by ${raw(column)} limit 10`)
    for (const { word, n } of rows) report(table, column, `${n} rows have the unknown word "${word}"`)
  }
}
