import type { WebhookEvent } from '../../contract/resources/event.ts'
import type { Tx } from '../database.ts'
import { sql } from '../sql.ts'
import { intakeColumns } from '../tables/intakes.ts'
import { compared, type Finding } from './check-findings.ts'
import { type Row, rowsOf, scopedTables } from './scoped-rows.ts'

/** Events go up to the scope's `last_seq`. */
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

/** Rows are numbered from 1 without gaps, their times never go back, and documents match their columns. */
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
