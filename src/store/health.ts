import type { Database } from './database.ts'
import { sql } from './sql.ts'

/** Milliseconds: longer than a healthy database is ever busy, shorter than those wait who ask. */
const withinMsDefault = 2_500

/** Whether the database answers right now: one that stands still does not, though its connections are open. */
export async function isWell(db: Database, withinMs = withinMsDefault): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, withinMs, false)
  })
  const answered = db
    .read((tx) => tx.get(sql`select max(version) as version from schema_version`), { single: true })
    .then(
      (row) => row !== undefined,
      () => false,
    )
  return Promise.race([answered, late]).finally(() => clearTimeout(timer))
}
