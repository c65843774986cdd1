import { type Database, sql, type Tx } from '../database.ts'
import { productColumns } from '../tables/products.ts'
import { listScopes, type Scope } from '../tables/scopes.ts'
import { checkCounts } from './check-counts.ts'
import { checkDocuments, type Finding } from './check-findings.ts'
import { checkIdentities } from './check-identities.ts'
import { checkManifests, checkPhrases } from './check-manifests.ts'
import { checkItems, checkOrders, checkStock } from './check-orders.ts'
import { checkEvents, checkIntakes, checkRules, checkScope, checkWords } from './check-scope.ts'
import { checkWebhooks } from './check-webhooks.ts'
import { type OnRows, watched } from './scoped-rows.ts'

export type ScopeFinding = Finding & { partner: string; environment: string }

type CheckWatch = {
  onFile?: () => void
  onScope?: (scope: Scope) => void
  onRows?: OnRows
}

type Check = (tx: Tx, scopeId: number) => Promise<Finding[]>

const checks: readonly Check[] = [
  checkScope,
  checkCounts,
  checkStock,
  checkEvents,
  (tx, scopeId) => checkDocuments(tx, scopeId, 'products', productColumns),
  checkManifests,
  checkPhrases,
  checkItems,
  checkIntakes,
  checkOrders,
  checkIdentities,
  checkWebhooks,
]

/** Checks everything that is stored twice, and SQLite's file. One snapshot per scope, one page in memory, no writes. */
export async function checkDatabase(
  db: Database,
  { onFile, onScope, onRows = async () => {} }: CheckWatch = {},
): Promise<ScopeFinding[]> {
  if (db.dialect === 'sqlite') onFile?.()
  const words = await db.read(checkWords, { long: true })
  const whole = [...(await checkFile(db)), ...(await checkRules(db)), ...words]
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

export async function checkFile(db: Database): Promise<Finding[]> {
  if (db.dialect !== 'sqlite') return []
  const rows = await db.read((tx) => tx.all<{ integrity_check: string }>(sql`pragma integrity_check(100)`), {
    long: true,
  })
  return rows
    .filter((row) => row.integrity_check !== 'ok')
    .map((row) => ({ table: 'file', key: '', problem: row.integrity_check }))
}
