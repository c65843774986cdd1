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
  const row = await db.read((tx) =>
    tx.get<{ off: string | null }>(sql`
      select string_agg(name, ', ' order by name) as off from pg_settings
      where name in ('fsync', 'synchronous_commit') and setting = 'off'`),
  )
  if (!row?.off) return undefined
  return `The database server has ${row.off} off: it may lose acknowledged writes. Turn ${row.off} on.`
}
