import { type Database, inScope, sql } from '../database.ts'
import { productColumns } from '../tables/products.ts'
import { listScopes, type Scope } from '../tables/scopes.ts'
import { checkCounts } from './check-counts.ts'
import { type Checked, checkDocuments, type Finding, findingsOf } from './check-findings.ts'
import { checkManifests, checkPhrases } from './check-manifests.ts'
import { checkItems, checkOrders, checkSlabs, checkStock } from './check-orders.ts'
import { checkEvents, checkIntakes, checkRules, checkScope, checkWords } from './check-scope.ts'
import { checkWebhooks } from './check-webhooks.ts'
import { type OnRows, watched } from './scoped-rows.ts'

export type ScopeFinding = Finding & { partner: string; environment: string }

type CheckWatch = {
  onScope?: (scope: Scope) => void
  onRows?: OnRows
}

const checks: ReadonlyArray<(at: Checked) => Promise<void>> = [
  checkScope,
  checkCounts,
  checkStock,
  checkEvents,
  (at) => checkDocuments(at, 'products', productColumns),
  checkManifests,
  checkPhrases,
  checkItems,
  checkIntakes,
  checkOrders,
  checkWebhooks,
]

/** Checks everything that is stored twice, and SQLite's file. One snapshot per scope, one page in memory, no writes. */
export async function checkDatabase(
  db: Database,
  { onScope, onRows = async () => {} }: CheckWatch = {},
): Promise<ScopeFinding[]> {
  const whole = await checkFile(db)
  for (const check of [checkRules, checkWords, checkSlabs])
    whole.push(...(await db.read((tx) => findingsOf((report) => check(tx, report)), { long: true })))
  const found = whole.map((finding) => ({ ...finding, partner: '', environment: '' }))
  for (const scope of await db.read(listScopes)) {
    onScope?.(scope)
    const { partner_name: partner, environment } = scope
    const inOne = await db.read((tx) =>
      findingsOf(async (report) => {
        for (const check of checks) await check({ tx: inScope(watched(tx, onRows), scope.id), report })
      }),
    )
    found.push(...inOne.map((finding) => ({ ...finding, partner, environment })))
  }
  return found
}

export async function checkFile(db: Database): Promise<Finding[]> {
  if (db.dialect !== 'sqlite') return []
  const check = sql`pragma integrity_check(100)`
  const texts = await db.read((tx) => tx.values<string>(check), { long: true })
  return texts.filter((text) => text !== 'ok').map((problem) => ({ table: 'file', key: '', problem }))
}
