import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../src/store/database.ts'
import { openSqlite } from '../src/store/sqlite/sqlite.ts'
import type { Scope } from '../src/store/tables/scopes.ts'
import { fillWithItems } from './support/item-database.ts'
import { benchLists, listSizes } from './support/lists.ts'
import { note } from './support/measure.ts'

/** Lists over SQLite; `npm run bench:pg lists` measures PostgreSQL. */
const deepMaxMs = 25
const broadMax = 7

const folder = mkdtempSync(join(tmpdir(), 'custody-bench-'))
const databases: Array<{ db: Database; scope: Scope }> = []
try {
  for (const total of listSizes) databases.push(await prepare(total))
  await benchLists(databases, deepMaxMs, broadMax)
} finally {
  for (const { db } of databases) await db.close()
  rmSync(folder, { recursive: true, force: true })
}

async function prepare(total: number): Promise<{ db: Database; scope: Scope }> {
  const file = join(folder, `${total}.db`)
  const started = performance.now()
  const filling = openSqlite(file, { cacheMiB: 1024 })
  const scope = await fillWithItems(filling, total)
  await filling.close()
  note(
    `${total.toLocaleString('en')} items`,
    `made in ${((performance.now() - started) / 1000).toFixed(1)} s`,
  )
  return { db: openSqlite(file), scope }
}
