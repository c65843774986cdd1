import type { Tx } from '../database.ts'
import { tenDaysOf } from '../tables/counts.ts'
import { itemColumns } from '../tables/items.ts'
import { checkItemCounts } from './check-counts.ts'
import { compared, type Finding } from './check-findings.ts'
import { rowsOf } from './scoped-rows.ts'

/** Items: documents match their columns, and the kept counts by status and grader, and by ten days and status, are right. */
export async function checkItems(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings: Finding[] = []
  const none = (): Map<string, number> => new Map()
  const counted = { items: none(), items_by_intake: none(), items_by_update: none() }
  for await (const row of rowsOf(tx, scopeId, 'items')) {
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
