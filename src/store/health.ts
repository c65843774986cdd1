import type { Database } from './database.ts'
import { sql } from './sql.ts'

/** Whether the database answers right now. */
export async function isWell(db: Database): Promise<boolean> {
  return db
    .read((tx) => tx.get(sql`select max(version) as version from schema_version`), { single: true })
    .then(
      (row) => row !== undefined,
      () => false,
    )
}
