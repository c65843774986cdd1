import type { Database, Tx } from '../database.ts'
import { sql } from '../sql.ts'
import { productColumns } from '../tables/products.ts'
import { listScopes, type Scope } from '../tables/scopes.ts'
import { checkCounts } from './check-counts.ts'
import { checkEvents } from './check-events.ts'
import { checkDocuments, type Finding } from './check-findings.ts'
import { checkIntakes } from './check-intakes.ts'
import { checkItems } from './check-items.ts'
import { checkManifests } from './check-manifests.ts'
import { checkOrders } from './check-orders.ts'
import { checkPhrases } from './check-phrases.ts'
import { checkRules } from './check-rules.ts'
import { checkScope } from './check-scope.ts'
import { checkStock } from './check-stock.ts'
import { checkWebhooks } from './check-webhooks.ts'
import { type OnRows, watched } from './watched.ts'

export type ScopeFinding = Finding & { partner: string; environment: string }

type CheckWatch = {
  /** Told before SQLite looks at its file. */
  onFile?: () => void
  /** Told of each scope before it is looked at. */
  onScope?: (scope: Scope) => void
  onRows?: OnRows
}

type Check = (tx: Tx, scopeId: number) => Promise<Finding[]>

const checks: readonly Check[] = [
  checkScope,
  checkCounts,
  checkStock,
  checkEvents,
  (tx, scopeId) => checkDocuments(tx, scopeId, 'products', ['id', 'sku'], productColumns),
  checkManifests,
  checkPhrases,
  checkItems,
  checkIntakes,
  checkOrders,
  checkWebhooks,
]

/**
 * Looks at everything that is kept twice: recounts every kept count and all stock, walks every `seq`, compares each
 * document with its columns; and lets SQLite look at its file. Each scope on one snapshot. Changes nothing.
 * However much it is, a page of each table is held at a time, beside what was found.
 */
export async function checkDatabase(
  db: Database,
  { onFile, onScope, onRows = async () => {} }: CheckWatch = {},
): Promise<ScopeFinding[]> {
  if (db.dialect === 'sqlite') onFile?.()
  const whole = [...(await checkFile(db)), ...(await checkRules(db))]
  const found = whole.map((finding) => ({ ...finding, partner: '', environment: '' }))
  for (const scope of await db.read(listScopes)) {
    onScope?.(scope)
    const { partner_name: partner, environment } = scope
    const inScope = await db.read(async (tx) => {
      const findings: Finding[] = []
      for (const check of checks) findings.push(...(await check(watched(tx, onRows), scope.id)))
      return findings
    })
    found.push(...inScope.map((finding) => ({ ...finding, partner, environment })))
  }
  return found
}

/** What SQLite finds wrong with its own file; nothing of another database. */
export async function checkFile(db: Database): Promise<Finding[]> {
  if (db.dialect !== 'sqlite') return []
  const rows = await db.read((tx) => tx.all<{ integrity_check: string }>(sql`pragma integrity_check(100)`), {
    long: true,
  })
  return rows
    .filter((row) => row.integrity_check !== 'ok')
    .map((row) => ({ table: 'file', key: '', problem: row.integrity_check }))
}
