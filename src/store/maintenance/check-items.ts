import type { Tx } from '../database.ts'
import { tenDaysOf } from '../tables/counts.ts'
import { itemColumns } from '../tables/items.ts'
import { checkItemCounts } from './check-counts.ts'
import { compared, type Finding, type Row, rowsOf } from './check-findings.ts'

const columns =
  'qid type status held sku sku_fold search_text cert_number cert_key grader_key line_id fulfillment_id intake_at updated_at doc'

/** Items: documents, columns, and how many there are of each status and grader, and of each ten days and status. */
export async function checkItems(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings: Finding[] = []
  const counted = {
    items: new Map<string, number>(),
    items_by_intake: new Map<string, number>(),
    items_by_update: new Map<string, number>(),
  }
  for await (const row of rowsOf<Row>(tx, scopeId, 'items', columns.split(' '), ['qid'])) {
    countOne(counted.items, `${row.status}|${row.grader_key ?? ''}`)
    countOne(counted.items_by_intake, `${tenDaysOf(String(row.intake_at))}|${row.status}`)
    countOne(counted.items_by_update, `${tenDaysOf(String(row.updated_at))}|${row.status}`)
    findings.push(...compared('items', String(row.qid), row, itemColumns))
  }
  for (const kind of ['items', 'items_by_intake', 'items_by_update'] as const) {
    findings.push(...(await checkItemCounts(tx, scopeId, kind, counted[kind])))
  }
  return findings
}

function countOne(counted: Map<string, number>, key: string): void {
  counted.set(key, (counted.get(key) ?? 0) + 1)
}
