import type { Database } from '../database.ts'
import { sql } from '../sql.ts'

/** Milliseconds: longer than a healthy database is ever busy, shorter than those wait who ask. */
const withinMsDefault = 2_500
const ask = sql`select max(version) as version from schema_version`
const askPostgres = sql`
  select max(version) as version, current_setting('transaction_read_only') as read_only from schema_version`

/**
 * Whether the database answers right now and takes writes: one that stands still does not, though its connections are
 * open, nor does a server that has become a standby.
 */
export async function isWell(db: Database, withinMs = withinMsDefault): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, withinMs, false)
  })
  const answered = db
    .read((tx) => tx.get<{ read_only: string }>(db.dialect === 'postgres' ? askPostgres : ask), {
      single: true,
    })
    .then(
      (row) => row !== undefined && row.read_only !== 'on',
      () => false,
    )
  return Promise.race([answered, late]).finally(() => clearTimeout(timer))
}
