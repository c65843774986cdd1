import { join } from 'node:path'
import { ensureScope, issueKey } from '../../src/engine/partners.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'

export const program = join(import.meta.dirname, '..', '..', 'bin', 'custody.js')

/** Creates a database with one partner; returns the partner's key. */
export async function makePartner(file: string): Promise<string> {
  const db = openSqlite(file)
  await migrate(db)
  const scope = await db.write((tx) => ensureScope(tx, runtime, 'Bench', 'sandbox'))
  const { key } = await db.write((tx) => issueKey(tx, runtime, scope))
  await db.close()
  return key
}
