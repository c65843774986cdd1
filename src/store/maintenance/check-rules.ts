import type { Database } from '../database.ts'
import { openRules } from '../postgres/pg-rules.ts'
import { raw, sql } from '../sql.ts'
import type { Finding } from './check-findings.ts'

/**
 * Rows older than the tables' rules, which PostgreSQL accepts until they are changed. What their documents say is left out,
 * because that is compared anyway. SQLite's check of its file looks at every row by itself.
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
