import type { Tx } from '../database.ts'
import { intakeColumns } from '../tables/intakes.ts'
import { compared, type Finding } from './check-findings.ts'
import { rowsOf } from './scoped-rows.ts'

/** Intakes are numbered from 1 without gaps, their times never go back, and documents match their columns. */
export async function checkIntakes(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings: Finding[] = []
  let before = { intake_no: 0, intake_at: '' }
  for await (const row of rowsOf(tx, scopeId, 'intakes')) {
    const key = String(row.intake_no)
    if (row.intake_no !== before.intake_no + 1) {
      findings.push({ table: 'intakes', key, problem: `follows ${before.intake_no}: intakes are missing` })
    }
    if (String(row.intake_at) < before.intake_at) {
      findings.push({ table: 'intakes', key, problem: 'is older than the intake before it' })
    }
    before = { intake_no: Number(row.intake_no), intake_at: String(row.intake_at) }
    findings.push(...compared('intakes', key, row, intakeColumns))
  }
  return findings
}
