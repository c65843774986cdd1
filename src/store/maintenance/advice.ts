import { type Database, sql } from '../database.ts'
import { ensureSearchIndex } from '../postgres/pg-search.ts'

/** Messages to the operator about settings of the database that cost speed or safety. */
export async function adviceOn(db: Database): Promise<string[]> {
  if (db.dialect !== 'postgres') return []
  const words = [await ensureSearchIndex(db), await durabilityWord(db)]
  return words.filter((word) => word !== undefined)
}

/** An acknowledged write must survive a power failure (part 4). */
async function durabilityWord(db: Database): Promise<string | undefined> {
  const off = await db.read((tx) =>
    tx.value<string | null>(sql`
      select string_agg(name, ', ' order by name) as off from pg_settings
      where name in ('fsync', 'synchronous_commit') and setting = 'off'`),
  )
  if (!off) return undefined
  return `The database server has ${off} off: it may lose acknowledged writes. Turn ${off} on.`
}
