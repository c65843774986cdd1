import type { Tx } from '../database.ts'
import { sql } from '../sql.ts'
import { differences, documentOf, type Finding } from './check-findings.ts'
import { rowsOf } from './scoped-rows.ts'

type EventColumns = { seq: number; id: string; type: string; created_at: string; payload: string }

/** Events are numbered from 1 to the scope's `last_seq` without gaps, their times never go back, and payloads match their columns. */
export async function checkEvents(tx: Tx, scopeId: number): Promise<Finding[]> {
  const scope = await tx.get<{ last_seq: number }>(sql`select last_seq from scopes where id = ${scopeId}`)
  const findings: Finding[] = []
  let before = { seq: 0, created_at: '' }
  for await (const row of rowsOf<EventColumns>(tx, scopeId, 'events')) {
    const key = String(row.seq)
    if (row.seq !== before.seq + 1) {
      findings.push({ table: 'events', key, problem: `follows ${before.seq}: events are missing` })
    }
    if (row.created_at < before.created_at) {
      findings.push({ table: 'events', key, problem: 'is older than the event before it' })
    }
    const event = documentOf<EventColumns>('events', key, row.payload, findings)
    if (event) {
      const { id, type, created_at } = event
      findings.push(...differences('events', key, row, { id, type, created_at }))
    }
    before = row
  }
  if (before.seq !== scope?.last_seq) {
    const problem = `last_seq is ${scope?.last_seq}, the last event is ${before.seq}`
    findings.push({ table: 'scopes', key: String(scopeId), problem })
  }
  return findings
}
