import type { Database } from '../../src/store/database.ts'
import { openPostgres } from '../../src/store/postgres/pg.ts'
import type { Scope } from '../../src/store/tables/scopes.ts'
import { addressIn } from '../../test/support/address-in.ts'
import { fillWithItems } from './item-database.ts'
import { benchLists, listSizes } from './lists.ts'
import { note } from './measure.ts'

const deepMaxMs = 40
const broadMax = 20

/** The lists of `bench/lists.ts` over PostgreSQL. */
export async function benchPgLists(url: string): Promise<void> {
  const databases: Array<{ db: Database; scope: Scope; close(): Promise<void> }> = []
  try {
    for (const total of listSizes) databases.push(await prepare(url, total))
    await benchLists(databases, deepMaxMs, broadMax)
  } finally {
    for (const { close } of databases) await close()
  }
}

async function prepare(url: string, total: number) {
  const schema = `items_${total}`
  const db = await openPostgres(addressIn(url, schema))
  await db.pool.query(`create schema ${schema}`)
  const started = performance.now()
  const scope = await fillWithItems(db, total)
  // As autovacuum does within a minute or so: without it, a page far from the first reads the table for each entry.
  await db.pool.query('vacuum analyze')
  note(
    `${total.toLocaleString('en')} items`,
    `made in ${((performance.now() - started) / 1000).toFixed(1)} s`,
  )
  const close = async (): Promise<void> => {
    await db.pool.query(`drop schema ${schema} cascade`)
    await db.close()
  }
  return { db, scope, close }
}
