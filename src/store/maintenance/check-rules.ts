import type { Database } from '../database.ts'
import { openRules } from '../postgres/pg-rules.ts'
import { raw, sql } from '../sql.ts'
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
