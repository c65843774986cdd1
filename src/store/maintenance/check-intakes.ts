import type { IntakeEvent } from '../../contract/resources/item.ts'
import type { Tx } from '../database.ts'
import { compared, type Finding, type Row, rowsOf } from './check-findings.ts'

const columns = ['intake_no', 'qid', 'intake_at', 'manifest_id', 'line_id', 'cert_number', 'doc']

/** Numbered from 1 without gaps, in the order of time; each document says what its columns say. */
export async function checkIntakes(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings: Finding[] = []
  let before = { intake_no: 0, intake_at: '' }
  for await (const row of rowsOf<Row>(tx, scopeId, 'intakes', columns, ['intake_no'])) {
    const key = String(row.intake_no)
    if (row.intake_no !== before.intake_no + 1) {
      findings.push({ table: 'intakes', key, problem: `follows ${before.intake_no}: intakes are missing` })
    }
    if (String(row.intake_at) < before.intake_at) {
      findings.push({ table: 'intakes', key, problem: 'is older than the intake before it' })
    }
    before = { intake_no: Number(row.intake_no), intake_at: String(row.intake_at) }
    findings.push(...compared('intakes', key, row, columnsOf))
  }
  return findings
}

function columnsOf({ qid, intake_at, manifest_id, manifest_line_id, item }: IntakeEvent): Row {
  return {
    qid,
    intake_at,
    manifest_id: manifest_id ?? null,
    line_id: manifest_line_id ?? null,
    cert_number: item.cert_number,
  }
}
